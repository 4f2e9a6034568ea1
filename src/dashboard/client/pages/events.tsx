/**
 * The inference event pages. They show what came out of inferred adds, but never the texts sent.
 */

import type { EventStatus, InferenceEvent } from "../../../events/schema.ts";
import type { Page } from "../api.ts";
import { usePagedList, useResource } from "../hooks.ts";
import { Badge, StatusBadge } from "../parts/data/badge.tsx";
import { Id } from "../parts/feedback/copy_button.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { DetailList } from "../parts/data/detail_list.tsx";
import { SelectField } from "../parts/forms/fields.tsx";
import { formatPlural } from "../parts/data/number_format.ts";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { type Column, LoadingRows, PagedTable } from "../parts/data/table.tsx";
import { Timeline, type TimelineEntry } from "../parts/data/timeline.tsx";
import { formatDuration, Timestamp } from "../parts/data/timestamp.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { navigate } from "../route.ts";
import { attemptEntries, RetryButton, useRetry } from "./attempts.tsx";

const STATUSES: readonly EventStatus[] = [
  "PENDING",
  "RUNNING",
  "RETRYING",
  "SUCCEEDED",
  "FAILED",
];

const COLUMNS: readonly Column<InferenceEvent>[] = [
  { title: "Event", cell: ({ id }) => <code>{id.slice(0, 5)}…{id.slice(-6)}</code> },
  { title: "Status", cell: ({ status }) => <StatusBadge of={status} /> },
  { title: "Outcome", kind: "grow", cell: outcomeText },
  { title: "Scope", optional: true, cell: scopeText },
  {
    title: "Duration",
    kind: "end",
    optional: true,
    cell: ({ latency_ms }) =>
      latency_ms === null ? <span class="faint">–</span> : formatDuration(latency_ms),
  },
  { title: "Created", kind: "end", cell: ({ created_at }) => <Timestamp at={created_at} /> },
];

function outcomeText({ write_summary, error, results }: InferenceEvent): string {
  if (write_summary?.outcome === "NO_MEMORY") return "No lasting facts found";
  if (write_summary !== undefined) {
    const count = formatPlural(results.length, "memory", "memories");
    return results[0] === undefined ? count : `${count}: ${joinTexts(results)}`;
  }
  return error === null ? "" : `${error.code}: ${error.message}`;
}

/** The table clips them to one line. */
function joinTexts(results: InferenceEvent["results"]): string {
  return results.map(({ memory }) => memory).join(" · ");
}

function scopeText({ scope }: InferenceEvent) {
  const { user_id, agent_id, run_id } = scope;
  return [user_id, agent_id, run_id].filter((id) => id !== undefined).join(" · ");
}

export function Events({ query }: PageProps) {
  const project = useProject();
  const status = query.get("status") ?? "";
  const list = usePagedList(
    (cursor, signal) =>
      project.api.get<Page<InferenceEvent>>("/events", { status, cursor }, signal),
    [project.id, status],
    { keyOf: ({ id }) => id, everyMs: 2_000 },
  );
  return (
    <>
      <PageHeader
        title="Events"
        lead="The result of each inferred add, and how long it took."
      />
      <div class="filters">
        <SelectField
          label="Status"
          value={status}
          onChange={(value) => navigate(project.link("/events", { status: value }), "replace")}
          options={[
            ["", "Any status"],
            ...STATUSES.map((status) => [status, status.toLowerCase()] as const),
          ]}
          hideLabel
        />
      </div>
      <PagedTable
        label="Events"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        href={({ id }) => project.link(`/events/${id}`)}
        empty={status !== ""
          ? (
            <EmptyState icon="search" title="No matching events">
              <a href={project.link("/events")}>Show all events</a>
            </EmptyState>
          )
          : (
            <EmptyState icon="event" title="No inferred adds yet">
              <span>
                Conversations and texts added without <code>"infer": false</code>{" "}
                are read in the background. Lasting facts in them become memories.
              </span>
              <a class="button" href={project.link("/memories/new")}>Add a memory</a>
            </EmptyState>
          )}
      />
    </>
  );
}

export function EventPage({ params }: PageProps) {
  const project = useProject();
  const id = params["id"]!;
  const loaded = useResource(
    (signal) => project.api.get<InferenceEvent>(`/events/${encodeURIComponent(id)}`, {}, signal),
    [project.id, id],
    1_500,
  );
  const retry = useRetry(id, loaded.reload);
  const event = loaded.value;
  const { user_id, agent_id, run_id } = event?.scope ?? {};
  return (
    <>
      <PageHeader title="Event" back={{ href: project.link("/events"), title: "Events" }}>
        {event && (event.status === "RETRYING" || event.status === "FAILED") && (
          <RetryButton retry={retry} />
        )}
      </PageHeader>
      <ErrorMessage failure={retry.failure ?? loaded.failure} />
      {event === undefined ? loaded.failure === undefined && <LoadingRows /> : (
        <>
          <div class="card">
            <DetailList
              of={Object.entries({
                Status: <StatusBadge of={event.status} />,
                Attempts: `${event.attempts} of ${event.max_attempts}`,
                Duration: event.latency_ms === null ? null : formatDuration(event.latency_ms),
                Created: <Timestamp at={event.created_at} as="moment" />,
                User: user_id,
                Agent: agent_id,
                Run: run_id,
                ID: <Id of={event.id} />,
              })}
            />
          </div>
          <Section title="Timeline" card>
            <Timeline label="Timeline" exact entries={timelineEntries(event)} />
          </Section>
          {event.warnings?.map(({ reason, messages }) => (
            <p key={reason} class="verdict bad">
              <Badge tone="warn">{reason.toLowerCase()}</Badge>{" "}
              {messages.length === 1 ? "Message" : "Messages"}{" "}
              {messages.map((message) => message + 1).join(", ")} couldn't be read.
            </p>
          ))}
          {event.write_summary && <Results event={event} link={project.link} />}
        </>
      )}
    </>
  );
}

function Results({ event, link }: { event: InferenceEvent; link: (path: string) => string }) {
  return (
    <Section title="Results">
      {event.results.length === 0
        ? (
          <EmptyState icon="memory" title="No memories">
            The text contains no lasting facts, or all of them were already known.
          </EmptyState>
        )
        : (
          <ul class="card results">
            {event.results.map(({ id, memory, event: type }) => (
              <li key={`${id} ${type}`}>
                <Badge tone={type === "ADD" ? "good" : "plain"}>{type.toLowerCase()}</Badge>
                <a href={link(`/memories/${id}`)}>{memory}</a>
              </li>
            ))}
          </ul>
        )}
    </Section>
  );
}

function timelineEntries(event: InferenceEvent): TimelineEntry[] {
  const { status, completed_at } = event;
  const entries = attemptEntries(event, { startTitle: "Started", isFinal: status === "FAILED" });
  if (completed_at !== null) {
    const done = status === "SUCCEEDED";
    entries.push({
      key: "end",
      at: completed_at,
      title: done ? "Memories written" : "Gave up",
      tone: done ? "good" : "bad",
    });
  }
  return entries;
}
