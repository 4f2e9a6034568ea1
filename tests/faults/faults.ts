/** Disks that fail at a chosen call, for every call of the same works. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSnapshot } from "../crash/snapshot.ts";
import { Violation } from "../crash/violation.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { buildShim, shimEnvironment } from "./shim.ts";

const [EIO, ENOSPC] = [5, 28];

/** How a call fails: with an error, after half of a write, once or from then on (see `shim.c`). */
export const FAULTS = {
  "EIO once": { error: EIO, half: 0, lasts: 0 },
  "EIO from then on": { error: EIO, half: 0, lasts: 1 },
  "ENOSPC once": { error: ENOSPC, half: 0, lasts: 0 },
  "ENOSPC from then on": { error: ENOSPC, half: 0, lasts: 1 },
  "half a write, then ENOSPC": { error: ENOSPC, half: 1, lasts: 0 },
  "half a write": { error: 0, half: 1, lasts: 0 },
} as const;

export type FaultName = keyof typeof FAULTS;

/** What came of one kind of fault. */
export interface FaultReport {
  fault: FaultName;
  /** Runs of a work in which a call failed. */
  runs: number;
  failures: number;
  /** Commands that were answered 503. */
  refused: number;
  /** Calls of all works. */
  calls: number;
}

/**
 * Has the calls `first`, `first + step`, … fail, each in a run of its own.
 *
 * @throws Violation for an answer that is neither success nor a clear refusal, for a change that
 * was acknowledged and isn't there, or refused and is, and for a server that doesn't recover
 */
export async function runFaults(fault: FaultName, first = 1, step = 1): Promise<FaultReport> {
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
        ...[root, control, fault, `${first}`, `${step}`, snapshot],
      ],
      env: shimEnvironment(await buildShim(folder), { root, control }),
    }).output();
    if (code !== 0) throw new Violation(new TextDecoder().decode(stderr));
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await rm(folder);
  }
}
