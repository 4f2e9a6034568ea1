/** A short chaos campaign that's part of every test run. For long ones, `deno task cluster:chaos`. */

import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { runChaos } from "./chaos.ts";

testWith(
  ["initdb", "setpriv"],
  "runChaos() finds that nothing is lost or done twice if a service is killed, and the database fails over",
  async () => {
    try {
      const faults = ["kill", "failover"] as const;
      await runChaos({ rounds: faults.length, seed: SEED, faults, processes: 2, clients: 2 });
    } catch (error) {
      throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
    }
  },
);
