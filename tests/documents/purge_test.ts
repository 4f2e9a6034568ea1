/** Tests for the purge step that deletes documents. */

import { deepStrictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { documentPurge } from "../../src/documents/purge.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("documentPurge() deletes whole sources until the version limit is reached", async () => {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  try {
    await store.write(
      "maintenance",
      (tx) =>
        tx.run(sql`insert into projects (number, id, name, created_at) values (1, 'a', 'a', '')`),
    );
    for (let at = 0; at < 15; at++) {
      const source = `source-${Math.floor(at / 5)}`;
      await store.write("maintenance", (tx) =>
        tx.run(sql`insert into document_versions
          (seq, project, id, source_key, is_head, content_hash, version_hash, title, mime_type,
           user_id, metadata, size_bytes, chunks, terms, chunker_version, chunked_as, created_at)
          values (${at + 1}, 1, ${`doc_${at}`}, ${source}, ${Number(at % 5 === 4)}, 'c', 'v', 'T',
           'text/plain', 'ana', '{}', 1, 0, 0, 1, 'text/plain', '2026-01-01T00:00:00.000Z')`));
    }
    const purge = documentPurge(store);
    const unit = () => store.write("maintenance", (tx) => purge.run(tx, 1, 6));
    deepStrictEqual([await unit(), await unit(), await unit(), await unit()], [10, 5, 1, 0]);
  } finally {
    await store.close();
    await rm(directory);
  }
});
