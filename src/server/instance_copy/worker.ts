/** Copies an instance in a worker, so that the main thread stays responsive. */

import { serveRequests } from "../../kernel/process/worker_client.ts";
import { copyInstance, type InstanceLocation } from "./copy_instance.ts";

/** What to copy, and where to. */
export interface InstanceCopyRequest {
  readonly from: InstanceLocation;
  readonly to: InstanceLocation;
}

serveRequests(({ from, to }: InstanceCopyRequest, report) => copyInstance(from, to, report));
