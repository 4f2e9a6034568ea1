/**
 * The operations pages. Operations are background work that survives a restart, shown with their
 * status and errors.
 */

import type { ComponentChildren } from "preact";
import type { Operation } from "../../../operations/schema.ts";
import type { BrowsedOperation } from "../../browse/schema.ts";
import type { TaskStatus } from "../../../tasks/states.ts";
import type { Page } from "../api.ts";
import { usePagedList, useResource } from "../hooks.ts";
import { StatusBadge, type Tone } from "../parts/data/badge.tsx";
import { Id } from "../parts/feedback/copy_button.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { DetailList } from "../parts/data/detail_list.tsx";
import { SelectField } from "../parts/forms/fields.tsx";
import { Icon } from "../parts/layout/icon.tsx";
import { JsonView } from "../parts/data/json_view.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { type Column, LoadingRows, PagedTable } from "../parts/data/table.tsx";
import { Timeline, type TimelineEntry } from "../parts/data/timeline.tsx";
import { formatDuration, Timestamp } from "../parts/data/timestamp.tsx";
import { type CurrentProject, useProject } from "../project.ts";
import type { PageProps } from "../pages.ts";
import { navigate } from "../route.ts";
import { attemptEntries, RetryButton, useRetry } from "./attempts.tsx";
import { OPERATION_NAMES } from "./operation_names.ts";

/**
 * Statuses that actually occur. `committed` and `failed` are reserved by the API but never
 * returned.
 */
const STATUSES: readonly TaskStatus[] = [
  "awaiting_upload",
  "pending",
  "processing",
  "retry",
  "success",
  "dead",
  "cancelled",
];

const COLUMNS: readonly Column<BrowsedOperation>[] = [
  { title: "Operation", cell: ({ kind }) => OPERATION_NAMES[kind] },
  { title: "Status", cell: ({ status }) => <StatusBadge of={status} /> },
  {
    title: "Details",
    kind: "grow",
    cell: ({ upload, error }) => (
      <>
        {upload && <bdi>{upload.filename}</bdi>}
        {upload && error && <br />}
        {error && `${error.code}: ${error.message}`}
      </>
    ),
  },
  {
    title: "Attempts",
    kind: "end",
    optional: true,
    cell: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`,
  },
  { title: "Duration", kind: "end", optional: true, cell: durationText },
  { title: "Created", kind: "end", cell: ({ created_at }) => <Timestamp at={created_at} /> },
];

function durationText({ started_at, completed_at }: Operation) {
  if (started_at === null || completed_at === null) return <span class="faint">–</span>;
  return formatDuration(Date.parse(completed_at) - Date.parse(started_at));
}

export function Operations({ query }: PageProps) {
  const project = useProject();
  const filter = { status: query.get("status") ?? "", kind: query.get("kind") ?? "" };
  const list = usePagedList(
    (cursor, signal) =>
      project.api.get<Page<BrowsedOperation>>("/browse/operations", { ...filter, cursor }, signal),
    [project.id, filter],
    { keyOf: ({ id }) => id, everyMs: 2_000 },
  );
  const changeFilter = (change: Partial<typeof filter>) =>
    navigate(project.link("/operations", { ...filter, ...change }), "replace");
  const filtered = filter.status !== "" || filter.kind !== "";
  return (
    <>
      <PageHeader
        title="Operations"
        lead="Background work that survives restarts. This list refreshes automatically."
      />
      <div class="filters">
        <SelectField
          label="Status"
          value={filter.status}
          onChange={(status) => changeFilter({ status })}
          options={[
            ["", "Any status"],
            ...STATUSES.map((status) => [status, status.replaceAll("_", " ")] as const),
          ]}
          hideLabel
        />
        <SelectField
          label="Kind"
          value={filter.kind}
          onChange={(kind) => changeFilter({ kind })}
          options={[
            ["", "Any kind"],
            ...Object.entries(OPERATION_NAMES),
          ]}
          hideLabel
        />
      </div>
      <PagedTable
        label="Operations"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        href={({ id }) => project.link(`/operations/${id}`)}
        empty={filtered
          ? (
            <EmptyState icon="search" title="No matching operations">
              <a href={project.link("/operations")}>Show all operations</a>
            </EmptyState>
          )
          : (
            <EmptyState icon="operation" title="No operations yet">
              Uploads, exports, imports, batches and inferred adds appear here.
            </EmptyState>
          )}
      />
    </>
  );
}

/** Statuses an operation leaves without anyone's help. */
const ACTIVE_STATUSES: ReadonlySet<string> = new Set([
  "awaiting_upload",
  "pending",
  "processing",
  "retry",
]);

export function OperationPage({ params }: PageProps) {
  const project = useProject();
  const id = params["id"]!;
  const loaded = useResource(
    (signal) =>
      project.api.get<BrowsedOperation>(`/browse/operations/${encodeURIComponent(id)}`, {}, signal),
    [project.id, id],
    1_500,
  );
  const retry = useRetry(id, loaded.reload);
  const operation = loaded.value;
  const name = operation === undefined ? "Operation" : OPERATION_NAMES[operation.kind];
  return (
    <>
      <PageHeader title={name} back={{ href: project.link("/operations"), title: "Operations" }}>
        {operation && (operation.status === "retry" || operation.status === "dead") && (
          <RetryButton retry={retry} />
        )}
        {(operation?.kind === "export" || operation?.kind === "export_file") &&
          operation.status === "success" && (
          <a class="button primary" href={fileUrl(project.id, id, operation.kind)} download>
            <Icon name="download" />
            {operation.kind === "export" ? "Download snapshot" : "Download archive"}
          </a>
        )}
      </PageHeader>
      <ErrorMessage failure={retry.failure ?? loaded.failure} />
      {operation === undefined ? loaded.failure === undefined && <LoadingRows /> : (
        <>
          <div class="card">
            <DetailList
              of={Object.entries({
                Status: <StatusBadge of={operation.status} />,
                Attempts: `${operation.attempts} of ${operation.max_attempts}`,
                Duration: durationText(operation),
                Created: <Timestamp at={operation.created_at} as="moment" />,
                Kind: <code>{operation.kind}</code>,
                ...subjectOf(operation, project),
                ID: <Id of={operation.id} />,
              })}
            />
          </div>
          <Section title="Timeline" card>
            <Timeline label="Timeline" exact entries={timelineEntries(operation)} />
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

/** Returns what an operation is about, with a link to it. */
function subjectOf(
  { id, kind, upload }: BrowsedOperation,
  { link }: CurrentProject,
): Record<string, ComponentChildren> {
  if (kind === "memory_infer") return { Event: <a href={link(`/events/${id}`)}>Results</a> };
  if (upload === null) return {};
  const { filename, document_id } = upload;
  return {
    File: <bdi>{filename}</bdi>,
    ...(document_id === null
      ? {}
      : { Document: <a href={link(`/documents/${document_id}`)}>Open</a> }),
  };
}

/** Returns the file URL of a finished export. */
export function fileUrl(
  project: string,
  operation: string,
  kind: "export" | "export_file",
): string {
  const name = kind === "export" ? "snapshot" : "file";
  return `/dashboard/api/projects/${project}/operations/${operation}/${name}`;
}

const OUTCOMES: Readonly<Record<string, readonly [title: string, tone: Tone]>> = {
  success: ["Finished", "good"],
  dead: ["Gave up", "bad"],
  cancelled: ["Cancelled", "plain"],
};

function timelineEntries(operation: Operation): TimelineEntry[] {
  const { status, error, attempts, completed_at, next_attempt_at } = operation;
  const entries = attemptEntries(operation, {
    startTitle: attempts > 1 ? `Attempt ${attempts} started` : "Started",
    isFinal: status === "dead",
    ...(error?.retryable === false ? { errorNote: "Retrying will not help." } : {}),
  });
  const end = OUTCOMES[status];
  if (end !== undefined) {
    entries.push({ key: "end", at: completed_at, title: end[0], tone: end[1] });
  }
  if (status === "retry") {
    entries.push({ key: "next", at: next_attempt_at, title: "Next attempt", tone: "warn" });
  } else if (ACTIVE_STATUSES.has(status)) {
    entries.push({ key: "now", at: null, title: WAITING_TEXTS[status] ?? "Running", tone: "busy" });
  }
  return entries;
}

const WAITING_TEXTS: Readonly<Record<string, string>> = {
  awaiting_upload: "Waiting for the file",
  pending: "Waiting for a worker",
};
