/**
 * Notes the statements that tests run with a store in SQLite, as PostgreSQL would get them, in the
 * file that COMMONPLACE_TEST_STATEMENTS names. `scripts/prepare_statements.ts` prepares them.
 *
 * Statements in other threads and processes aren't noted: chunk batches, which tests run in the
 * main thread too, and searches, which only SQLite executes.
 */

import type { Sql } from "sql-template-tag";
import { render } from "../src/store/postgres/render.ts";
import { SqliteStore } from "../src/store/sqlite/store.ts";
import type { Owner, Reader, Tx } from "../src/store/store.ts";

const file = Deno.env.get("COMMONPLACE_TEST_STATEMENTS");
if (file !== undefined) noteStatements(file);

/**
 * Notes the statements of all stores that are opened from now on. A line has one, as JSON: for
 * PostgreSQL, for SQLite, and where it was run.
 */
function noteStatements(path: string): void {
  const noted = new Set<string>();
  const note = (query: Sql, suffix = ""): Sql => {
    const text = textOf(query) + suffix;
    if (!noted.has(text)) {
      const line = JSON.stringify([text, query.sql, callerOf()]);
      Deno.writeTextFileSync(path, `${line}\n`, { append: true });
    }
    noted.add(text);
    return query;
  };
  const reader = (db: Reader): Reader => ({
    all: (query) => db.all(note(query)),
    first: (query) => db.first(note(query)),
  });
  const transaction = (tx: Tx): Tx => ({
    ...reader(tx),
    run: (query) => tx.run(note(query)),
    post: (query) => tx.post(note(query)),
    insert: (query) => tx.insert(note(query, " returning seq")),
    notify: (channel) => tx.notify(channel),
  });
  const { write, read, queryOne, snapshot } = SqliteStore.prototype;
  SqliteStore.prototype.write = function <T>(owner: Owner, work: (tx: Tx) => Promise<T>) {
    return write.call(this, owner, (tx) => work(transaction(tx))) as Promise<T>;
  };
  SqliteStore.prototype.read = function <T>(work: (db: Reader) => Promise<T>) {
    return read.call(this, (db) => work(reader(db))) as Promise<T>;
  };
  SqliteStore.prototype.queryOne = function <Row>(query: Sql) {
    return queryOne.call(this, note(query)) as Promise<Row | undefined>;
  };
  SqliteStore.prototype.snapshot = async function () {
    const opened = await snapshot.call(this);
    return { ...reader(opened), close: () => opened.close() };
  };
}

/** Returns the path of the file whose code called this module, or an empty string. */
function callerOf(): string {
  const frames = new Error().stack!.split("\n").slice(1);
  const frame = frames.find((line) => !line.includes("/note_statements.ts")) ?? "";
  return /file:\/\/(.*?):\d+/.exec(frame)?.[1] ?? "";
}

/** Returns a statement as PostgreSQL gets it. One that can't be rendered is noted as it is. */
function textOf(query: Sql): string {
  try {
    return render(query).text;
  } catch {
    return query.sql;
  }
}
