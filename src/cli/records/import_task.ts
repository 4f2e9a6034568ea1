/** Reads the input of an import and runs its task, with progress. */

import { formatMegabytes, type ReportStep } from "../../kernel/progress.ts";
import { delay, systemTimers, type Timers } from "../../kernel/timers.ts";
import { countRecords } from "../../projects/service.ts";
import { runTaskInProcess, type Services } from "../../server/services.ts";
import type { TaskRow } from "../../tasks/repository.ts";
import { withCleanup } from "../interruption.ts";
import { printMessage } from "../terminal.ts";

/** Time between two counts of what is stored, in milliseconds. */
const COUNT_INTERVAL_MS = 500;

/** Returns the same bytes and reports how many have been read. */
export async function* reportRead(
  bytes: AsyncIterable<Uint8Array>,
  report: ReportStep,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of bytes) {
    report(`Reading the file, ${formatMegabytes(size += part.length)}`);
    yield part;
  }
}

/**
 * Runs an import's task to completion and reports how much the project contains. If a signal ends
 * the process, prints what happens to the task.
 */
export async function runImportTask(
  services: Services,
  project: number,
  id: string,
  report: ReportStep,
): Promise<TaskRow> {
  report("Importing");
  const end = new AbortController();
  const counting = reportCounts(services, project, report, end.signal);
  try {
    return await withCleanup(
      () => printMessage("Interrupted; the import continues as soon as a server runs"),
      () => runTaskInProcess(services, project, id),
    );
  } finally {
    end.abort();
    await counting;
  }
}

/** Reports what is stored until the signal aborts. If a count fails, only the reports end. */
export async function reportCounts(
  { appContext: { store } }: Services,
  project: number,
  report: ReportStep,
  signal: AbortSignal,
  timers: Timers = systemTimers,
): Promise<void> {
  try {
    for (;;) {
      await delay(timers, COUNT_INTERVAL_MS, signal);
      if (signal.aborted) return;
      const counts = await store.read((db) => countRecords(db, project));
      report(`Importing, ${counts.memories} memories and ${counts.documents} documents so far`);
    }
  } catch {
    // The import itself fails if the database can't be read.
  }
}
