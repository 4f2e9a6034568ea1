/** What this program is called and which version of it this is. */

import config from "../deno.json" with { type: "json" };

/** The name of the program, as its command is called. */
export const PRODUCT = "commonplace";
/** The version of the program. */
export const VERSION: string = config.version;
