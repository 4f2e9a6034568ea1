/**
 * Power cuts: records what a server writes, and reconstructs the disks that a cut might leave
 * behind.
 */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { makeSnapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { Disk } from "./disk.ts";
import { ImportLedger } from "./import_ledger.ts";
import { checkDirectory, ClientLedgers } from "./client_ledgers.ts";
import { buildShim, type Call, readCalls, shimEnvironment } from "./shim.ts";

/** Options for a campaign. */
export interface PowerLossOptions {
  readonly images: number;
  readonly seed: number;
  /** Commands that each of the three clients sends within one record. */
  readonly commands?: number;
  readonly onImage?: (report: PowerLossReport) => void;
}

/** The report for a campaign. */
export interface PowerLossReport {
  records: number;
  calls: number;
  images: number;
  /** Images without a database, where no client had received a response yet. */
  withoutDatabase: number;
  /** Images with a partial import, which a start on the image had to finish. */
  importing: number;
}

/** How many images to draw from one record before making a new one. */
const IMAGES_PER_RECORD = 250;

/**
 * Runs a campaign.
 *
 * @throws Violation for the first image that lacks an acknowledged change or is inconsistent
 */
export async function runPowerLoss(options: PowerLossOptions): Promise<PowerLossReport> {
  const report: PowerLossReport = {
    records: 0,
    calls: 0,
    images: 0,
    withoutDatabase: 0,
    importing: 0,
  };
  const folder = makeTempDirSync();
  try {
    const library = await buildShim(folder);
    const snapshot = await makeSnapshot();
    const snapshotFile = join(folder, "snapshot.json");
    writeFileSync(snapshotFile, JSON.stringify(snapshot));
    while (report.images < options.images) {
      const seed = options.seed + report.records;
      const calls = await recordWork(library, [seed, options.commands ?? 40, snapshotFile]);
      report.records++;
      report.calls += calls.length;
      const count = Math.min(IMAGES_PER_RECORD, options.images - report.images);
      const ledgers = new ClientLedgers(new ImportLedger(snapshot));
      await checkImages(calls, count, ledgers, new SeededRandom(seed), report, options.onImage);
    }
    return report;
  } finally {
    await rm(folder);
  }
}

/** Runs a server with the library loaded, and returns every call that the server made. */
async function recordWork(
  library: string,
  [seed, commands, snapshot]: readonly [seed: number, commands: number, snapshot: string],
): Promise<Call[]> {
  const folder = makeTempDirSync();
  try {
    const root = join(folder, "root");
    Deno.mkdirSync(root);
    const record = join(folder, "record");
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--allow-all",
        join(import.meta.dirname!, "workload.ts"),
        root,
        String(seed),
        String(commands),
        snapshot,
      ],
      env: shimEnvironment(library, { root, record }),
    }).output();
    if (code !== 0) throw new Error(`The workload failed: ${new TextDecoder().decode(stderr)}`);
    return readCalls(record);
  } finally {
    await rm(folder);
  }
}

/** Applies the calls to a disk, and draws images at moments that are spread across all of them. */
async function checkImages(
  calls: readonly Call[],
  count: number,
  ledgers: ClientLedgers,
  random: SeededRandom,
  report: PowerLossReport,
  onImage: PowerLossOptions["onImage"],
): Promise<void> {
  const disk = new Disk();
  const moments = Array.from({ length: count }, () => random.below(calls.length))
    .sort((a, b) => a - b);
  let next = 0;
  for (const [moment, call] of calls.entries()) {
    disk.apply(call);
    if (call.kind === "mark") ledgers.record(call.text);
    for (; moments[next] === moment; next++) {
      const image = makeTempDirSync();
      try {
        disk.draw(random, image);
        const directory = join(image, "data");
        if (!existsSync(databasePath(directory))) report.withoutDatabase++;
        if (await checkDirectory(directory, ledgers.copy()) === "in progress") report.importing++;
      } catch (error) {
        const where = `image ${next} at call ${moment} of ${calls.length} (${call.kind})`;
        throw new Violation(`${where}: ${(error as Error).message}`, { cause: error });
      } finally {
        await rm(image);
      }
      report.images++;
      onImage?.(report);
    }
  }
}
