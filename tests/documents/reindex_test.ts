/** Tests for rebuilding the chunk index when the server starts. */

import { strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { reindexChunksIfOutdated } from "../../src/documents/reindex.ts";
import { openEngine } from "../../src/server/engine.ts";
import { databasePath, SqliteStore } from "../../src/store/sqlite/store.ts";
import { testSqlite } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { countIndexedChunks, ingestDocument, markdownSections, search } from "./documents.ts";

/** Empties the index, just like a migration from an older schema. */
function emptied(directory: string): void {
  const database = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  database.exec(`insert into chunks_fts (chunks_fts) values ('delete-all');
    delete from chunk_terms;
    delete from meta where name = 'chunk_index_version'`);
  database.close();
}

testSqlite(
  "reindexChunksIfOutdated() adds the chunks of heads to an index from an older schema",
  async () => {
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
  },
);

testSqlite(
  "openEngine() in two processes rebuilds the text indexes once, and returns when they are complete",
  async () => {
    await withServer(async (server) => {
      await ingestDocument(server, { content: markdownSections(30) });
      await server.add("Ana has a tabby cat.");
      emptied(server.directory);
      const steps: string[][] = [[], []];
      const chunks = await Promise.all(steps.map(async (seen) => {
        const engine = await openEngine(server.directory, undefined, (step) => seen.push(step));
        const database = new DatabaseSync(databasePath(server.directory), { readOnly: true });
        const indexed = countIndexedChunks(database);
        strictEqual(
          indexed,
          database.prepare("select chunks from document_totals").get()!["chunks"],
        );
        database.close();
        await engine.close();
        return indexed;
      }));
      strictEqual(chunks[0], chunks[1]);
      const rebuilds = steps.filter((seen) => seen.some((step) => step.startsWith("Indexing")));
      strictEqual(rebuilds.length, 1);
    });
  },
);

Deno.test("reindexChunksIfOutdated() records that versions on the collector's list are not indexed", async () => {
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
