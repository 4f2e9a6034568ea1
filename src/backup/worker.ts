/** Worker that makes backups, so that the server can respond while its directory is copied. */

import { copyDataDirectory } from "./copy.ts";
import { serveRequests } from "../kernel/worker_client.ts";

/** Request for a backup. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

serveRequests(({ source, target }: CopyRequest) => copyDataDirectory(source, target));
