/**
 * Task handlers of the hosted variant. They settle reserved credits and record the outcome in the
 * journal.
 */

import { type Clock, timestamp } from "../kernel/clock.ts";
import { appendJournal } from "../store/journal.ts";
import type { Tx } from "../store/store.ts";
import {
  type DisposableFinalizer,
  type Finalizer,
  isDisposableFinalizer,
  type Task,
  type TaskContext,
  type TaskHandler,
  type TaskResult,
} from "../tasks/handler.ts";
import { CLIENT_KINDS, type TaskStatus } from "../tasks/states.ts";
import type { Ledger } from "./ledger.ts";
import { chunksIdentity, CREDITS_PER_CHUNK, extractionIdentity } from "./prices.ts";

/** Returns the identity of a task's reservation, keyed by task kind. */
const RESERVATION_IDENTITIES: Readonly<Record<string, (task: Task) => string>> = {
  memory_infer: ({ id }) => id,
  document_extract: ({ id }) => extractionIdentity(id),
};

/** Final statuses that refund the reserved credits. */
const REFUNDED_STATUSES: readonly TaskStatus[] = ["dead", "cancelled"];

/** Wraps the self-hosted handler for the hosted variant. */
export function hostedHandler(handler: TaskHandler, ledger: Ledger, clock: Clock): TaskHandler {
  const identityOf = RESERVATION_IDENTITIES[handler.kind];
  const onStatusChange: TaskHandler["onStatusChange"] = async (tx, task, status, error) => {
    await handler.onStatusChange?.(tx, task, status, error);
    journalOutcome(tx, clock, task, status);
    if (identityOf === undefined) return;
    const use = { project: task.project, identity: identityOf(task) };
    if (status === "success") await ledger.settle(tx, use);
    if (REFUNDED_STATUSES.includes(status)) await ledger.refund(tx, use);
  };
  const run = handler.kind === "document_extract"
    ? (context: TaskContext) => runExtraction(handler, ledger, context)
    : (context: TaskContext) => handler.run(context);
  return { ...handler, run, onStatusChange };
}

/** Runs an extraction. It's charged as soon as the artifact exists, even if a later step fails. */
async function runExtraction(
  handler: TaskHandler,
  ledger: Ledger,
  context: TaskContext,
): Promise<TaskResult | Finalizer | DisposableFinalizer> {
  const { project, id } = context.task;
  const step = await handler.run({
    ...context,
    // Progress is saved if and only if the artifact exists.
    async saveProgress(tx, progress) {
      await ledger.settle(tx, { project, identity: extractionIdentity(id) });
      await context.saveProgress(tx, progress);
    },
  });
  if (!isDisposableFinalizer(step)) return step;
  return {
    dispose: () => step.dispose(),
    async finalize(tx) {
      const result = await step.finalize(tx);
      const { created, chunks } = result.result as { created?: boolean; chunks?: number };
      const amount = created === true ? CREDITS_PER_CHUNK * (chunks ?? 0) : 0;
      // The document already exists, so it has to be paid for even with no credits left.
      await ledger.charge(tx, { project, identity: chunksIdentity(id), amount }, true);
      return result;
    },
  };
}

/** Records a task's outcome in the journal, where webhooks pick it up. */
function journalOutcome(tx: Tx, clock: Clock, task: Task, status: TaskStatus): void {
  const isEvent = task.kind === "memory_infer";
  const isOperation = (CLIENT_KINDS as readonly string[]).includes(task.kind);
  if ((status !== "success" && status !== "dead") || !(isEvent || isOperation)) return;
  appendJournal(tx, task.project, {
    kind: isEvent ? "event" : "operation",
    recordId: task.id,
    change: status === "success" ? "SUCCESS" : "DEAD",
    at: timestamp(clock.now()),
  });
}
