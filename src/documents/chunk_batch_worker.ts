/** The thread that writes slices: a megabyte of them would hold up the event loop. */

import { serveRequests } from "../kernel/worker_client.ts";
import { WorkerStore } from "../store/sqlite/worker_store.ts";
import { type BatchRequest, type BatchResponse, BatchUnits } from "./batch_units.ts";

/** The database file. */
const path = (self as unknown as { name: string }).name;

/** Opened by the first question, so that a database that can't be opened is that one's answer. */
let units: BatchUnits | undefined;

serveRequests((question: BatchRequest): Promise<BatchResponse> => {
  units ??= new BatchUnits(new WorkerStore(path));
  return units.run(question);
});
