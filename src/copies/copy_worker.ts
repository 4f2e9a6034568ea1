/** The thread that writes search copies. */

import { serveRequests } from "../kernel/process/worker_client.ts";
import { type CopyRequest, type CopyResponse, CopyWriter } from "./writer.ts";

/** Path of the folder. */
const folder = (self as unknown as { name: string }).name;

/** Opened by the first request, which fails if that's not possible. */
let writer: Promise<CopyWriter> | undefined;

serveRequests(async (request: CopyRequest): Promise<CopyResponse> => {
  writer ??= CopyWriter.open(folder).catch((error) => {
    writer = undefined;
    throw error;
  });
  return await (await writer).run(request);
});
