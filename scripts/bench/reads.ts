// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench reads [--n N] [--data DIR]`: measures what it costs to write the numbers of
 * reads of N memories, by how many memories are buffered until they are written. Each memory is
 * read three times, in random order. CPU time and the bytes written, checkpoints included, are those
 * of this process.
 */

import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";
import { parseArgs } from "node:util";
import sql from "sql-template-tag";
import { formatTable } from "../../src/cli/command.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { AccessLog } from "../../src/memories/history/access_log.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { round } from "./report.ts";
import { copyDirectory, seededDirectory } from "./seed.ts";

const DEFAULT_SIZE = 100_000;
const ROUNDS = 3;

/** Numbers of buffered memories to compare. The last one is what a busy server buffers. */
const BUFFERED_MEMORIES = [200, 2_000, 20_000];

const { values } = parseArgs({ options: { n: { type: "string" }, data: { type: "string" } } });
const size = Number(values.n ?? DEFAULT_SIZE);
const seeds = values.data ?? makeTempDirSync();
try {
  const seeded = await seededDirectory(seeds, size);
  const rows: Record<string, unknown>[] = [];
  for (const buffered of BUFFERED_MEMORIES) rows.push(await measure(seeded, buffered));
  console.log(formatTable(rows));
} finally {
  if (values.data === undefined) await rm(seeds);
}

async function measure(seeded: string, buffered: number): Promise<Record<string, unknown>> {
  const directory = copyDirectory(seeded);
  const store = new SqliteStore(directory);
  const access = new AccessLog({ store, clock: systemClock() });
  const random = new SeededRandom(buffered);
  try {
    const ids = await store.read((db) => db.all<{ id: string }>(sql`select id from memories`));
    const [cpu, bytes] = [cpuUsage(), bytesWritten()];
    for (let turn = 0; turn < ROUNDS; turn++) {
      shuffle(ids, random);
      for (let from = 0; from < ids.length; from += buffered) {
        access.record(1, ids.slice(from, from + buffered).map(({ id }) => id));
        await access.flush();
      }
    }
    const { user, system } = cpuUsage(cpu);
    const reads = ROUNDS * ids.length;
    return {
      buffered,
      cpu_us_per_read: round((user + system) / reads, 1),
      bytes_per_read: round((bytesWritten() - bytes) / reads, 0),
    };
  } finally {
    await store.close();
    await rm(directory);
  }
}

function shuffle(items: unknown[], random: SeededRandom): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [items[at], items[other]] = [items[other], items[at]];
  }
}

/** Returns the number of bytes this process has written so far. */
function bytesWritten(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))![1]);
}
