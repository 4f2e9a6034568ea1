/**
 * Writes chunk batches in a thread, since writing a megabyte of them would block the event loop.
 */

import { serveRequests, workerName } from "../kernel/process/worker_client.ts";
import { WorkerStore } from "../store/sqlite/worker_store.ts";
import { type BatchRequest, type BatchResponse, BatchUnits } from "./batch_units.ts";

/** Path to the database file. */
const path = workerName();

/** Opened lazily, so that the first request fails if the database can't be opened. */
let units: BatchUnits | undefined;

serveRequests((request: BatchRequest): Promise<BatchResponse> => {
  units ??= new BatchUnits(new WorkerStore(path));
  return units.run(request);
});
