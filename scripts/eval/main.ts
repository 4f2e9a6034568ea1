/**
 * `deno task eval [search | extraction | claims | facts] …`: measures quality on the labelled data
 * beside the repository.
 */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runNamed } from "../run_named.ts";

const DATA = fileURLToPath(new URL("../../../shared/eval/", import.meta.url));
const OWN_CASES = ["CLAIMS_CASES", "FACTS_CASES"].some((name) => Deno.env.has(name));

if (!existsSync(DATA) && !OWN_CASES) {
  const words = `The labelled data is no part of this repository, and not at ${DATA} either\n`;
  Deno.stderr.writeSync(new TextEncoder().encode(words));
  Deno.exit(1);
}
Deno.exit(
  await runNamed(new URL("./", import.meta.url), ["search", "extraction", "claims", "facts"]),
);
