/** What came of an added text: the memories it became, and how inference got there. */

import { useEffect, useState } from "preact/hooks";
import type { InferenceEvent } from "../../../../events/schema.ts";
import type { WriteResult } from "../../../../memories/schema.ts";
import { useLoaded } from "../../live.ts";
import { Badge, Status, type Tone } from "../../parts/badge.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Section } from "../../parts/section.tsx";
import { Waiting } from "../../parts/table.tsx";
import { useProject } from "../../project.ts";

const LOOK_AGAIN_MS = 500;

/** The results of a verbatim add. */
export function Stored({ results }: { readonly results: readonly WriteResult[] }) {
  return (
    <Section title="Stored" card>
      <Results of={results} />
    </Section>
  );
}

/** An inferred add, watched until it has ended. */
export function Inferred({ eventId }: { readonly eventId: string }) {
  const { api, link } = useProject();
  const [over, setOver] = useState(false);
  const event = useLoaded(
    (signal) => api.get<InferenceEvent>(`/events/${eventId}`, {}, signal),
    [api.id, eventId],
    over ? undefined : LOOK_AGAIN_MS,
  );
  const status = event.value?.status;
  useEffect(() => setOver(status === "SUCCEEDED" || status === "FAILED"), [status]);
  if (event.value === undefined) {
    return event.failure === undefined
      ? <Waiting lines={1} />
      : <Problem failure={event.failure} retry={event.reload} />;
  }
  const { results, write_summary, error } = event.value;
  return (
    <Section
      title={
        <>
          What inference found <Status of={event.value.status} />
        </>
      }
      card
    >
      <div role="status">
        {!over && <p>Reading the text. This takes a moment.</p>}
        {error !== null && (
          <p>
            <code>{error.code}</code> {error.message}. {over
              ? "Nothing was stored."
              : `Attempt ${event.value.attempts} of ${event.value.max_attempts} failed; it goes on by itself.`}
          </p>
        )}
        {write_summary?.outcome === "NO_MEMORY" && (
          <p>
            Nothing to keep. Questions, small talk and what may change in an hour are left out, and
            so is what is known already. To keep the text as it is, choose “Keep it word for word”.
          </p>
        )}
        <Results of={results} />
        <p class="hint">
          How it went is told by <a href={link(`/events/${eventId}`)}>its event</a>.
        </p>
      </div>
    </Section>
  );
}

const EVENTS: Readonly<Record<WriteResult["event"], readonly [Tone, string]>> = {
  ADD: ["good", "Added"],
  UPDATE: ["busy", "Enriched"],
  INVALIDATE: ["warn", "Ended"],
  DELETE: ["bad", "Deleted"],
};

function Results({ of }: { readonly of: readonly WriteResult[] }) {
  const { link } = useProject();
  return (
    <ul class="outcome">
      {of.map(({ id, memory, event }) => {
        const [tone, word] = EVENTS[event];
        return (
          <li key={`${id} ${event}`}>
            <Badge tone={tone}>{word}</Badge>{" "}
            <a href={link(`/memories/${id}`)} dir="auto">{memory}</a>
          </li>
        );
      })}
    </ul>
  );
}
