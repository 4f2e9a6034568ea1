/** A short chaos campaign that's part of every test run. For long ones, `deno task cluster:chaos`. */

import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { runChaos } from "./chaos.ts";

testWith(
  ["initdb", "setpriv"],
  "runChaos() finds that several services lose nothing, and do nothing twice, when any of them is killed",
  async () => {
    try {
      await runChaos({ rounds: 3, seed: SEED });
    } catch (error) {
      throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
    }
  },
);
