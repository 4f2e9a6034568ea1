/** Tests which database files search workers keep open. */

import { notStrictEqual, strictEqual, throws } from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { type SearchDatabase, SearchDatabases } from "../../src/search/workers/databases.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Runs work with a number of copies of an empty database. */
async function withFiles(count: number, work: (paths: readonly string[]) => void): Promise<void> {
  const folder = makeTempDirSync();
  const store = new SqliteStore(folder);
  await store.close();
  const paths = Array.from({ length: count }, (_, index) => join(folder, `${index}.db`));
  for (const path of paths) copyFileSync(store.path, path);
  work(paths);
  await rm(folder);
}

const read = ({ connection }: SearchDatabase) => connection.first(sql`select 1 as one`);

Deno.test("SearchDatabases.close() waits for searches that use the file", async () => {
  await withFiles(1, ([path]) => {
    const databases = new SearchDatabases(2 ** 20);
    const old = databases.get(path!);
    const [endFirst, endSecond] = [databases.use(old), databases.use(old)];
    databases.close(path!);
    const opened = databases.get(path!);
    notStrictEqual(opened, old);
    endFirst();
    read(old);
    endSecond();
    throws(() => read(old));
    read(opened);
    databases.close(path!);
  });
});

Deno.test("SearchDatabases.get() closes the least recently used file beyond the limit", async () => {
  await withFiles(17, (paths) => {
    const databases = new SearchDatabases(2 ** 20);
    const [first, second] = paths.slice(0, 16).map((path) => databases.get(path));
    strictEqual(databases.get(paths[0]!), first);
    databases.get(paths[16]!);
    read(first!);
    throws(() => read(second!));
    for (const path of paths) databases.close(path);
  });
});
