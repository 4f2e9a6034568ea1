/** What people think of a memory: shown, given and taken back. */

import { useState } from "preact/hooks";
import type { Feedback } from "../../../../memories/schema.ts";
import { idempotencyKey } from "../../api.ts";
import { useMutation, useResource } from "../../hooks.ts";
import { TextField } from "../../parts/forms/fields.tsx";
import { ErrorMessage } from "../../parts/feedback/error_message.tsx";
import { LoadingRows } from "../../parts/data/table.tsx";
import { Timestamp } from "../../parts/data/timestamp.tsx";
import { useProject } from "../../project.ts";

const RATINGS: readonly (readonly [Feedback["rating"], string])[] = [
  ["positive", "Useful"],
  ["negative", "Not useful"],
  ["very_negative", "Wrong or harmful"],
];

export interface MemoryFeedbackProps {
  readonly id: string;
  readonly onChanged: () => void;
}

export function MemoryFeedback({ id, onChanged }: MemoryFeedbackProps) {
  const { api } = useProject();
  const place = `/memories/${encodeURIComponent(id)}/feedback`;
  const [chosen, setChosen] = useState<Feedback["rating"]>();
  const [reason, setReason] = useState("");
  const current = useResource(
    (signal) => api.get<{ feedback: Feedback | null }>(place, {}, signal),
    [api.id, id],
  );
  const told = () => {
    setChosen(undefined);
    setReason("");
    current.reload();
    onChanged();
  };
  const give = useMutation(async (rating: Feedback["rating"]) => {
    const body = { rating, ...(reason.trim() === "" ? {} : { reason }) };
    await api.call("POST", place, { body, headers: idempotencyKey() });
    told();
  });
  const clear = useMutation(async () => {
    await api.call("DELETE", place, { headers: idempotencyKey() });
    told();
  });
  if (current.value === undefined) {
    return current.failure === undefined
      ? <LoadingRows lines={1} />
      : <ErrorMessage failure={current.failure} onRetry={current.reload} />;
  }
  const { feedback } = current.value;
  const shown = chosen ?? feedback?.rating;
  return (
    <form
      class="feedback"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== undefined) give.run(chosen);
      }}
    >
      <div class="feedback-choice" role="group" aria-label="Rating">
        {RATINGS.map(([rating, name]) => (
          <button
            key={rating}
            type="button"
            class={`button small rating-${rating}`}
            aria-pressed={shown === rating}
            onClick={() => setChosen(rating)}
          >
            {name}
          </button>
        ))}
      </div>
      {chosen !== undefined && (
        <>
          <TextField
            label="Why? (if you like)"
            lines={2}
            value={reason}
            onChange={setReason}
            autoFocus
          />
          <button type="submit" class="button primary" disabled={give.running}>Rate it</button>
        </>
      )}
      {feedback !== null && chosen === undefined && (
        <p class="hint">
          Rated <Timestamp at={feedback.created_at} />
          {feedback.reason !== null && (
            <>
              : “<bdi>{feedback.reason}</bdi>”
            </>
          )}{" "}
          <button type="button" class="link-button" onClick={() => clear.run()}>
            Take it back
          </button>
        </p>
      )}
      {feedback === null && chosen === undefined && (
        <p class="hint">A rating is kept with the memory; it doesn't change how it ranks.</p>
      )}
      <ErrorMessage failure={give.failure ?? clear.failure} />
    </form>
  );
}
