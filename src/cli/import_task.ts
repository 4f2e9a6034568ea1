/** Reads the input of an import and runs its task, with progress. */

import { clearInterval, setInterval } from "node:timers";
import sql from "sql-template-tag";
import { formatMegabytes, type ReportStep } from "../kernel/progress.ts";
import { runTaskInProcess, type Services } from "../server/services.ts";
import type { TaskRow } from "../tasks/repository.ts";

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

/** Runs an import's task to completion and reports how much the project contains. */
export async function runImportTask(
  services: Services,
  project: number,
  id: string,
  report: ReportStep,
): Promise<TaskRow> {
  const { store } = services.appContext;
  report("Importing");
  const timer = setInterval(async () => {
    const counts = await store.read((db) =>
      db.first<{ memories: number; documents: number }>(sql`select
        (select coalesce(sum(total_memories), 0) from scope_totals
          where project = ${project} and type = 'project') as memories,
        (select coalesce(sum(sources), 0) from document_totals where project = ${project})
          as documents`)
    );
    report(`Importing, ${counts!.memories} memories and ${counts!.documents} documents so far`);
  }, COUNT_INTERVAL_MS);
  try {
    return await runTaskInProcess(services, project, id);
  } finally {
    clearInterval(timer);
  }
}
