/** Runs workloads on a disk that fails at a chosen call, once for every call. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSnapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { buildShim, shimEnvironment } from "./shim.ts";

const [EIO, ENOSPC] = [5, 28];

/**
 * How a call fails: with an error or halfway through a write, either once or from then on (see
 * `shim.c`).
 */
export const FAULTS = {
  "EIO once": { error: EIO, half: 0, lasts: 0 },
  "EIO from then on": { error: EIO, half: 0, lasts: 1 },
  "ENOSPC once": { error: ENOSPC, half: 0, lasts: 0 },
  "ENOSPC from then on": { error: ENOSPC, half: 0, lasts: 1 },
  "half a write, then ENOSPC": { error: ENOSPC, half: 1, lasts: 0 },
  "half a write": { error: 0, half: 1, lasts: 0 },
} as const;

export type FaultName = keyof typeof FAULTS;

/** The report for one kind of fault. */
export interface FaultReport {
  fault: FaultName;
  /** Workload runs with a failed call. */
  runs: number;
  failures: number;
  /** Commands that received a 503 response. */
  refused: number;
  /** Calls in all workloads. */
  calls: number;
}

/**
 * Makes the calls `first`, `first + step`, … fail, each in a separate run of the workloads. All
 * kinds of faults share a process and the runs that count the calls.
 *
 * @param firsts the first call to fail, for each kind of fault
 * @throws Violation if a response is neither a success nor a clear rejection, if a change was
 *   acknowledged but is missing or was rejected but is present, or if a server doesn't recover
 */
export async function runFaults(
  firsts: Readonly<Partial<Record<FaultName, number>>>,
  step = 1,
): Promise<FaultReport[]> {
  const folder = makeTempDirSync();
  try {
    const [root, control] = [join(folder, "root"), join(folder, "control")];
    Deno.mkdirSync(root);
    writeFileSync(control, new Uint8Array(24));
    const snapshot = join(folder, "snapshot.json");
    writeFileSync(snapshot, JSON.stringify(await makeSnapshot(1)));
    const program = join(import.meta.dirname!, "failing_disk.ts");
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all", program],
        ...[root, control, JSON.stringify(firsts), `${step}`, snapshot],
      ],
      env: shimEnvironment(await buildShim(folder), { root, control }),
    }).output();
    if (code !== 0) throw new Violation(new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await rm(folder);
  }
}
