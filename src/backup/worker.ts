/** Makes backups in a worker, so that the server stays responsive during the copy. */

import { copyDataDirectory } from "./copy.ts";
import { serveRequests } from "../kernel/process/worker_client.ts";

/** A backup request. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

serveRequests(({ source, target }: CopyRequest) => copyDataDirectory(source, target));
