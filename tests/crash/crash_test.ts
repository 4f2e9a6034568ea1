/** A short kill campaign in every run of the tests; `deno task crash` runs long ones. */

import { SEED } from "../../testing/seed.ts";
import { runCampaign } from "./campaign.ts";

Deno.test("no kill loses, doubles or halves what was acknowledged", async () => {
  try {
    await runCampaign({ cycles: 8, seed: SEED });
  } catch (error) {
    throw new Error(`The campaign failed with --seed ${SEED}`, { cause: error });
  }
});
