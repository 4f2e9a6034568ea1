/** The thread that writes search copies, since that would block the event loop. */

import { serveRequests, workerName } from "../kernel/process/worker_client.ts";
import { type CopyRequest, type CopyResponse, CopyWriters } from "./writers.ts";

/** Path of the folder. */
const folder = workerName();

/** Opened by the first request, which fails if that's not possible. */
let writers: Promise<CopyWriters> | undefined;

serveRequests(async (request: CopyRequest): Promise<CopyResponse> => {
  writers ??= CopyWriters.open(folder).catch((error) => {
    writers = undefined;
    throw error;
  });
  return await (await writers).run(request);
});
