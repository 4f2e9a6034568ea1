/** Worker that runs checkpoints, which copy the write-ahead log into the database file. */

import { trimHeap } from "../../kernel/heap.ts";
import { serveRequests } from "../../kernel/worker_client.ts";
import { Connection } from "./connection.ts";
import { checkpoint } from "./wal.ts";

/** Path of the database file. */
const path = (self as unknown as { name: string }).name;

/**
 * The database is opened by the first request, so that a failure to open it is reported to that
 * request.
 */
let connection: Connection | undefined;

serveRequests((_: "checkpoint"): void => {
  checkpoint(connection ??= new Connection(path));
  // A checkpoint follows many writes, which may have freed up a lot of memory.
  trimHeap();
});
