/** Purges projects, i.e. deletes all of their data in steps that pick up again after a restart. */

import sql, { raw } from "sql-template-tag";
import { z } from "zod";
import type { AppContext } from "../contract/app_context.ts";
import type { Tx } from "../store/store.ts";
import { enqueueTask } from "../tasks/enqueue.ts";
import type { TaskContext, TaskHandler } from "../tasks/handler.ts";
import { HOUR_MS } from "../kernel/clock.ts";
import { type MaintenanceJob, NO_PROJECT } from "../tasks/maintenance.ts";
import { taskHandler, taskType } from "../tasks/task_type.ts";

/** Maximum number of rows deleted per unit of work. */
const BATCH_ROWS = 200;

/** Deletes up to `count` records of one kind and returns the number found. */
export interface PurgeStep {
  readonly name: string;
  run(tx: Tx, project: number, count: number): Promise<number>;
  /**
   * Overwrites some of what deleted rows leave behind in an index. See {@linkcode
   * TextIndex.mergeStep}.
   */
  compact?(tx: Tx, first: boolean): Promise<boolean>;
  /** Deletes the files of deleted rows. */
  deleteFiles?(project: number): Promise<void>;
}

const PURGE = taskType({
  kind: "purge",
  payload: z.object({ project: z.int(), project_id: z.string() }),
  concurrency: 1,
  // The next attempt picks up where this one stopped.
  timeLimitMs: HOUR_MS,
  resumable: true,
});

/** Tables whose rows just need deleting, with the columns that identify a row within a project. */
const SIMPLE_TABLES: readonly (readonly [table: string, key: string])[] = [
  ["memory_history", "seq"],
  ["memory_feedback", "memory_id"],
  ["memory_access", "memory_id"],
  ["memory_claims", "memory_id, position"],
  ["memory_sources", "memory_id, operation_id"],
  ["memory_tellings", "memory_id, operation_id"],
  ["unread_texts", "record_id, position"],
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
  ["connection_tokens", "connection_id, hash"],
  ["connections", "id"],
  ["audit_log", "seq"],
];

/**
 * Creates a handler that purges projects marked as deleted.
 *
 * @param steps run in this order, for modules that store more than plain rows
 */
export function purgeHandler(appContext: AppContext, steps: readonly PurgeStep[]): TaskHandler {
  const { store, blobs } = appContext;
  return taskHandler(PURGE, {
    owner: ({ project }) => project,
    async run(context, { project, project_id }) {
      // Tasks go first: without them, nothing writes to the project any more.
      const allSteps = [
        tableStep("tasks", "seq"),
        ...steps,
        ...SIMPLE_TABLES.map(([table, key]) => tableStep(table, key)),
      ];
      let removed = 0;
      for (const step of allSteps) removed += await runStep(context, step, project);
      for (;;) {
        context.advance();
        const files = await context.commit((tx) => unlinkBlobBatch(tx, project));
        if (files.length === 0) break;
        await blobs.deleteUnreferenced(store, files);
      }
      for (const step of steps) await step.deleteFiles?.(project);
      for (const step of steps) await compact(context, step);
      await store.erase();
      return async (tx) => {
        await tx.run(sql`delete from projects where number = ${project}`);
        return { result: { project_id, records: removed } };
      };
    },
  });
}

/** Queues the purge of a project marked as deleted. Returns the id of its task. */
export function enqueuePurge(
  tx: Tx,
  appContext: AppContext,
  { number, id }: { readonly number: number; readonly id: string },
): Promise<string> {
  const payload = { project: number, project_id: id };
  return enqueueTask(tx, appContext, NO_PROJECT, { type: PURGE, payload });
}

/**
 * Returns the maintenance job that queues purges again whose last attempt failed, e.g. because the
 * files couldn't be reached.
 */
export function failedPurgesJob(appContext: AppContext): MaintenanceJob {
  return {
    name: "failed_purges",
    run: (context) =>
      context.commit(async (tx) => {
        const projects = await tx.all<{ number: number; id: string }>(sql`select number, id
          from projects where deleted_at is not null and not exists (select 1 from tasks
            where project = ${NO_PROJECT} and kind = 'purge'
              and status in ('pending', 'retry', 'processing')
              and payload like '%"' || projects.id || '"%')`);
        for (const project of projects) await enqueuePurge(tx, appContext, project);
        return projects.length;
      }),
  };
}

async function runStep(context: TaskContext, step: PurgeStep, project: number): Promise<number> {
  for (let removed = 0;;) {
    context.signal.throwIfAborted();
    const found = await context.commit(async (tx) => {
      const count = await step.run(tx, project, BATCH_ROWS);
      // An attempt that has deleted nothing hasn't advanced.
      if (count > 0) await context.saveProgress(tx, step.name);
      return count;
    });
    if (found === 0) return removed;
    removed += found;
  }
}

async function compact(context: TaskContext, { compact }: PurgeStep): Promise<void> {
  if (compact === undefined) return;
  for (let first = true; await context.commit((tx) => compact(tx, first)); first = false) {
    context.advance();
  }
}

/**
 * Returns a step that deletes rows from a table. Names come from the code, never from a request.
 */
export function tableStep(table: string, key: string): PurgeStep {
  // We look up row numbers directly, since an index on the project would be read from the start
  // each time.
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
