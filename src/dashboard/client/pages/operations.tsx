/** Work that survives a restart: what waits, what runs, what has failed, and why. */

import type { Operation } from "../../../operations/schema.ts";
import type { TaskStatus } from "../../../tasks/states.ts";
import type { Page } from "../api.ts";
import { useCommand, useLoaded, usePaged } from "../live.ts";
import { Status, type Tone } from "../parts/badge.tsx";
import { Id } from "../parts/copy.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { JsonView } from "../parts/json_view.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { type Column, PagedTable, Waiting } from "../parts/table.tsx";
import { type Moment, Timeline } from "../parts/timeline.tsx";
import { useToast } from "../parts/toast.tsx";
import { duration, When } from "../parts/when.tsx";
import { useProject } from "../project.ts";
import type { PageProps } from "../pages.ts";
import { go } from "../route.ts";
import { OPERATION_NAMES } from "./operation_names.ts";

/** `committed` and `failed` are reserved by the interface and never happen. */
const STATUSES: readonly TaskStatus[] = [
  "awaiting_upload",
  "pending",
  "processing",
  "retry",
  "success",
  "dead",
  "cancelled",
];

const COLUMNS: readonly Column<Operation>[] = [
  { title: "Operation", cell: ({ kind }) => OPERATION_NAMES[kind] },
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Error", kind: "grow", cell: ({ error }) => error && `${error.code}: ${error.message}` },
  {
    title: "Attempts",
    kind: "end",
    optional: true,
    cell: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`,
  },
  { title: "Took", kind: "end", optional: true, cell: tookOf },
  { title: "Created", kind: "end", cell: ({ created_at }) => <When at={created_at} /> },
];

function tookOf({ started_at, completed_at }: Operation) {
  if (started_at === null || completed_at === null) return <span class="faint">–</span>;
  return duration(Date.parse(completed_at) - Date.parse(started_at));
}

export function Operations({ query }: PageProps) {
  const place = useProject();
  const filter = { status: query.get("status") ?? "", kind: query.get("kind") ?? "" };
  const list = usePaged(
    (cursor, signal) =>
      place.api.get<Page<Operation>>("/operations", { ...filter, cursor }, signal),
    [place.id, filter],
    { keyOf: ({ id }) => id, everyMs: 2_000 },
  );
  const narrow = (change: Partial<typeof filter>) =>
    go(place.link("/operations", { ...filter, ...change }), "replace");
  const filtered = filter.status !== "" || filter.kind !== "";
  return (
    <>
      <PageHead
        title="Operations"
        lead="Work that goes on in the background and survives a restart. This list keeps itself up to date."
      />
      <div class="filters">
        <SelectField
          label="Status"
          value={filter.status}
          change={(status) => narrow({ status })}
          options={[
            ["", "Any status"],
            ...STATUSES.map((status) => [status, status.replaceAll("_", " ")] as const),
          ]}
          quiet
        />
        <SelectField
          label="Kind"
          value={filter.kind}
          change={(kind) => narrow({ kind })}
          options={[
            ["", "Any kind"],
            ...Object.entries(OPERATION_NAMES),
          ]}
          quiet
        />
      </div>
      <PagedTable
        label="Operations"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        href={({ id }) => place.link(`/operations/${id}`)}
        empty={filtered
          ? (
            <Empty icon="search" title="Nothing fits">
              <a href={place.link("/operations")}>Show all operations</a>
            </Empty>
          )
          : (
            <Empty icon="operation" title="Nothing has run yet">
              Uploads, exports, batches and inferred adds show up here while they run and after.
            </Empty>
          )}
      />
    </>
  );
}

/** States that an operation leaves by itself. */
const MOVING: ReadonlySet<string> = new Set(["awaiting_upload", "pending", "processing", "retry"]);

export function OperationPage({ params }: PageProps) {
  const place = useProject();
  const tell = useToast();
  const id = params["id"]!;
  const loaded = useLoaded(
    (signal) =>
      place.api.get<Operation>(`/operations/${encodeURIComponent(id)}/outline`, {}, signal),
    [place.id, id],
    1_500,
  );
  const retry = useCommand(async () => {
    await place.api.call("POST", `/operations/${encodeURIComponent(id)}/retry`);
    tell("Queued for another attempt");
    loaded.reload();
  });
  const operation = loaded.value;
  const name = operation === undefined ? "Operation" : OPERATION_NAMES[operation.kind];
  return (
    <>
      <PageHead title={name} back={{ href: place.link("/operations"), title: "Operations" }}>
        {operation && (operation.status === "retry" || operation.status === "dead") && (
          <button
            type="button"
            class="button"
            disabled={retry.running}
            onClick={() => retry.run()}
          >
            <Icon name="retry" />
            Try again now
          </button>
        )}
        {operation?.kind === "export" && operation.status === "success" && (
          <a class="button primary" href={snapshotUrl(place.id, id)} download>
            <Icon name="download" />
            Download the snapshot
          </a>
        )}
      </PageHead>
      <Problem failure={retry.failure ?? loaded.failure} />
      {operation === undefined ? loaded.failure === undefined && <Waiting /> : (
        <>
          <div class="card">
            <Facts
              of={Object.entries({
                Status: <Status of={operation.status} />,
                Attempts: `${operation.attempts} of ${operation.max_attempts}`,
                Took: tookOf(operation),
                Created: <When at={operation.created_at} as="moment" />,
                Kind: <code>{operation.kind}</code>,
                Id: <Id of={operation.id} />,
              })}
            />
          </div>
          <Section title="What happened" card>
            <Timeline label="What happened" exact moments={momentsOf(operation)} />
          </Section>
          {operation.result !== null && (
            <Section title="Result">
              <JsonView label="Result" value={operation.result} />
            </Section>
          )}
        </>
      )}
    </>
  );
}

/** Where the file of an export is. */
export function snapshotUrl(project: string, operation: string): string {
  return `/dashboard/api/projects/${project}/operations/${operation}/snapshot`;
}

const ENDS: Readonly<Record<string, readonly [words: string, tone: Tone]>> = {
  success: ["Finished", "good"],
  dead: ["Given up", "bad"],
  cancelled: ["Cancelled", "plain"],
};

function momentsOf(operation: Operation): Moment[] {
  const { status, error, attempts, created_at, started_at, completed_at, next_attempt_at } =
    operation;
  const moments: Moment[] = [{ key: "created", at: created_at, title: "Accepted, and on disk" }];
  if (started_at !== null) {
    const title = attempts > 1 ? `Attempt ${attempts} began` : "Began";
    moments.push({ key: "started", at: started_at, title, tone: "busy" });
  }
  if (error !== null) {
    moments.push({
      key: "error",
      at: error.occurred_at,
      tone: status === "dead" ? "bad" : "warn",
      title: `Attempt ${error.attempt} failed`,
      body: (
        <>
          {error.message} <code>{error.code}</code>
          {!error.retryable && " Trying again can't help."}
        </>
      ),
    });
  }
  moments.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  const end = ENDS[status];
  if (end !== undefined) {
    moments.push({ key: "end", at: completed_at, title: end[0], tone: end[1] });
  }
  if (status === "retry") {
    moments.push({ key: "next", at: next_attempt_at, title: "Next attempt", tone: "warn" });
  } else if (MOVING.has(status)) {
    moments.push({ key: "now", at: null, title: WAITING[status] ?? "Running", tone: "busy" });
  }
  return moments;
}

const WAITING: Readonly<Record<string, string>> = {
  awaiting_upload: "Waits for its file",
  pending: "Waits for a worker",
};
