/** A short kill campaign in every run of the tests; `deno task crash` runs long ones. */

import { runCampaign } from "./campaign.ts";

Deno.test("no kill loses, doubles or halves what was acknowledged", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32);
  try {
    await runCampaign({ cycles: 8, seed });
  } catch (error) {
    throw new Error(`The campaign failed with --seed ${seed}`, { cause: error });
  }
});
