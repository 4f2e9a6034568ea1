/** A short kill campaign that's part of every test run. For long ones, use `deno task crash`. */

import { SEED } from "../../testing/seed.ts";
import { runCampaign } from "./campaign.ts";

Deno.test("runCampaign() finds that no acknowledged change is lost, duplicated or half done after kills", async () => {
  try {
    await runCampaign({ cycles: 8, seed: SEED });
  } catch (error) {
    throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
  }
});
