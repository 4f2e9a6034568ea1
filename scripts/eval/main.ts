/**
 * `deno task eval [search | extraction | pdf | pdf_tables | scans | claims | facts | tagger] …`:
 * measures quality on labelled data, most of which is stored alongside the repository.
 */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runScript } from "../run_script.ts";

const EVAL_DATA = fileURLToPath(new URL("../../../shared/eval/", import.meta.url));
const HAS_CUSTOM_CASES = ["CLAIMS_CASES", "FACTS_CASES"].some((name) => Deno.env.has(name));

if (!existsSync(EVAL_DATA) && !HAS_CUSTOM_CASES) {
  const message = `Labelled data not found at ${EVAL_DATA}. It is not part of this repository.\n`;
  Deno.stderr.writeSync(new TextEncoder().encode(message));
  Deno.exit(1);
}
Deno.exit(
  await runScript(new URL("./", import.meta.url), [
    "search",
    "extraction",
    "pdf",
    "pdf_tables",
    "scans",
    "claims",
    "facts",
    "tagger",
  ]),
);
