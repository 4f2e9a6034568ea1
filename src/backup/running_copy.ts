/** Copies a data directory in a worker, and can be stopped at any time. */

import { rmSync } from "node:fs";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import type { ReportStep } from "../kernel/progress.ts";
import { type CopyReport, partialPath } from "./copy.ts";
import type { CopyRequest } from "./worker.ts";

/** A copy in progress. */
export interface RunningCopy {
  /** Resolves once the copy is complete. Rejects like `copyDataDirectory`, but with other classes. */
  readonly done: Promise<CopyReport>;
  /** Ends the copy and deletes what it has made. */
  stop(): void;
}

/** Starts `copyDataDirectory` in a worker. */
export function startCopy(source: string, target: string, report: ReportStep): RunningCopy {
  const worker = new WorkerClient<CopyRequest, CopyReport>(
    new URL("./worker.ts", import.meta.url),
  );
  const partial = partialPath(target);
  let hasBegun = false;
  const reportStep = (step: string) => {
    hasBegun = true;
    report(step);
  };
  return {
    done: worker.request({ source, target }, undefined, reportStep).finally(() => worker.close()),
    stop() {
      worker.close();
      // Before the first step, a folder with this name can be someone else's.
      if (hasBegun) rmSync(partial, { recursive: true, force: true });
    },
  };
}
