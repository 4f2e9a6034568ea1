/** Runs a small campaign by hostile clients. */

import { runCampaign } from "./campaign.ts";

Deno.test({
  name: "runCampaign() neither ends the service, nor changes its data, nor fills its memory",
  fn: () => runCampaign(20, () => {}),
});
