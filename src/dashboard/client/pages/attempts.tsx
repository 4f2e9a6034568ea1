/** What the pages of events and operations share: the timeline of attempts, and another attempt. */

import type { Operation } from "../../../operations/schema.ts";
import { type Mutation, useMutation } from "../hooks.ts";
import type { TimelineEntry } from "../parts/data/timeline.tsx";
import { useToast } from "../parts/feedback/toast.tsx";
import { Icon } from "../parts/layout/icon.tsx";
import { useProject } from "../project.ts";

/** Returns the command that retries an operation. */
export function useRetry(id: string, onDone: () => void): Mutation<[]> {
  const { api } = useProject();
  const showToast = useToast();
  return useMutation(async () => {
    await api.call("POST", `/operations/${encodeURIComponent(id)}/retry`);
    showToast("Queued for retry");
    onDone();
  });
}

export function RetryButton({ retry }: { readonly retry: Mutation<[]> }) {
  return (
    <button type="button" class="button" disabled={retry.running} onClick={() => retry.run()}>
      <Icon name="retry" />
      Retry now
    </button>
  );
}

type Attempted = Pick<Operation, "created_at" | "started_at" | "error">;

interface AttemptLabels {
  readonly startTitle: string;
  readonly isFinal: boolean;
  /** A sentence that follows the error. */
  readonly errorNote?: string;
}

/** Returns when work was accepted, started and failed last, in order. */
export function attemptEntries(
  { created_at, started_at, error }: Attempted,
  { startTitle, isFinal, errorNote = "" }: AttemptLabels,
): TimelineEntry[] {
  const entries: TimelineEntry[] = [{
    key: "created",
    at: created_at,
    title: "Accepted and saved",
  }];
  if (started_at !== null) {
    entries.push({ key: "started", at: started_at, title: startTitle, tone: "busy" });
  }
  if (error !== null) {
    entries.push({
      key: "error",
      at: error.occurred_at,
      title: `Attempt ${error.attempt} failed`,
      tone: isFinal ? "bad" : "warn",
      body: (
        <>
          {error.message}. {errorNote} <code>{error.code}</code>
        </>
      ),
    });
  }
  return entries.sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!));
}
