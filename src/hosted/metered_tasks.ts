/** Tasks that settle what was set aside for them, and tell the journal how they ended. */

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

/** The identity that work was set aside under, by the kind of its task. */
const RESERVATION_IDENTITIES: Readonly<Record<string, (task: Task) => string>> = {
  memory_infer: ({ id }) => id,
  document_extract: ({ id }) => extractionIdentity(id),
};

/** Ends of a task for which what was set aside is given back. */
const REFUNDED_STATUSES: readonly TaskStatus[] = ["dead", "cancelled"];

/** Makes the handler of the hosted variant from that of the self-hosted one. */
export function hostedHandler(handler: TaskHandler, ledger: Ledger, clock: Clock): TaskHandler {
  const identityOf = RESERVATION_IDENTITIES[handler.kind];
  const onStatusChange: TaskHandler["onStatusChange"] = async (tx, task, status, error) => {
    await handler.onStatusChange?.(tx, task, status, error);
    await journalOutcome(tx, clock, task, status);
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

/** The extraction is paid once its artifact is there, whatever comes after. */
async function runExtraction(
  handler: TaskHandler,
  ledger: Ledger,
  context: TaskContext,
): Promise<TaskResult | Finalizer | DisposableFinalizer> {
  const { task, signal } = context;
  const { project, id } = task;
  const step = await handler.run({
    task,
    signal,
    commit: (work) => context.commit(work),
    // What an extraction saves is that its artifact exists.
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
      // The document is there: what it costs is owed, even where nothing is left.
      await ledger.charge(tx, { project, identity: chunksIdentity(id), amount }, true);
      return result;
    },
  };
}

/** Ends that webhooks tell of. */
async function journalOutcome(tx: Tx, clock: Clock, task: Task, status: TaskStatus): Promise<void> {
  const isEvent = task.kind === "memory_infer";
  const isOperation = (CLIENT_KINDS as readonly string[]).includes(task.kind);
  if ((status !== "success" && status !== "dead") || !(isEvent || isOperation)) return;
  await appendJournal(tx, task.project, {
    kind: isEvent ? "event" : "operation",
    recordId: task.id,
    change: status === "success" ? "SUCCESS" : "DEAD",
    at: timestamp(clock.now()),
  });
}
