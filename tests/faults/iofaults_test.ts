/** Failing disks in every run of the tests, at some calls; `deno task iofaults` takes each. */

import { ok } from "node:assert/strict";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { runFailingStarts } from "./failing_start.ts";
import { type FaultName, type FaultReport, FAULTS, runFaults } from "./faults.ts";

/** Some three runs for each kind of fault, each from a call of its own. */
const STEP = 300;

const random = new SeededRandom(SEED);

/** Calls that don't write can't be done by half: these few may all have been such. */
function holdsFaults({ fault, failures }: FaultReport): void {
  ok(failures > 0 || fault === "half a write");
}

testWith(
  ["gcc"],
  "a disk that fails is told of, and nothing is lost, done in secret, or broken",
  async (t) => {
    for (const fault of Object.keys(FAULTS) as FaultName[]) {
      const first = 1 + random.below(STEP);
      await t.step(`${fault}, from call ${first}`, async () => {
        holdsFaults(await runFaults(fault, first, STEP));
      });
    }
  },
);

testWith(
  ["gcc"],
  "a start on a disk that fails works or says in a line why not, and harms nothing",
  async (t) => {
    const kinds = Object.keys(FAULTS) as FaultName[];
    const fault = random.pick(kinds)!;
    const first = 1 + random.below(80);
    await t.step(`${fault}, from call ${first}`, async () => {
      holdsFaults(await runFailingStarts(fault, first, 80));
    });
  },
);
