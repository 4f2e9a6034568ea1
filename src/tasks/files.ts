/** Deletes the files of operations that no one will ask for: old exports, and imports that failed. */

import sql from "sql-template-tag";
import { type Clock, DAY_MS, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Blobs } from "../store/blobs/blobs.ts";
import { unlinkBlobs } from "../store/blobs/references.ts";
import { abandonImport } from "../store/import_guard.ts";
import type { Store, Tx } from "../store/store.ts";
import type { TaskContext } from "./handler.ts";
import type { MaintenanceJob } from "./maintenance.ts";
import type { TaskQueue } from "./queue.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** Dependencies of the jobs. */
export interface OperationFileDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly queue: TaskQueue;
}

/** Maximum number of tasks per unit of work. */
const BATCH_TASKS = 500;

interface OldTask {
  readonly project: number;
  readonly id: string;
}

/** Returns the maintenance jobs for the files of operations. */
export function operationFileJobs(deps: OperationFileDeps): MaintenanceJob[] {
  // Without its file, an import can't be retried.
  const cancel = (tx: Tx, { project, id }: OldTask) => deps.queue.cancel(tx, project, id, "dead");
  return [
    {
      name: "exported_files",
      run: (context) =>
        removeFiles(deps, context, ["export_file", "success", LIMITS.exportFileDays], deleteResult),
    },
    {
      name: "exported_snapshots",
      run: (context) =>
        removeFiles(deps, context, ["export", "success", LIMITS.exportFileDays], deleteResult),
    },
    {
      name: "failed_imports",
      run: (context) =>
        removeFiles(deps, context, ["import_file", "dead", LIMITS.failedImportDays], cancel),
    },
    {
      name: "failed_snapshot_imports",
      run: (context) =>
        removeFiles(
          deps,
          context,
          ["import", "dead", LIMITS.failedImportDays],
          async (tx, task) => {
            if (!await cancel(tx, task)) return false;
            await abandonImport(tx, task.project, task.id);
            return true;
          },
        ),
    },
  ];
}

/**
 * Ends the use of old tasks' files and deletes these.
 *
 * @param end changes a task so that no one can ask for its files. Returns false if the task isn't
 *   what it was when it was found, e.g. because it's being retried
 */
async function removeFiles(
  { store, clock, blobs }: OperationFileDeps,
  context: TaskContext,
  [kind, status, days]: readonly [TaskKind, TaskStatus, number],
  end: (tx: Tx, task: OldTask) => Promise<boolean>,
): Promise<number> {
  const before = timestamp(clock.now() - days * DAY_MS);
  for (let removed = 0;;) {
    context.signal.throwIfAborted();
    const { ended, hashes, more } = await context.commit(async (tx) => {
      // The projects come first for the index, which begins with them. SQLite would otherwise read
      // all tasks, while requests wait.
      const tasks = await tx.all<OldTask>(sql`select t.project, t.id from projects p
        cross join tasks t on t.project = p.number
        where t.kind = ${kind} and t.status = ${status} and t.created_at < ${before}
          and t.completed_at < ${before}
          and exists (select 1 from blob_names b where b.project = t.project and b.owner = t.id)
        limit ${BATCH_TASKS}`);
      const hashes: string[] = [];
      let ended = 0;
      for (const task of tasks) {
        if (!await end(tx, task)) continue;
        hashes.push(...await unlinkBlobs(tx, task.project, task.id));
        ended++;
      }
      return { ended, hashes, more: tasks.length === BATCH_TASKS };
    });
    await blobs.deleteUnreferenced(store, hashes);
    removed += ended;
    if (!more) return removed;
  }
}

async function deleteResult(tx: Tx, { project, id }: OldTask): Promise<boolean> {
  return await tx.run(sql`update tasks set result_blob = null
    where project = ${project} and id = ${id} and status = 'success'`) > 0;
}
