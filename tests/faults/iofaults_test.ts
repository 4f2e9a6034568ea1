/** Failing disks in every run of the tests, at some calls; `deno task iofaults` takes each. */

import { ok } from "node:assert/strict";
import { type FaultName, FAULTS, runFaults } from "./faults.ts";

/** Some three runs for each kind of fault, at calls that are others every time. */
const STEP = 400;

Deno.test("a disk that fails is told of, and nothing is lost, done in secret, or broken", async (t) => {
  for (const fault of Object.keys(FAULTS) as FaultName[]) {
    const first = 1 + Math.floor(Math.random() * STEP);
    await t.step(`${fault}, from call ${first}`, async () => {
      ok((await runFaults(fault, first, STEP)).failures > 0);
    });
  }
});
