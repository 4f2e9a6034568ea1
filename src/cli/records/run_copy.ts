/** Runs a copy for `backup`, `restore` and `copy`. */

import type { RunningCopy } from "../../backup/running_copy.ts";
import type { ReportStep } from "../../kernel/progress.ts";
import { type Terminal, withProgress } from "../command.ts";
import { withCleanup } from "../interruption.ts";

/** Waits for a copy, with progress. If a signal ends the process, nothing is left of the copy. */
export async function runCopy<Report>(
  terminal: Terminal,
  start: (report: ReportStep) => RunningCopy<Report>,
): Promise<Report> {
  return await withProgress(terminal, async (report) => {
    const copy = start(report);
    return await withCleanup(copy.stop, () => copy.done);
  });
}
