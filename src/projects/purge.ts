/** Purging a project: everything it held goes, in steps that a restart goes on with. */

import sql, { raw } from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import type { Tx } from "../store/store.ts";
import type { TaskContext, TaskHandler } from "../tasks/handler.ts";

/** Rows removed in one unit of work. */
const BATCH_ROWS = 200;

/** How long one attempt may take; the next one goes on where it stopped. */
const TIME_LIMIT_MS = 60 * 60_000;

/** Removes up to so many records of one kind of a project; answers how many it found. */
export interface PurgeStep {
  readonly name: string;
  run(tx: Tx, project: number, count: number): Promise<number>;
  /** Clears away some of what removed rows leave in an index, as `TextIndex.purgeSome` does. */
  compact?(tx: Tx, first: boolean): Promise<boolean>;
  /** Removes what removed rows leave on the disk. */
  deleteFiles?(): Promise<void>;
}

/** The command of a purge. */
export interface PurgePayload {
  readonly project: number;
  readonly project_id: string;
}

/** Tables whose rows need no more than being deleted, with what tells their rows apart. */
const SIMPLE_TABLES: readonly (readonly [table: string, key: string])[] = [
  ["memory_history", "seq"],
  ["memory_feedback", "memory_id"],
  ["memory_access", "memory_id"],
  ["memory_claims", "memory_id, position"],
  ["memory_sources", "memory_id, operation_id"],
  ["memory_tellings", "memory_id, operation_id"],
  ["derived_progress", "project"],
  ["journal", "seq"],
  ["activity", "hour, kind"],
  ["idempotency", "key"],
  ["import_deletions", "kind, name"],
  ["scope_totals", "type, id"],
  ["document_totals", "project"],
  ["credit_entries", "seq"],
  ["credit_accounts", "project"],
  ["webhooks", "id"],
  ["api_keys", "id"],
];

/**
 * Purges projects that are marked as deleted.
 *
 * @param steps of slices that keep more than plain rows, in the order in which they must run
 */
export function purgeHandler(appContext: AppContext, steps: readonly PurgeStep[]): TaskHandler {
  const { store, blobs } = appContext;
  return {
    kind: "purge",
    concurrency: 1,
    timeLimitMs: TIME_LIMIT_MS,
    resumable: true,
    async run(context) {
      const { project, project_id } = context.task.payload as PurgePayload;
      // Tasks first: once they are gone nothing writes for the project any more.
      const all = [
        tableStep("tasks", "seq"),
        ...steps,
        ...SIMPLE_TABLES.map((each) => tableStep(...each)),
      ];
      let removed = 0;
      for (const step of all) removed += await runStep(context, step, project);
      for (;;) {
        context.signal.throwIfAborted();
        const files = await context.commit((tx) => unlinkBlobBatch(tx, project));
        if (files.length === 0) break;
        await blobs.deleteUnreferenced(store, files);
      }
      for (const step of steps) await step.deleteFiles?.();
      for (const step of steps) await compact(context, step);
      await store.checkpoint();
      return async (tx) => {
        await tx.run(sql`delete from projects where number = ${project}`);
        return { result: { project_id, records: removed } };
      };
    },
  };
}

async function runStep(context: TaskContext, step: PurgeStep, project: number): Promise<number> {
  for (let removed = 0;;) {
    context.signal.throwIfAborted();
    const found = await context.commit(async (tx) => {
      const count = await step.run(tx, project, BATCH_ROWS);
      await context.saveProgress(tx, step.name);
      return count;
    });
    if (found === 0) return removed;
    removed += found;
  }
}

async function compact(context: TaskContext, { compact }: PurgeStep): Promise<void> {
  if (compact === undefined) return;
  for (let first = true; await context.commit((tx) => compact(tx, first)); first = false) {
    context.signal.throwIfAborted();
  }
}

/** A step that deletes the rows of a table. Names come from the code, never from a request. */
export function tableStep(table: string, key: string): PurgeStep {
  // Numbers are found by themselves: an index of the project would be read from its beginning each time.
  const owned = key === "seq" ? raw("+project") : raw("project");
  return {
    name: table,
    run: (tx, project, count) =>
      tx.run(sql`delete from ${raw(table)} where ${owned} = ${project} and (${raw(key)}) in
        (select ${raw(key)} from ${raw(table)} where project = ${project} limit ${count})`),
  };
}

async function unlinkBlobBatch(tx: Tx, project: number): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>(sql`delete from blob_names
    where project = ${project} and (owner, hash) in
      (select owner, hash from blob_names where project = ${project} limit ${BATCH_ROWS})
    returning hash`);
  return rows.map((row) => row.hash);
}
