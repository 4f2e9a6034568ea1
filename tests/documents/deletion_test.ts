/** Checks that deletions remove everything that belongs to a source, from every file. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { testSqlite } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import {
  countIndexedChunks,
  countVersionRows,
  ingestDocument,
  markdownSections,
  search,
} from "./documents.ts";

/** Returns the data directory's files that contain a text. */
function filesWith(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true }).map(String)
    .filter((name) => statSync(join(directory, name)).isFile())
    .filter((name) => readFileSync(join(directory, name)).includes(Buffer.from(text)));
}

Deno.test("DELETE /v1/documents/{id} removes every version, chunk and term of the source", async () => {
  await withServer(async (server) => {
    await ingestDocument(server, {
      content: `${markdownSections(30)} zanzibarkeep`,
      source_key: "other",
    });
    const first = await ingestDocument(server, {
      content: `${markdownSections(50)} quetzalgone`,
      source_key: "secret",
      title: "Axolotlgone",
      metadata: { note: "pangolingone" },
    });
    await ingestDocument(server, {
      content: `${markdownSections(45)} okapigone`,
      source_key: "secret",
    });
    const reply = await server.call("DELETE", `/v1/documents/${first}`);
    const { versions, chunks } = reply.json;
    deepStrictEqual(reply.json, { id: first, deleted: true, versions: 2, chunks });
    ok(versions === 2 && chunks > 50);
    const repeated = await server.call("DELETE", `/v1/documents/${first}`);
    strictEqual(repeated.json.code, "DOCUMENT_NOT_FOUND");
    deepStrictEqual(await search(server, { query: "quetzalgone okapigone" }), []);
    deepStrictEqual(await countVersionRows(server), [1, 1, 0]);
    // Stopping the server copies the write-ahead log into the database file.
    await server.restart();
    deepStrictEqual(filesWith(server.directory, "zanzibarkeep").length, 1);
    for (const word of ["quetzalgone", "axolotlgone", "Axolotlgone", "pangolingone", "okapigone"]) {
      deepStrictEqual(filesWith(server.directory, word), [], word);
    }
    strictEqual((await search(server, { query: "zanzibarkeep" })).length, 1);
  });
});

Deno.test("DELETE /v1/documents/{id} leaves no terms in a large index once the server has stopped", async () => {
  await withServer(async (server) => {
    const random = new SeededRandom(20_501);
    const word = () => random.below(2 ** 31).toString(36);
    for (let file = 0; file < 6; file++) {
      const content = Array.from({ length: 120_000 }, word).join(" ").slice(0, 990_000);
      await ingestDocument(server, { content, source_key: `large-${file}` });
    }
    const words = Array.from({ length: 5 }, (_, at) => `quetzal${at}gone`);
    for (const secret of words) {
      const id = await ingestDocument(server, { content: `It is ${secret}`, source_key: secret });
      strictEqual((await server.call("DELETE", `/v1/documents/${id}`)).status, 200);
    }
    await server.restart();
    for (const secret of words) deepStrictEqual(filesWith(server.directory, secret), [], secret);
  });
});

testSqlite(
  "POST and DELETE /v1/documents leave only the chunks of heads in the text index",
  async () => {
    await withServer(async (server) => {
      for (let version = 0; version < 4; version++) {
        await ingestDocument(server, { content: markdownSections(20 + version), source_key: "a" });
      }
      const deleted = await ingestDocument(server, {
        content: markdownSections(10),
        source_key: "b",
      });
      await server.call("DELETE", `/v1/documents/${deleted}`);
      await server.restart();
      const database = new DatabaseSync(databasePath(server.directory), BUSY_TIMEOUT);
      database.exec("insert into chunks_fts (chunks_fts) values ('integrity-check')");
      const indexed = countIndexedChunks(database);
      const totals = database.prepare("select sources, chunks, terms from document_totals").get();
      const head = database.prepare(
        "select 1 as sources, chunks, terms from document_versions where is_head = 1",
      ).get();
      database.close();
      strictEqual(indexed, totals!["chunks"]);
      deepStrictEqual({ ...totals }, { ...head });
    });
  },
);
