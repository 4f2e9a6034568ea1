/** Starts a copy of an instance that can be stopped at any time. */

import { partialPath } from "../../backup/copy.ts";
import { requestCopy, type RunningCopy } from "../../backup/running_copy.ts";
import { WorkerClient } from "../../kernel/process/worker_client.ts";
import type { ReportStep } from "../../kernel/progress.ts";
import type { InstanceCopyReport, InstanceLocation } from "./copy_instance.ts";
import type { InstanceCopyRequest } from "./worker.ts";

/** Starts `copyInstance` in a worker. */
export function startInstanceCopy(
  from: InstanceLocation,
  to: InstanceLocation,
  report: ReportStep,
): RunningCopy<InstanceCopyReport> {
  const worker = new WorkerClient<InstanceCopyRequest, InstanceCopyReport>(
    new URL("./worker.ts", import.meta.url),
  );
  const partial = to.database === undefined ? partialPath(to.data) : undefined;
  return requestCopy(worker, { from, to }, partial, report);
}
