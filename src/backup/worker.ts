/**
 * The worker that makes backups, so that the server can respond while its directory is being
 * copied.
 */

import { copyDataDirectory } from "./copy.ts";
import { serveRequests } from "../kernel/worker_client.ts";

/** A backup request. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

serveRequests(({ source, target }: CopyRequest) => copyDataDirectory(source, target));
