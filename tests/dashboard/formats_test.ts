/** The lists of formats in the dashboard, whose pages can't load the readers themselves. */

import { deepStrictEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXPORT_FORMAT_NAMES } from "../../src/exports/schema.ts";
import { FORMAT_NAMES } from "../../src/imports/schema.ts";

/** Read as text: the pages are checked with the types of a browser, and the readers aren't. */
const SOURCE = readFileSync(
  join(import.meta.dirname!, "../../src/dashboard/client/pages/transfer/formats.ts"),
  "utf8",
);

Deno.test("IMPORT_OPTIONS and EXPORT_OPTIONS offer every format", () => {
  const [, imports = "", exports = ""] = SOURCE.split("export const ");
  const names = (list: string) => [...list.matchAll(/^ {2}\["([^"]+)"/gm)].map(([, name]) => name);
  deepStrictEqual(names(imports), FORMAT_NAMES);
  deepStrictEqual(names(exports), EXPORT_FORMAT_NAMES);
});
