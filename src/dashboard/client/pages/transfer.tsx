/**
 * The export and import page. Writes a project to a single file, and restores one into an empty
 * project.
 */

import { useState } from "preact/hooks";
import type { ImportReport } from "../../../imports/report.ts";
import type { Operation } from "../../../operations/schema.ts";
import type { Page } from "../api.ts";
import { useCommand, useMutation, useResource } from "../hooks.ts";
import { StatusBadge } from "../parts/data/badge.tsx";
import { formatCount, formatPlural } from "../parts/data/number_format.ts";
import { Icon } from "../parts/layout/icon.tsx";
import { FileField } from "../parts/forms/file_field.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { type Column, Table } from "../parts/data/table.tsx";
import { useToast } from "../parts/feedback/toast.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { useProject } from "../project.ts";
import { OPERATION_NAMES } from "./operation_names.ts";
import { fileUrl } from "./operations.tsx";
import { ExportFile } from "./transfer/export_file.tsx";
import { IMPORTED, ImportFile } from "./transfer/import_file.tsx";

export function Transfer() {
  const project = useProject();
  const recent = useResource(
    async (signal) => {
      const pages = await Promise.all(
        ["export", "import", "export_file", "import_file"].map((kind) =>
          project.api.get<Page<Operation>>("/operations", { kind, limit: 10 }, signal)
        ),
      );
      return pages.flatMap(({ results }) => results)
        .sort((a, b) => a.created_at < b.created_at ? 1 : -1);
    },
    [project.id],
    2_000,
  );
  const columns: readonly Column<Operation>[] = [
    { title: "Operation", cell: ({ kind }) => OPERATION_NAMES[kind] },
    { title: "Status", cell: ({ status }) => <StatusBadge of={status} /> },
    { title: "Records", kind: "grow", cell: recordCounts },
    { title: "Created", kind: "end", cell: ({ created_at }) => <Timestamp at={created_at} /> },
    {
      title: "File",
      kind: "action",
      cell: ({ id, kind, status }) =>
        (kind === "export" || kind === "export_file") && status === "success" && (
          <a class="button small" href={fileUrl(project.id, id, kind)} download>
            <Icon name="download" />
            Download
          </a>
        ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Export and import"
        lead="A snapshot is one JSON file with every record of the project and its history. Any Commonplace service can restore it. Open formats are for other programs."
      />
      <div class="pair">
        <Export project={project} onStarted={recent.reload} />
        <Import project={project} onStarted={recent.reload} />
      </div>
      <div class="pair">
        <ExportFile project={project} onStarted={recent.reload} />
        <ImportFile project={project} onStarted={recent.reload} />
      </div>
      <ErrorMessage failure={recent.failure} onRetry={recent.reload} />
      {recent.value !== undefined && recent.value.length > 0 && (
        <Section title="Exports and imports">
          <Table
            label="Exports and imports"
            columns={columns}
            items={recent.value}
            keyOf={({ id }) => id}
            href={({ id }) => project.link(`/operations/${id}`)}
          />
        </Section>
      )}
    </>
  );
}

/** Counts of a snapshot that are shown, with their nouns. */
const COUNTED = [
  ["memories", "memory", "memories"],
  ["documents", "document", "documents"],
  ["history", "history record", "history records"],
] as const;

function recordCounts({ kind, result, error, progress }: Operation): string {
  if (error !== null) return `${error.code}: ${error.message}`;
  if (progress !== undefined) {
    return `${formatCount(progress.done)} of ${formatCount(progress.total)}`;
  }
  if (kind === "import_file") return importCounts(result as ImportReport | null);
  const counts = (result?.["counts"] ?? result?.["restored"] ?? {}) as Record<string, number>;
  return COUNTED
    .flatMap(([name, one, many]) =>
      counts[name] === undefined ? [] : formatPlural(counts[name], one, many)
    )
    .join(", ");
}

function importCounts(report: ImportReport | null): string {
  if (report === null) return "";
  const added = IMPORTED
    .filter(([kind]) => report[kind].found > 0)
    .map(([kind, one, many]) => formatPlural(report[kind].added, one, many));
  const { count } = report.set_aside;
  return [...added, ...count > 0 ? [`${formatCount(count)} set aside`] : []].join(", ");
}

interface TransferProps {
  readonly project: ReturnType<typeof useProject>;
  readonly onStarted: () => void;
}

function Export({ project, onStarted }: TransferProps) {
  const showToast = useToast();
  const command = useCommand();
  const start = useMutation(async () => {
    await project.api.call("POST", "/exports", { command });
    showToast("Export started");
    onStarted();
  });
  return (
    <Section title="Export" card>
      <div class="form">
        <p>
          Exports everything as of one moment, while the project stays in use. Original files of
          documents are not included, only their checksums.
        </p>
        <ErrorMessage failure={start.failure} />
        <div>
          <button
            type="button"
            class="button primary"
            disabled={start.running}
            onClick={() => start.run()}
          >
            <Icon name="upload" />
            Export {project.name}
          </button>
        </div>
      </div>
    </Section>
  );
}

function Import({ project, onStarted }: TransferProps) {
  const showToast = useToast();
  const [file, setFile] = useState<File>();
  const command = useCommand();
  const start = useMutation(async (chosen: File) => {
    await project.api.call("POST", "/imports", {
      raw: await toImportBody(chosen),
      headers: { "content-type": "application/json" },
      command,
    });
    showToast("Import started");
    setFile(undefined);
    onStarted();
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
          <b>{project.name}</b>, which must be empty. IDs and times are kept; search indexes and
          views are rebuilt.
        </p>
        <FileField
          label="Snapshot"
          file={file}
          onChange={setFile}
          accept="application/json,.json"
        />
        <ErrorMessage failure={start.failure} />
        <div>
          <button type="submit" class="button" disabled={file === undefined || start.running}>
            <Icon name="download" />
            {start.running ? "Uploading…" : `Import into ${project.name}`}
          </button>
        </div>
      </form>
    </Section>
  );
}

/**
 * Returns an import body. Wraps the file itself, so the browser sends it from disk without reading
 * it into memory.
 */
async function toImportBody(file: File): Promise<Blob> {
  const head = await file.slice(0, 64).text();
  if (/^\s*\{\s*"snapshot"/.test(head)) return file;
  return new Blob(['{"snapshot":', file, "}"]);
}
