/** Deletes the files of operations that no one will ask for: old exports, and imports that failed. */

import sql from "sql-template-tag";
import { type Clock, DAY_MS, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Blobs, unlinkBlobs } from "../store/blobs.ts";
import type { Store, Tx } from "../store/store.ts";
import type { TaskContext } from "./handler.ts";
import { deleteInBatches, type MaintenanceJob } from "./maintenance.ts";
import type { TaskQueue } from "./queue.ts";
import type { TaskKind, TaskStatus } from "./states.ts";

/** Dependencies of the jobs. */
export interface OperationFileDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly blobs: Blobs;
  readonly queue: TaskQueue;
}

interface OldTask {
  readonly project: number;
  readonly id: string;
}

/** Returns the maintenance jobs for the files of operations. */
export function operationFileJobs(deps: OperationFileDeps): MaintenanceJob[] {
  const { queue } = deps;
  return [
    {
      name: "exported_files",
      run: (context) =>
        removeFiles(deps, context, ["export_file", "success", LIMITS.exportFileDays], deleteResult),
    },
    {
      name: "failed_imports",
      // Without its file, an import can't be retried.
      run: (context) =>
        removeFiles(
          deps,
          context,
          ["import_file", "dead", LIMITS.failedImportDays],
          (tx, { project, id }) => queue.cancel(tx, project, id),
        ),
    },
  ];
}

async function removeFiles(
  { store, clock, blobs }: OperationFileDeps,
  context: TaskContext,
  [kind, status, days]: readonly [TaskKind, TaskStatus, number],
  end: (tx: Tx, task: OldTask) => Promise<unknown>,
): Promise<number> {
  const before = timestamp(clock.now() - days * DAY_MS);
  const hashes: string[] = [];
  const removed = await deleteInBatches(context, async (tx, count) => {
    // The projects are there for the index, which begins with them.
    const tasks = await tx.all<OldTask>(sql`select t.project, t.id from projects p
      join tasks t on t.project = p.number
      where t.kind = ${kind} and t.status = ${status} and t.created_at < ${before}
        and t.completed_at < ${before}
        and exists (select 1 from blob_names b where b.project = t.project and b.owner = t.id)
      limit ${count}`);
    for (const task of tasks) {
      hashes.push(...await unlinkBlobs(tx, task.project, task.id));
      await end(tx, task);
    }
    return tasks.length;
  });
  await blobs.deleteUnreferenced(store, hashes);
  return removed;
}

function deleteResult(tx: Tx, { project, id }: OldTask): Promise<number> {
  return tx.run(sql`update tasks set result_blob = null where project = ${project} and id = ${id}`);
}
