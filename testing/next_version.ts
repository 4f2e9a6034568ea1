/** Makes a next version of the program, for tests of upgrades: its source with a few changes. */

import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PG_SCHEMA_VERSION } from "../src/store/postgres/migrations.ts";
import { makeFolderSync } from "../src/store/folders.ts";

const root = join(import.meta.dirname!, "..");

/** The version of the copy. Newer than any other. */
export const NEXT_VERSION = "999.0.0";
/** Its schema version. */
export const NEXT_SCHEMA_VERSION = PG_SCHEMA_VERSION + 1;

/** What the copy has in addition. Tables that requests use get a column each. */
const ADDITIVE_MIGRATION = `
create table labels (
  project bigint not null references projects (number) on delete cascade,
  id text collate "C" not null,
  primary key (project, id)
);
alter table memories add column label text collate "C";
alter table tasks add column priority bigint not null default 0;
alter table document_versions add column label text collate "C";
create index memories_by_label on memories (project, label) where label is not null;
`;

/**
 * Copies the source into a folder as that of the next version. It has an additional migration, and
 * reads all texts again.
 *
 * @param isCompatible whether programs of this version can use its schema
 * @returns the folder, for the option `source` of a start
 */
export function makeNextVersion(folder: string, isCompatible = true): string {
  makeFolderSync(folder);
  for (const name of ["src", "migrations", "main.ts", "deno.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of ["assets", "node_modules", "deno.lock", "clients"]) {
    symlinkSync(join(root, name), join(folder, name));
  }
  writeFileSync(join(folder, "migrations/postgres/next.sql"), ADDITIVE_MIGRATION);
  const oldest = isCompatible ? PG_SCHEMA_VERSION : NEXT_SCHEMA_VERSION;
  replace(folder, "src/store/postgres/migrations.ts", [
    [
      /^import baseline/m,
      `import next from "../../../migrations/postgres/next.sql" with { type: "text" };\n$&`,
    ],
    [
      /\n\];/,
      `\n  { version: ${NEXT_SCHEMA_VERSION}, oldest: ${oldest}, text: next },$&`,
    ],
  ]);
  replace(folder, "deno.json", [[/"version": "[^"]+"/, `"version": "${NEXT_VERSION}"`]]);
  replace(folder, "src/inference/builtin_workers.ts", [
    [/ENGINE_VERSION = \d+/, "ENGINE_VERSION = 999"],
  ]);
  return folder;
}

function replace(folder: string, file: string, changes: readonly (readonly [RegExp, string])[]) {
  const path = join(folder, file);
  let text = readFileSync(path, "utf8");
  for (const [pattern, by] of changes) {
    if (!pattern.test(text)) throw new Error(`${file} has no ${pattern}`);
    text = text.replace(pattern, by);
  }
  writeFileSync(path, text);
}
