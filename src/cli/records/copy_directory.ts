/** Copies a data directory for `backup` and `restore`. */

import type { CopyReport } from "../../backup/copy.ts";
import { startCopy } from "../../backup/running_copy.ts";
import { type Terminal, withProgress } from "../command.ts";
import { withCleanup } from "../interruption.ts";

/** Copies a data directory with progress. If a signal ends the process, nothing is left of the copy. */
export async function copyDirectory(
  source: string,
  target: string,
  terminal: Terminal,
): Promise<CopyReport> {
  return await withProgress(terminal, async (report) => {
    const copy = startCopy(source, target, report);
    return await withCleanup(copy.stop, () => copy.done);
  });
}
