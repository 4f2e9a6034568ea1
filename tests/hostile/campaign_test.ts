/** The campaign of hostile clients, small. */

import { runCampaign } from "./campaign.ts";

Deno.test({
  name: "hostile clients neither end the service, nor change its data, nor fill its memory",
  fn: () => runCampaign(20, () => {}),
});
