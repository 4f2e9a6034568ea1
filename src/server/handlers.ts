/** Handlers for all task kinds. */

import { deleteExpiredSignInTokens } from "../dashboard/sessions.ts";
import { connectionJobs } from "../connections/maintenance.ts";
import { imageJob, imagePurge } from "../copies/image_cleanup.ts";
import { documentPurge } from "../documents/purge.ts";
import { hostedHandler } from "../hosted/metered_tasks.ts";
import { memoryPurge } from "../memories/purge.ts";
import { failedPurgesJob, purgeHandler } from "../projects/purge.ts";
import { operationFileJobs } from "../tasks/files.ts";
import type { TaskHandler } from "../tasks/handler.ts";
import {
  deleteInBatches,
  maintenanceHandler,
  type MaintenanceJob,
  systemJobs,
} from "../tasks/maintenance.ts";
import { extractHandler } from "../uploads/extract.ts";
import { extractUtf8Text } from "../uploads/text_only.ts";
import { uploadJobs } from "../uploads/maintenance.ts";
import { uploadPurge } from "../uploads/purge.ts";
import type { Services } from "./services.ts";
import type { Variant } from "./settings.ts";

/**
 * Returns a variant's task handlers.
 *
 * @param workDirectory parent of the temporary folders used for extraction
 */
export function handlersOf(
  services: Services,
  workDirectory: string,
  variant?: Variant,
): TaskHandler[] {
  const { appContext, documents, uploads: { cleanup }, ledger } = services;
  const { store, clock } = appContext;
  const read = variant === "desktop" ? { read: extractUtf8Text } : {};
  const handlers = [
    ...services.batches.handlers(),
    services.inference.handler(),
    ...services.follower.handlers(),
    ...services.snapshots.handlers(),
    services.imports.handler(),
    services.exports.handler(),
    extractHandler({ appContext, documents, cleanup, ...read }),
    purgeHandler(appContext, [
      memoryPurge(store),
      documentPurge(store),
      uploadPurge(cleanup),
      imagePurge(appContext),
    ]),
    maintenanceHandler(maintenanceJobs(services, workDirectory)),
  ];
  if (variant !== "hosted") return handlers;
  return handlers.map((handler) => hostedHandler(handler, ledger, clock));
}

function maintenanceJobs(services: Services, workDirectory: string): MaintenanceJob[] {
  const { appContext, activity, queue, uploads: { cleanup } } = services;
  return [
    ...systemJobs(appContext),
    failedPurgesJob(appContext),
    {
      name: "sign_in_tokens",
      run: (context) =>
        context.commit((tx) => deleteExpiredSignInTokens(tx, appContext.clock.now())),
    },
    ...connectionJobs(appContext, services.clients),
    {
      name: "activity",
      run: (context) => deleteInBatches(context, (tx, count) => activity.deleteExpired(tx, count)),
    },
    ...operationFileJobs({ ...appContext, queue }),
    ...uploadJobs({ ...appContext, queue, cleanup, workDirectory }),
    imageJob(appContext),
  ];
}
