/** The thread that copies files of search copies. A large one takes seconds. */

import { copyDatabase } from "../backup/copy.ts";
import { serveRequests } from "../kernel/process/worker_client.ts";

/** The folder of a file to copy, and that of the copy. */
export interface ImageRequest {
  readonly from: string;
  readonly to: string;
}

serveRequests(async ({ from, to }: ImageRequest): Promise<undefined> => {
  await copyDatabase(from, to);
});
