/** Periodic cleanup of incomplete uploads, old failures and leftover folders. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { type Clock, DAY_MS, HOUR_MS, timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import { listEntriesIfExists } from "../store/folders.ts";
import type { Store } from "../store/store.ts";
import type { TaskContext } from "../tasks/handler.ts";
import { deleteInBatches, type MaintenanceJob } from "../tasks/maintenance.ts";
import type { TaskQueue } from "../tasks/queue.ts";
import type { UploadCleanup } from "./cleanup.ts";
import { findIdle } from "./repository.ts";
import type { AssetStatus } from "./states.ts";

/** Dependencies of the jobs. */
export interface UploadMaintenanceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly queue: TaskQueue;
  readonly cleanup: UploadCleanup;
  readonly workDirectory: string;
}

/** Returns the maintenance jobs for uploads. */
export function uploadJobs(deps: UploadMaintenanceDeps): MaintenanceJob[] {
  return [
    {
      name: "stale_uploads",
      run: (context) =>
        expire(deps, context, ["awaiting_upload", "uploaded"], LIMITS.staleUploadHours * HOUR_MS),
    },
    {
      name: "failed_uploads",
      run: (context) => expire(deps, context, ["failed"], LIMITS.failedUploadDays * DAY_MS),
    },
    { name: "extraction_folders", run: () => removeStrayFolders(deps) },
  ];
}

/** Removes old uploads and cancels their operations, since there's nothing left to retry. */
async function expire(
  { clock, queue, cleanup }: UploadMaintenanceDeps,
  context: TaskContext,
  statuses: readonly AssetStatus[],
  ageMs: number,
): Promise<number> {
  const before = timestamp(clock.now() - ageMs);
  const expired = await deleteInBatches(context, async (tx, count) => {
    const assets = await findIdle(tx, statuses, before, count);
    for (const asset of assets) {
      await queue.cancel(tx, asset.project, asset.operation_id);
      await cleanup.remove(tx, asset, "expire");
    }
    return assets.length;
  });
  await cleanup.run();
  return expired;
}

/**
 * Removes folders left behind by a purge or a crash, i.e. those of uploads that are gone or ready.
 */
async function removeStrayFolders(
  { store, workDirectory }: UploadMaintenanceDeps,
): Promise<number> {
  let removed = 0;
  for (const name of await listEntriesIfExists(workDirectory)) {
    const inUse = await store.read((db) =>
      db.first(sql`select 1 from source_assets where id = ${name}
        and status in ('queued', 'processing', 'failed') limit 1`)
    );
    if (inUse !== undefined) continue;
    await rm(join(workDirectory, name), { recursive: true, force: true });
    removed++;
  }
  return removed;
}
