/** Makes sure that packages contain what the program imports, and nothing else. */

import { deepStrictEqual } from "node:assert/strict";
import { join } from "node:path";
import { requiredPackages } from "../../scripts/build/npm_packages.ts";

const root = join(import.meta.dirname!, "../..");

Deno.test("requiredPackages() takes imported names only, not the same words elsewhere", () => {
  const named = (source: string) => requiredPackages(root, [source]).map(({ name }) => name);
  deepStrictEqual(named("src/documents/chunking/formats.ts"), [], `the language "typescript"`);
  deepStrictEqual(named("src/kernel/ids.ts"), ["ulid"]);
});
