/**
 * Checks that the text index matches the records after any sequence of adds, changes and deletions.
 */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { memoryEntry, type MemoryRow } from "../../src/memories/row.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { indexedTag, indexedTerm } from "../../src/store/sqlite/text_index.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";

/** Returns the index's content as `column term row`, as reported by FTS5. */
function indexed(database: DatabaseSync): string[] {
  database.exec(
    "create virtual table temp.instances using fts5vocab(main, memories_fts, instance)",
  );
  const rows = database.prepare("select col, term, doc from temp.instances").all();
  database.exec("drop table temp.instances");
  return rows.map(({ col, term, doc }) => `${col} ${term} ${doc}`).toSorted();
}

/** Returns the expected index content, computed from the records. */
function expected(database: DatabaseSync): string[] {
  const rows = database.prepare("select * from memories")
    .all() as unknown as (MemoryRow & { project: number })[];
  return rows.flatMap((row) => {
    const { terms, tags } = memoryEntry(row);
    return [
      ...terms.split(" ").filter((term) => term !== "").map((term) =>
        `text ${indexedTerm(row.project, term)} ${row.seq}`
      ),
      ...tags.map((tag) => `tags ${indexedTag(row.project, tag)} ${row.seq}`),
    ];
  }).toSorted();
}

function check({ directory }: TestServer): number {
  const database = new DatabaseSync(databasePath(directory), BUSY_TIMEOUT);
  database.exec("insert into memories_fts (memories_fts) values ('integrity-check')");
  const [actual, wanted] = [indexed(database), expected(database)];
  database.close();
  deepStrictEqual(actual, wanted);
  return actual.length;
}

Deno.test("memories_fts matches the records after adds, changes, deletions and failures", async () => {
  await withServer(async (server) => {
    const texts = [
      "Ana keeps bees; Zürich, 東京都, naïve café – it's 2026!",
      "word word word Word WORD",
      "!!! ... ???",
      "x".repeat(500) + " tail",
      "emoji 😀 and combining e\u0301",
    ];
    const ids: string[] = [];
    for (const [index, text] of texts.entries()) {
      const scope = index % 2 === 0 ? { user_id: "ana" } : { user_id: "bo", run_id: "r" };
      ids.push(await server.add(text, { ...scope, event_date: `2026-0${index + 1}-10` }));
    }
    ok(check(server) > 0);
    const put = (id: string, body: unknown) => server.call("PUT", `/v1/memories/${id}`, { body });
    await put(ids[0]!, { content: "Ana sold the bees" });
    await put(ids[1]!, { memory_type: "goal" });
    await put(ids[2]!, { content: "now it has words" });
    await put(ids[3]!, { importance: 1, metadata: { a: 1 } });
    await put(ids[4]!, { content: "stale", version: "2020-01-01" });
    check(server);
    await server.call("DELETE", `/v1/memories/${ids[1]}`);
    await Promise.all([
      put(ids[0]!, { content: "one" }),
      server.call("DELETE", `/v1/memories/${ids[0]}`),
      put(ids[0]!, { content: "two" }),
      server.add("concurrent"),
      put("mem_unknown", { content: "x" }),
    ]);
    check(server);
    await server.call("DELETE", "/v1/memories?user_id=ana");
    await server.restart();
    check(server);
    await server.call("DELETE", "/v1/memories?user_id=bo");
    strictEqual(check(server), 0, "no entries of deleted memories remain");
  });
});

Deno.test("memories_fts contains separate terms for each project", async () => {
  await withServer(async (server) => {
    const key = await server.createKey("elsewhere");
    await server.add("shared words");
    const body = { content: "shared words", user_id: "ana", infer: false };
    await server.call("POST", "/v1/memories", { key, body });
    const database = new DatabaseSync(databasePath(server.directory), BUSY_TIMEOUT);
    const terms = indexed(database).map((line) => line.split(" ")[1]!);
    database.close();
    strictEqual(new Set(terms).size, terms.length, "the projects share no term");
  });
});
