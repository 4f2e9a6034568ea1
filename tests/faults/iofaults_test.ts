/**
 * Disks that fail at some of their calls, as part of every test run. `deno task iofaults` covers
 * every call.
 */

import { deepStrictEqual, ok } from "node:assert/strict";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { runFailingStarts } from "./failing_start.ts";
import { type FaultName, type FaultReport, FAULTS, runFaults } from "./faults.ts";

/** Results in about three runs for each kind of fault, each at a different call. */
const STEP = 300;

const random = new SeededRandom(SEED);

/**
 * Checks that a call failed. Only writes can be half done, and there may not have been any writes
 * among these few calls.
 */
function checkFaults({ fault, failures }: FaultReport): void {
  ok(failures > 0 || fault === "half a write");
}

testWith(
  ["gcc"],
  "runFaults() finds every disk failure reported, and nothing lost, applied silently or broken",
  async () => {
    const kinds = Object.keys(FAULTS) as FaultName[];
    const firsts = Object.fromEntries(kinds.map((fault) => [fault, 1 + random.below(STEP)]));
    const reports = await runFaults(firsts, STEP);
    deepStrictEqual(reports.map(({ fault }) => fault), kinds);
    for (const report of reports) checkFaults(report);
  },
);

testWith(
  ["gcc"],
  "runFailingStarts() finds that every start works or fails with a single line, and damages nothing",
  async (t) => {
    const kinds = Object.keys(FAULTS) as FaultName[];
    const fault = random.pick(kinds)!;
    const first = 1 + random.below(80);
    await t.step(`${fault}, from call ${first}`, async () => {
      checkFaults(await runFailingStarts(fault, first, 80));
    });
  },
);
