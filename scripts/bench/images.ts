// deno-lint-ignore-file no-console -- prints a report
/**
 * `deno task bench images [--sizes N,…] [--rounds N] [--data DIR] [--vectors]`: measures how long a
 * new process takes until a project can be searched, if it fills its copy and if it begins with an
 * image in a shared folder. Both take turns, with PostgreSQL on the same machine. Also measures how
 * long it takes to make an image.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { formatTable } from "../../src/cli/command.ts";
import { SearchCopies } from "../../src/copies/copies.ts";
import { readImages } from "../../src/copies/image_rows.ts";
import { CopyImages } from "../../src/copies/images.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { systemRandom } from "../../src/kernel/ids.ts";
import { copyInstance } from "../../src/server/instance_copy/copy_instance.ts";
import { markOf } from "../../src/store/blobs/mark.ts";
import { SharedFolderBlobs } from "../../src/store/blobs/shared_folder.ts";
import { PgMembership } from "../../src/store/postgres/membership.ts";
import { PgStore } from "../../src/store/postgres/store.ts";
import { type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { cpuMs } from "./process_usage.ts";
import { median, round } from "./report.ts";
import { seededDirectory } from "./seed.ts";

/** The project of a seeded directory. */
const PROJECT = 1;

const { values } = parseArgs({
  args: [...Deno.args],
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    data: { type: "string" },
    vectors: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);

/** What one step took. */
interface Step {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function measure(work: () => Promise<void>): Promise<Step> {
  const [began, cpu] = [performance.now(), cpuMs("self")];
  await work();
  return {
    seconds: (performance.now() - began) / 1_000,
    cpuSeconds: (cpuMs("self") - cpu) / 1_000,
  };
}

async function measureSize(
  postgres: PostgresServer,
  seeds: string,
  size: number,
): Promise<Record<string, unknown>[]> {
  const scratch = makeTempDirSync();
  const database = postgres.newSchema();
  const seeded = await seededDirectory(seeds, size, values.vectors ? "vectors" : "generated");
  await copyInstance({ data: seeded }, { data: scratch, database });
  const records = await PgStore.open(database);
  const membership = new PgMembership(database, { boot: "bench", version: "1", startedAt: 0 });
  await membership.join("local");
  const clock = systemClock();
  const mark = await records.read(markOf);
  const blobs = new SharedFolderBlobs(join(scratch, "shared"), mark, systemRandom());
  Deno.mkdirSync(blobs.directory);
  await blobs.claim(records);
  const steps: Record<string, Step[]> = { "fill it": [], "make an image": [], "use an image": [] };
  let processes = 0;
  const withProcess = async (work: (copies: SearchCopies) => Promise<void>) => {
    const copies = new SearchCopies(records, join(scratch, `process-${processes++}`), clock, {
      maxSharedRecords: 0,
    });
    await work(copies).finally(() => copies.close());
  };
  const ready = async (copies: SearchCopies) => {
    // A search that has waited 20 seconds fails, and the next one goes on waiting.
    for (let isReady = false; !isReady;) {
      isReady = await copies.ready(PROJECT).then(() => true, () => false);
    }
  };
  try {
    for (let round = 0; round < rounds; round++) {
      await withProcess(async (copies) => {
        steps["fill it"]!.push(await measure(() => ready(copies)));
        const images = new CopyImages({ records, blobs, membership, clock });
        copies.images = images;
        if (round > 0) return;
        steps["make an image"]!.push(await measure(() => copies.updateImages()));
      });
      await withProcess(async (copies) => {
        copies.images = new CopyImages({ records, blobs, membership, clock });
        steps["use an image"]!.push(await measure(() => ready(copies)));
      });
    }
    const [image] = await records.read(readImages);
    const bytes = await blobs.size(image!.file);
    return Object.entries(steps).map(([step, taken]) => ({
      memories: size,
      step,
      times: taken.length,
      seconds: round(median(taken.map(({ seconds }) => seconds)), 2),
      cpu_seconds: round(median(taken.map(({ cpuSeconds }) => cpuSeconds)), 2),
      image_mb: round(bytes! / 2 ** 20, 0),
    }));
  } finally {
    await membership.leave();
    await records.close();
    await rm(scratch);
  }
}

const postgres = await startPostgres();
const seeds = values.data ?? makeTempDirSync();
try {
  const rows: Record<string, unknown>[] = [];
  for (const size of values.sizes.split(",")) {
    rows.push(...await measureSize(postgres, seeds, Number(size)));
  }
  console.log(formatTable(rows));
} finally {
  await postgres.close();
  if (values.data === undefined) await rm(seeds);
}
