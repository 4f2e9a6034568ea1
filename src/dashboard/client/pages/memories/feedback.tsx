/** A memory's rating, with controls to set or remove it. */

import { useState } from "preact/hooks";
import type { Feedback } from "../../../../memories/schema.ts";
import { useCommand, useMutation, useResource } from "../../hooks.ts";
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
  const path = `/memories/${encodeURIComponent(id)}/feedback`;
  const [chosen, setChosen] = useState<Feedback["rating"]>();
  const [reason, setReason] = useState("");
  const current = useResource(
    (signal) => api.get<{ feedback: Feedback | null }>(path, {}, signal),
    [api.id, id],
  );
  const onSaved = () => {
    setChosen(undefined);
    setReason("");
    current.reload();
    onChanged();
  };
  const command = useCommand();
  const rate = useMutation(async (rating: Feedback["rating"]) => {
    const body = { rating, ...(reason.trim() === "" ? {} : { reason }) };
    await api.call("POST", path, { body, command });
    onSaved();
  });
  const clear = useMutation(async () => {
    await api.call("DELETE", path, { command });
    onSaved();
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
        if (chosen !== undefined) rate.run(chosen);
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
            label="Reason (optional)"
            lines={2}
            value={reason}
            onChange={setReason}
            autoFocus
          />
          <button type="submit" class="button primary" disabled={rate.running}>Save rating</button>
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
            Remove rating
          </button>
        </p>
      )}
      {feedback === null && chosen === undefined && (
        <p class="hint">The rating is stored with the memory. It does not affect search results.</p>
      )}
      <ErrorMessage failure={rate.failure ?? clear.failure} />
    </form>
  );
}
