/** Every kind of task, and what does it. */

import { documentPurge } from "../documents/purge.ts";
import { hostedHandler } from "../hosted/metered_tasks.ts";
import { memoryPurge } from "../memories/purge.ts";
import { purgeHandler } from "../projects/purge.ts";
import type { TaskHandler } from "../tasks/handler.ts";
import {
  clearInChunks,
  houseJobs,
  maintenanceHandler,
  type MaintenanceJob,
} from "../tasks/maintenance.ts";
import { extractHandler } from "../uploads/extract.ts";
import { readLocalText } from "../uploads/local_text.ts";
import { uploadJobs } from "../uploads/maintenance.ts";
import { uploadPurge } from "../uploads/purge.ts";

import type { House } from "./house.ts";
import type { Variant } from "./settings.ts";

/** @param workDirectory the folder of the folders in which files are extracted */
export function handlersOf(house: House, workDirectory: string, variant?: Variant): TaskHandler[] {
  const { foundation, documents, uploads: { removal }, ledger } = house;
  const { store, clock } = foundation;
  const read = variant === "desktop" ? { read: readLocalText } : {};
  const handlers = [
    ...house.batches.handlers(),
    house.inference.handler(),
    ...house.follower.handlers(),
    ...house.snapshots.handlers(),
    extractHandler({ foundation, documents, removal, ...read }),
    purgeHandler(foundation, [memoryPurge(store), documentPurge(store), uploadPurge(removal)]),
    maintenanceHandler(maintenanceJobs(house, workDirectory)),
  ];
  if (variant !== "hosted") return handlers;
  return handlers.map((handler) => hostedHandler(handler, ledger, clock));
}

function maintenanceJobs(house: House, workDirectory: string): MaintenanceJob[] {
  const { foundation, activity, queue, uploads: { removal } } = house;
  return [
    ...houseJobs(foundation),
    {
      name: "activity",
      run: (context) => clearInChunks(context, (tx, count) => activity.forgetOld(tx, count)),
    },
    ...uploadJobs({ ...foundation, queue, removal, workDirectory }),
  ];
}
