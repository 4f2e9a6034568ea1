/** Every kind of task, and what does it. */

import { forgetSignInTokens } from "../dashboard/sessions.ts";
import { documentPurge } from "../documents/purge.ts";
import { hostedHandler } from "../hosted/metered_tasks.ts";
import { memoryPurge } from "../memories/purge.ts";
import { purgeHandler } from "../projects/purge.ts";
import type { TaskHandler } from "../tasks/handler.ts";
import {
  clearInChunks,
  maintenanceHandler,
  type MaintenanceJob,
  systemJobs,
} from "../tasks/maintenance.ts";
import { extractHandler } from "../uploads/extract.ts";
import { readLocalText } from "../uploads/local_text.ts";
import { uploadJobs } from "../uploads/maintenance.ts";
import { uploadPurge } from "../uploads/purge.ts";
import type { Services } from "./services.ts";
import type { Variant } from "./settings.ts";

/** @param workDirectory the folder of the folders in which files are extracted */
export function handlersOf(
  services: Services,
  workDirectory: string,
  variant?: Variant,
): TaskHandler[] {
  const { foundation, documents, uploads: { removal }, ledger } = services;
  const { store, clock } = foundation;
  const read = variant === "desktop" ? { read: readLocalText } : {};
  const handlers = [
    ...services.batches.handlers(),
    services.inference.handler(),
    ...services.follower.handlers(),
    ...services.snapshots.handlers(),
    extractHandler({ foundation, documents, removal, ...read }),
    purgeHandler(foundation, [memoryPurge(store), documentPurge(store), uploadPurge(removal)]),
    maintenanceHandler(maintenanceJobs(services, workDirectory)),
  ];
  if (variant !== "hosted") return handlers;
  return handlers.map((handler) => hostedHandler(handler, ledger, clock));
}

function maintenanceJobs(services: Services, workDirectory: string): MaintenanceJob[] {
  const { foundation, activity, queue, uploads: { removal } } = services;
  return [
    ...systemJobs(foundation),
    {
      name: "sign_in_tokens",
      run: (context) => context.commit((tx) => forgetSignInTokens(tx, foundation.clock.now())),
    },
    {
      name: "activity",
      run: (context) => clearInChunks(context, (tx, count) => activity.forgetOld(tx, count)),
    },
    ...uploadJobs({ ...foundation, queue, removal, workDirectory }),
  ];
}
