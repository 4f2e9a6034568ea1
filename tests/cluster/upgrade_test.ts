/** A short rolling upgrade that's part of every test run. For others, `deno task cluster:upgrade`. */

import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { runUpgrades } from "./upgrade.ts";

testWith(
  ["initdb", "setpriv"],
  "runUpgrades() finds that services can be replaced by those of the next version while others work",
  async () => {
    try {
      const load = { processes: 2, clients: 2, archivists: 0, commands: 10 };
      await runUpgrades({ upgrades: 1, seed: SEED, ...load, reading: false });
    } catch (error) {
      throw new Error(`The upgrade failed with --seed ${SEED}`, { cause: error });
    }
  },
);
