/**
 * Makes sure that the reference pages match the code, i.e. `deno task docs` would change nothing.
 */

import { strictEqual } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { referencePages } from "../../scripts/docs/reference.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const FOLDER = join(import.meta.dirname!, "../../docs/reference");

Deno.test("docs/reference contains exactly the pages that deno task docs writes", async () => {
  const work = makeTempDirSync();
  try {
    const pages = await referencePages(work);
    strictEqual(readdirSync(FOLDER).sort().join(), [...pages.keys()].sort().join());
    for (const [name, text] of pages) {
      strictEqual(readFileSync(join(FOLDER, name), "utf8"), text, `${name}: run deno task docs`);
    }
  } finally {
    await rm(work);
  }
});
