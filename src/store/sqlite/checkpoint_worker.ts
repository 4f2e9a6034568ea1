/** Worker that runs checkpoints, i.e. copies the write-ahead log into the database file. */

import { trimHeap } from "../../kernel/process/heap.ts";
import { serveRequests, workerName } from "../../kernel/process/worker_client.ts";
import { Connection } from "./connection.ts";
import { checkpoint } from "./wal.ts";

/** Path of the database file. */
const path = workerName();

/** The first request opens the database, so it's also the one that gets an error if that fails. */
let connection: Connection | undefined;

serveRequests((_: "checkpoint"): void => {
  checkpoint(connection ??= new Connection(path));
  // A checkpoint follows many writes, so there may be a lot of memory to free up.
  trimHeap();
});
