/** Name and version of this program. */

import config from "../deno.json" with { type: "json" };

/** Name of the program and of its command. */
export const PRODUCT = "commonplace";
/** Version of the program. */
export const VERSION: string = config.version;
