/** Copies a data directory in a worker, so that the main thread stays responsive. */

import { copyDataDirectory } from "./copy.ts";
import { serveRequests } from "../kernel/process/worker_client.ts";

/** What to copy, and where to. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

serveRequests(({ source, target }: CopyRequest, report) =>
  copyDataDirectory(source, target, report)
);
