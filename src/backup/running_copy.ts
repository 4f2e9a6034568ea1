/** Makes copies in a worker, which can be stopped at any time. */

import { WorkerClient } from "../kernel/process/worker_client.ts";
import type { ReportStep } from "../kernel/progress.ts";
import { type CopyReport, deleteUnfinished, partialPath } from "./copy.ts";
import type { CopyRequest } from "./worker.ts";

/** A copy in progress. */
export interface RunningCopy<Report> {
  /** Resolves once the copy is complete. Rejects if it fails, with the message of the error. */
  readonly done: Promise<Report>;
  /** Ends the copy and deletes what it has made. */
  stop(): void;
}

/** Starts `copyDataDirectory` in a worker. */
export function startCopy(
  source: string,
  target: string,
  report: ReportStep,
): RunningCopy<CopyReport> {
  const worker = new WorkerClient<CopyRequest, CopyReport>(new URL("./worker.ts", import.meta.url));
  return requestCopy(worker, { source, target }, partialPath(target), report);
}

/**
 * Sends a request for a copy to a worker that has nothing else to do.
 *
 * @param partial the folder in which the copy is made, or undefined if there is none
 */
export function requestCopy<Request, Report>(
  worker: WorkerClient<Request, Report>,
  request: Request,
  partial: string | undefined,
  report: ReportStep,
): RunningCopy<Report> {
  return {
    done: worker.request(request, undefined, report).finally(() => worker.close()),
    stop() {
      worker.close();
      if (partial !== undefined) deleteUnfinished(partial);
    },
  };
}
