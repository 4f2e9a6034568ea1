/** What this program is called and which version of it this is. */

import config from "../deno.json" with { type: "json" };

export const PRODUCT = "commonplace";
export const VERSION: string = config.version;
