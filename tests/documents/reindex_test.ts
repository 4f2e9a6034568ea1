/** An index that another version of the program made is made anew from the records at the start. */

import { strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { reindexChunksIfOutdated } from "../../src/documents/reindex.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import { withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { countIndexedChunks, ingestDocument, markdownSections, search } from "./documents.ts";

/** The index as an older schema leaves it behind. */
function emptied(directory: string): void {
  const database = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  database.exec(`insert into chunks_fts (chunks_fts) values ('delete-all');
    delete from chunk_terms;
    delete from meta where name = 'chunk_index_version'`);
  database.close();
}

Deno.test("an index of an older schema is filled with the chunks of heads at the next start", async () => {
  await withServer(async (server) => {
    await ingestDocument(server, { content: markdownSections(30), source_key: "a" });
    await ingestDocument(server, { content: markdownSections(900), source_key: "a" });
    const asked = { query: "marker777", source_key: "a" };
    const before = await search(server, asked);
    emptied(server.directory);
    await server.restart();
    const after = await search(server, asked);
    strictEqual(JSON.stringify(after), JSON.stringify(before));
    const database = new DatabaseSync(databasePath(server.directory), { readOnly: true });
    const totals = database.prepare("select chunks from document_totals").get();
    strictEqual(countIndexedChunks(database), totals!["chunks"]);
    database.close();
  });
});

Deno.test("what waits to leave the index isn't in it after a rebuild", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  await store.close();
  const database = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  database.exec(`insert into retired_versions (version, project, indexed, deleted, title, tags)
    values (7, 1, 48, 1, 'T', '[]')`);
  const again = new SqliteStore(directory);
  await reindexChunksIfOutdated(again);
  await again.close();
  strictEqual(database.prepare("select indexed from retired_versions").get()!["indexed"], 0);
  database.close();
  await rm(directory);
});
