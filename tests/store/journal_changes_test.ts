import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import {
  JOURNAL_END,
  journalEndOf,
  selectChanges,
  summarizeChanges,
} from "../../src/store/journal_changes.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { SqliteStore } from "../../src/store/sqlite/store.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** Number of changes after which caches are rebuilt. */
const TOO_MANY_CHANGES = 5_000;

async function withConnection(test: (db: Connection) => void): Promise<void> {
  const directory = makeTempDirSync();
  const store = new SqliteStore(directory);
  const db = new Connection(store.path);
  try {
    test(db);
  } finally {
    db.close();
    await store.close();
    await rm(directory);
  }
}

function append(db: Connection, project: number, kind: string, ids: readonly string[]): void {
  db.run(sql`insert into journal (project, kind, record_id, change, at)
    select ${project}, ${kind}, value, 'ADD', '' from json_each(${JSON.stringify(ids)})`);
}

const COUNT = sql`count(*) as n`;

Deno.test("JOURNAL_END and journalEndOf() return 0 for an empty journal", () =>
  withConnection((db) => {
    strictEqual(db.first<{ position: number }>(JOURNAL_END)!.position, 0);
    strictEqual(db.first<{ position: number }>(journalEndOf(1))!.position, 0);
  }));

Deno.test("journalEndOf() returns the last position of the project", () =>
  withConnection((db) => {
    append(db, 1, "memory", ["a", "b"]);
    append(db, 2, "memory", ["c"]);
    strictEqual(db.first<{ position: number }>(JOURNAL_END)!.position, 3);
    strictEqual(db.first<{ position: number }>(journalEndOf(1))!.position, 2);
  }));

Deno.test("selectChanges() returns the entries of a project and kind after a position", () =>
  withConnection((db) => {
    append(db, 1, "memory", ["a", "b"]);
    append(db, 2, "memory", ["c"]);
    append(db, 1, "document", ["d"]);
    append(db, 1, "memory", ["e"]);
    const ids = (after: number, kind?: "memory") =>
      db.all<{ record_id: string }>(
        selectChanges(sql`record_id`, { project: 1, after, ...kind && { kind } }),
      ).map(({ record_id }) => record_id);
    deepStrictEqual(ids(0), ["a", "b", "d", "e"]);
    deepStrictEqual(ids(1), ["b", "d", "e"]);
    deepStrictEqual(ids(1, "memory"), ["b", "e"]);
  }));

Deno.test("summarizeChanges() returns undefined if there are too many changes", () =>
  withConnection((db) => {
    const ids = Array.from({ length: TOO_MANY_CHANGES }, (_, index) => `mem_${index}`);
    append(db, 1, "memory", ids);
    const summarize = (after: number) =>
      summarizeChanges<{ n: number }>(db, { project: 1, after }, sql`record_id`, COUNT);
    strictEqual(summarize(0), undefined);
    strictEqual(summarize(1)!.n, TOO_MANY_CHANGES - 1);
    strictEqual(summarize(TOO_MANY_CHANGES)!.n, 0);
  }));
