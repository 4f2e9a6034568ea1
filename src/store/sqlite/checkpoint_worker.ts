/** The thread that checkpoints: it copies the write-ahead log into the database file. */

import { trimHeap } from "../../kernel/heap.ts";
import { serveRequests } from "../../kernel/worker_client.ts";
import { Connection } from "./connection.ts";
import { checkpoint } from "./wal.ts";

/** The database file. */
const path = (self as unknown as { name: string }).name;

/** Opened by the first question, so that a failure to open it is the answer to that question. */
let connection: Connection | undefined;

serveRequests((_: "checkpoint"): void => {
  checkpoint(connection ??= new Connection(path));
  // So much has been written that as much may have been freed.
  trimHeap();
});
