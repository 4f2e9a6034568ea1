/** A short kill campaign that's part of every test run. For long ones, use `deno task crash`. */

import { SEED } from "../../testing/seed.ts";
import { testWith } from "../../testing/tools.ts";
import { type CampaignOptions, runCampaign } from "./campaign.ts";
import { DATABASE_FAULTS } from "./database.ts";

async function run(options: Omit<CampaignOptions, "seed">): Promise<void> {
  try {
    await runCampaign({ ...options, seed: SEED });
  } catch (error) {
    throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
  }
}

Deno.test("runCampaign() finds that no acknowledged change is lost, duplicated or half done after kills", async () => {
  await run({ cycles: 8 });
});

testWith(
  ["initdb", "setpriv"],
  "runCampaign() finds the same with records in PostgreSQL, which fails as well",
  async () => {
    await run({ cycles: DATABASE_FAULTS.length, engine: "postgres" });
  },
);
