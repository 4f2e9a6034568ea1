/** Tests that the tests left out with several services exist. */

import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, testFiles } from "../../scripts/test_files.ts";
import { OF_ONE_SERVICE } from "../../testing/one_service_tests.ts";

Deno.test("every test that is left out with several services exists under its name", () => {
  const sources = testFiles().map((path) => readFileSync(join(ROOT, path), "utf8"));
  const missing = Object.keys(OF_ONE_SERVICE).filter((name) =>
    !sources.some((source) => source.includes(name))
  );
  deepStrictEqual(missing, []);
});
