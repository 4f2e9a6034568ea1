/** `deno task docs`: rebuilds the pages in `docs/reference`. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { referencePages } from "./reference.ts";

const folder = join(import.meta.dirname!, "../../docs/reference");
const work = mkdtempSync(join(tmpdir(), "commonplace-docs-"));
try {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await referencePages(work)) writeFileSync(join(folder, name), text);
} finally {
  rmSync(work, { recursive: true, force: true });
}
