/**
 * `deno task eval [search | extraction | claims | facts] …`: measures quality on the labelled data
 * beside the repository.
 */

import { runNamed } from "../run_named.ts";

Deno.exit(
  await runNamed(new URL("./", import.meta.url), ["search", "extraction", "claims", "facts"]),
);
