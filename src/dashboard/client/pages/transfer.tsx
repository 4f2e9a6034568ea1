/** A project as one file: taken out, and brought into an empty one. */

import { useState } from "preact/hooks";
import type { Operation } from "../../../operations/schema.ts";
import { idempotencyKey, type Page } from "../api.ts";
import { useCommand, useLoaded } from "../live.ts";
import { Status } from "../parts/badge.tsx";
import { bytes, count } from "../parts/figures.ts";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { useToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useProject } from "../project.ts";
import { OPERATION_NAMES } from "./operation_names.ts";
import { snapshotUrl } from "./operations.tsx";

export function Transfer() {
  const place = useProject();
  const recent = useLoaded(
    async (signal) => {
      const [exports, imports] = await Promise.all(
        ["export", "import"].map((kind) =>
          place.api.get<Page<Operation>>("/operations", { kind, limit: 10 }, signal)
        ),
      );
      return [...exports!.results, ...imports!.results]
        .sort((a, b) => a.created_at < b.created_at ? 1 : -1);
    },
    [place.id],
    2_000,
  );
  const columns: readonly Column<Operation>[] = [
    { title: "Operation", cell: ({ kind }) => OPERATION_NAMES[kind] },
    { title: "Status", cell: ({ status }) => <Status of={status} /> },
    { title: "Records", kind: "grow", cell: recordsOf },
    { title: "Created", kind: "end", cell: ({ created_at }) => <When at={created_at} /> },
    {
      title: "File",
      kind: "action",
      cell: ({ id, kind, status }) =>
        kind === "export" && status === "success" && (
          <a class="button small" href={snapshotUrl(place.id, id)} download>
            <Icon name="download" />
            Download
          </a>
        ),
    },
  ];
  return (
    <>
      <PageHead
        title="Export and import"
        lead="A snapshot holds every record of the project with its history, in one JSON file that any Commonplace can restore."
      />
      <div class="pair">
        <Export place={place} started={recent.reload} />
        <Import place={place} started={recent.reload} />
      </div>
      <Problem failure={recent.failure} retry={recent.reload} />
      {recent.value !== undefined && recent.value.length > 0 && (
        <Section title="Exports and imports">
          <Table
            label="Exports and imports"
            columns={columns}
            items={recent.value}
            keyOf={({ id }) => id}
            href={({ id }) => place.link(`/operations/${id}`)}
          />
        </Section>
      )}
    </>
  );
}

function recordsOf({ result, error }: Operation): string {
  if (error !== null) return `${error.code}: ${error.message}`;
  const counts = (result?.["counts"] ?? result?.["restored"] ?? {}) as Record<string, number>;
  return ["memories", "documents", "history"]
    .flatMap((name) => counts[name] === undefined ? [] : `${count(counts[name])} ${name}`)
    .join(", ");
}

interface HalfProps {
  readonly place: ReturnType<typeof useProject>;
  readonly started: () => void;
}

function Export({ place, started }: HalfProps) {
  const tell = useToast();
  const start = useCommand(async () => {
    await place.api.call("POST", "/exports", { headers: idempotencyKey() });
    tell("The export has begun");
    started();
  });
  return (
    <Section title="Export" card>
      <div class="form">
        <p>
          Takes everything as it is at one moment, while the project stays in use. The files that
          documents were made of are listed by their checksums and not carried.
        </p>
        <Problem failure={start.failure} />
        <div>
          <button
            type="button"
            class="button primary"
            disabled={start.running}
            onClick={() => start.run()}
          >
            <Icon name="upload" />
            Export {place.name}
          </button>
        </div>
      </div>
    </Section>
  );
}

function Import({ place, started }: HalfProps) {
  const tell = useToast();
  const [file, setFile] = useState<File>();
  const start = useCommand(async (chosen: File) => {
    await place.api.call("POST", "/imports", {
      raw: await wrapped(chosen),
      headers: { ...idempotencyKey(), "content-type": "application/json" },
    });
    tell("The import has begun");
    setFile(undefined);
    started();
  });
  return (
    <Section title="Import" card>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== undefined) start.run(file);
        }}
      >
        <p>
          Restores a snapshot into{" "}
          <b>{place.name}</b>, which must be empty. Ids and times stay as they were; search and
          views are built anew.
        </p>
        <div class="field">
          <label for="snapshot">Snapshot</label>
          <input
            id="snapshot"
            class="input"
            type="file"
            accept="application/json,.json"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
          {file && <p class="hint">{bytes(file.size)}</p>}
        </div>
        <Problem failure={start.failure} />
        <div>
          <button type="submit" class="button" disabled={file === undefined || start.running}>
            <Icon name="download" />
            {start.running ? "Sending…" : `Import into ${place.name}`}
          </button>
        </div>
      </form>
    </Section>
  );
}

/** The body of an import around a file, which is sent from the disk and never read into memory. */
async function wrapped(file: File): Promise<Blob> {
  const beginning = await file.slice(0, 64).text();
  if (/^\s*\{\s*"snapshot"/.test(beginning)) return file;
  return new Blob(['{"snapshot":', file, "}"]);
}
