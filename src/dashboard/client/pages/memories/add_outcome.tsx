/** The outcome of an add: which memories were stored, and how far inference has got. */

import { useEffect, useState } from "preact/hooks";
import type { InferenceEvent } from "../../../../events/schema.ts";
import type { WriteResult } from "../../../../memories/schema.ts";
import { useResource } from "../../hooks.ts";
import { Badge, StatusBadge, type Tone } from "../../parts/data/badge.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { useProject } from "../../project.ts";

const POLL_INTERVAL_MS = 500;

/** Renders the results of a verbatim add. */
export function StoredMemories({ results }: { readonly results: readonly WriteResult[] }) {
  return (
    <Section title="Stored" card>
      <Results of={results} />
    </Section>
  );
}

/** Renders the result of an inferred add, polling until it's finished. */
export function InferenceOutcome({ eventId }: { readonly eventId: string }) {
  const { api, link } = useProject();
  const [ended, setEnded] = useState(false);
  const event = useResource(
    (signal) => api.get<InferenceEvent>(`/events/${eventId}`, {}, signal),
    [api.id, eventId],
    ended ? undefined : POLL_INTERVAL_MS,
  );
  const status = event.value?.status;
  useEffect(() => setEnded(status === "SUCCEEDED" || status === "FAILED"), [status]);
  if (event.value === undefined) {
    return event.failure === undefined
      ? <LoadingRows lines={1} />
      : <ErrorMessage failure={event.failure} onRetry={event.reload} />;
  }
  const { results, write_summary, error } = event.value;
  return (
    <Section
      title={
        <>
          Inference result <StatusBadge of={event.value.status} />
        </>
      }
      card
    >
      <div role="status">
        {!ended && <p>Reading the text. This takes a moment.</p>}
        {error !== null && (
          <p>
            <code>{error.code}</code> {error.message}. {ended
              ? "Nothing was stored."
              : `Attempt ${event.value.attempts} of ${event.value.max_attempts} failed; it is retried automatically.`}
          </p>
        )}
        {write_summary?.outcome === "NO_MEMORY" && (
          <p>
            No memories. Questions, small talk, short-lived details and facts that are already known
            are left out. To store the text unchanged, choose “Keep it word for word”.
          </p>
        )}
        <Results of={results} />
        <p class="hint">
          See <a href={link(`/events/${eventId}`)}>the event</a> for details.
        </p>
      </div>
    </Section>
  );
}

const EVENT_BADGES: Readonly<Record<WriteResult["event"], readonly [Tone, string]>> = {
  ADD: ["good", "Added"],
  UPDATE: ["busy", "Updated"],
  INVALIDATE: ["warn", "Ended"],
  DELETE: ["bad", "Deleted"],
};

function Results({ of }: { readonly of: readonly WriteResult[] }) {
  const { link } = useProject();
  return (
    <ul class="outcome">
      {of.map(({ id, memory, event }) => {
        const [tone, name] = EVENT_BADGES[event];
        return (
          <li key={`${id} ${event}`}>
            <Badge tone={tone}>{name}</Badge>{" "}
            <a href={link(`/memories/${id}`)} dir="auto">{memory}</a>
          </li>
        );
      })}
    </ul>
  );
}
