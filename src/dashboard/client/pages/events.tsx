/** Inferred adds: what was made of what was sent, never what was sent. */

import type { EventStatus, InferenceEvent } from "../../../events/schema.ts";
import type { Page } from "../api.ts";
import { useCommand, useLoaded, usePaged } from "../live.ts";
import { Badge, Status } from "../parts/badge.tsx";
import { Id } from "../parts/copy.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { SelectField } from "../parts/fields.tsx";
import { plural } from "../parts/figures.ts";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { type Column, PagedTable, Waiting } from "../parts/table.tsx";
import { type Moment, Timeline } from "../parts/timeline.tsx";
import { useToast } from "../parts/toast.tsx";
import { duration, When } from "../parts/when.tsx";
import type { PageProps } from "../pages.ts";
import { useProject } from "../project.ts";
import { go } from "../route.ts";

const STATUSES: readonly EventStatus[] = [
  "PENDING",
  "RUNNING",
  "RETRYING",
  "SUCCEEDED",
  "FAILED",
];

const COLUMNS: readonly Column<InferenceEvent>[] = [
  { title: "Event", cell: ({ id }) => <code>{id.slice(0, 5)}…{id.slice(-6)}</code> },
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Outcome", kind: "grow", cell: outcomeOf },
  { title: "Scope", optional: true, cell: scopeOf },
  {
    title: "Took",
    kind: "end",
    optional: true,
    cell: ({ latency_ms }) =>
      latency_ms === null ? <span class="faint">–</span> : duration(latency_ms),
  },
  { title: "Created", kind: "end", cell: ({ created_at }) => <When at={created_at} /> },
];

function outcomeOf({ write_summary, error, results }: InferenceEvent): string {
  if (write_summary?.outcome === "NO_MEMORY") return "Nothing worth keeping was found";
  if (write_summary !== undefined) return plural(results.length, "memory", "memories");
  return error === null ? "" : `${error.code}: ${error.message}`;
}

function scopeOf({ scope }: InferenceEvent) {
  const { user_id, agent_id, run_id } = scope;
  return [user_id, agent_id, run_id].filter((id) => id !== undefined).join(" · ");
}

export function Events({ query }: PageProps) {
  const place = useProject();
  const status = query.get("status") ?? "";
  const list = usePaged(
    (cursor, signal) => place.api.get<Page<InferenceEvent>>("/events", { status, cursor }, signal),
    [place.id, status],
    { keyOf: ({ id }) => id, everyMs: 2_000 },
  );
  return (
    <>
      <PageHead
        title="Events"
        lead="One for each inferred add: what was made of it, and how long that took."
      />
      <div class="filters">
        <SelectField
          label="Status"
          value={status}
          change={(value) => go(place.link("/events", { status: value }), "replace")}
          options={[
            ["", "Any status"],
            ...STATUSES.map((each) => [each, each.toLowerCase()] as const),
          ]}
          quiet
        />
      </div>
      <PagedTable
        label="Events"
        list={list}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        href={({ id }) => place.link(`/events/${id}`)}
        empty={status !== ""
          ? (
            <Empty icon="search" title="Nothing fits">
              <a href={place.link("/events")}>Show all events</a>
            </Empty>
          )
          : (
            <Empty icon="event" title="No inferred adds yet">
              <span>
                A conversation or a text that is added without <code>"infer": false</code>{" "}
                is read in the background, and what is worth keeping becomes memories.
              </span>
              <a class="button" href={place.link("/memories/new")}>Add a memory</a>
            </Empty>
          )}
      />
    </>
  );
}

export function EventPage({ params }: PageProps) {
  const place = useProject();
  const tell = useToast();
  const id = params["id"]!;
  const loaded = useLoaded(
    (signal) => place.api.get<InferenceEvent>(`/events/${encodeURIComponent(id)}`, {}, signal),
    [place.id, id],
    1_500,
  );
  const retry = useCommand(async () => {
    await place.api.call("POST", `/operations/${encodeURIComponent(id)}/retry`);
    tell("Queued for another attempt");
    loaded.reload();
  });
  const event = loaded.value;
  const { user_id, agent_id, run_id } = event?.scope ?? {};
  return (
    <>
      <PageHead title="Event" back={{ href: place.link("/events"), title: "Events" }}>
        {event && (event.status === "RETRYING" || event.status === "FAILED") && (
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
      </PageHead>
      <Problem failure={retry.failure ?? loaded.failure} />
      {event === undefined ? loaded.failure === undefined && <Waiting /> : (
        <>
          <div class="card">
            <Facts
              of={Object.entries({
                Status: <Status of={event.status} />,
                Attempts: `${event.attempts} of ${event.max_attempts}`,
                Took: event.latency_ms === null ? null : duration(event.latency_ms),
                Created: <When at={event.created_at} as="moment" />,
                User: user_id,
                Agent: agent_id,
                Run: run_id,
                Id: <Id of={event.id} />,
              })}
            />
          </div>
          <Section title="What happened" card>
            <Timeline label="What happened" exact moments={momentsOf(event)} />
          </Section>
          {event.write_summary && <Results event={event} link={place.link} />}
        </>
      )}
    </>
  );
}

function Results({ event, link }: { event: InferenceEvent; link: (path: string) => string }) {
  return (
    <Section title="What was kept">
      {event.results.length === 0
        ? (
          <Empty icon="memory" title="Nothing">
            The text held no fact that is worth keeping, or all of it was known already.
          </Empty>
        )
        : (
          <ul class="card results">
            {event.results.map(({ id, memory, event: what }) => (
              <li key={`${id} ${what}`}>
                <Badge tone={what === "ADD" ? "good" : "plain"}>{what.toLowerCase()}</Badge>
                <a href={link(`/memories/${id}`)}>{memory}</a>
              </li>
            ))}
          </ul>
        )}
    </Section>
  );
}

function momentsOf(event: InferenceEvent): Moment[] {
  const { status, error, created_at, started_at, completed_at } = event;
  const moments: Moment[] = [{ key: "created", at: created_at, title: "Accepted, and on disk" }];
  if (started_at !== null) {
    moments.push({ key: "started", at: started_at, title: "Reading began", tone: "busy" });
  }
  if (error !== null) {
    moments.push({
      key: "error",
      at: error.occurred_at,
      title: `Attempt ${error.attempt} failed`,
      tone: status === "FAILED" ? "bad" : "warn",
      body: (
        <>
          {error.message} <code>{error.code}</code>
        </>
      ),
    });
  }
  moments.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
  if (completed_at !== null) {
    const done = status === "SUCCEEDED";
    moments.push({
      key: "end",
      at: completed_at,
      title: done ? "Memories written" : "Given up",
      tone: done ? "good" : "bad",
    });
  }
  return moments;
}
