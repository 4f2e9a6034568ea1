/** The thread that copies: a server goes on while its directory is read. */

import { copyDataDirectory } from "./copy.ts";
import { serveRequests } from "../kernel/worker_client.ts";

/** What the thread is asked for. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
}

serveRequests(({ source, target }: CopyRequest) => copyDataDirectory(source, target));
