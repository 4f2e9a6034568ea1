/** Runs the smoke test against the source. */

import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { smoke } from "./smoke.ts";

Deno.test("smoke() passes from the source", async (t) => {
  const directory = makeTempDirSync();
  try {
    await smoke(directory, {}, async (name, work) => void await t.step(name, work));
  } finally {
    await rm(directory);
  }
});
