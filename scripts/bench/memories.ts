/**
 * Measures verbatim adds, one memory per request. Each memory is durable before the server
 * responds.
 */

import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { type BenchMemory, distributeOwners, readDialogue, TextGenerator } from "./corpus.ts";
import { type Load, runLoad } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { residentMb } from "./process_usage.ts";
import { round, type Row, statsRow } from "./report.ts";
import { addRequest, copyDirectory, seededDirectory } from "./seed.ts";

/** How many requests to generate up front. The load cycles through them. */
const PREPARED_REQUESTS = 20_000;

/**
 * Maximum number of calls in a load. No measurement comes close, but it bounds the memory needed
 * for latencies.
 */
export const MAX_CALLS = 1_000_000;

/**
 * Measures adds to an empty directory (with dialogue) and to directories of each size (with
 * generated text).
 */
export async function benchMemories(options: BenchOptions, seeds: string): Promise<Row[]> {
  const rows: Row[] = [];
  const dialogue = readDialogue(options.dialogue);
  if (dialogue === null) rows.push({ what: "add", on: "dialogue", note: "file not found" });
  else rows.push(...await measureAdds(options, "dialogue", makeTempDirSync(), dialogue));
  for (const size of options.sizes) {
    const directory = copyDirectory(await seededDirectory(seeds, size));
    rows.push(
      ...await measureAdds(options, `${size} generated`, directory, generateMemories(size)),
    );
  }
  return rows;
}

function generateMemories(size: number): BenchMemory[] {
  const text = new TextGenerator(size);
  const owners = distributeOwners(size);
  return Array.from({ length: PREPARED_REQUESTS }, (_, index) => ({
    content: text.memory(),
    user_id: owners[index % owners.length]![0],
  }));
}

async function measureAdds(
  options: BenchOptions,
  on: string,
  directory: string,
  memories: readonly BenchMemory[],
): Promise<Row[]> {
  const requests = memories.map(addRequest);
  let turn = 0;
  const server = await ServerProcess.start(directory, { logLevel: options.logLevel });
  const idle = residentMb(server.pid);
  const rows: Row[] = [];
  try {
    for (const clients of options.clients) {
      const load: Load = {
        clients,
        seconds: options.seconds,
        maxCalls: MAX_CALLS,
        next: () => requests[turn++ % requests.length]!,
      };
      await runLoad(server, { ...load, seconds: options.warmUpSeconds });
      const row = statsRow("add", on, clients, await runLoad(server, load));
      rows.push({ ...row, idle_mb: round(idle, 0), after_mb: round(residentMb(server.pid), 0) });
    }
  } finally {
    await server.stop();
    await rm(directory);
  }
  return rows;
}
