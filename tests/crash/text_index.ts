/** Compares every posting in the text index with an index rebuilt from the records. */

import sql, { type Sql } from "sql-template-tag";
import { memoryEntry, type MemoryRow } from "../../src/memories/row.ts";
import type { Tx } from "../../src/store/store.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { Fts5Index } from "../../src/store/sqlite/text_index.ts";
import { Violation } from "./violation.ts";

interface Posting {
  readonly term: string;
  readonly doc: number;
  readonly col: string;
  readonly offset: number;
}

/**
 * Compares all postings. Leaves a temporary table behind in the connection.
 *
 * @throws Violation showing the first missing or unexpected posting
 */
export async function compareTextIndex(db: Connection): Promise<void> {
  const rebuilt = await rebuild(db);
  try {
    db.exec("create virtual table temp.postings using fts5vocab (main, memories_fts, instance)");
    rebuilt.exec(
      "create virtual table temp.postings using fts5vocab (main, memories_fts, instance)",
    );
    const [stored, expected] = [postings(db), postings(rebuilt)];
    while (true) {
      const [found, wanted] = [stored.next().value, expected.next().value];
      if (textOf(found) !== textOf(wanted)) {
        throw new Violation(`the text index contains ${textOf(found)}, expected ${textOf(wanted)}`);
      }
      if (!found) return;
    }
  } finally {
    rebuilt.close();
  }
}

function postings(db: Connection): Generator<Posting, void> {
  return db.iterate<Posting>(sql`select term, doc, col, "offset" from temp.postings`);
}

function textOf(posting: Posting | void): string {
  return posting ? `${posting.term} of ${posting.doc} at ${posting.col}:${posting.offset}` : "none";
}

/**
 * Returns an in-memory index, populated from the records just like the service populates its own.
 */
async function rebuild(db: Connection): Promise<Connection> {
  const memory = new Connection(":memory:");
  const schema = db.first<{ sql: string }>(
    sql`select sql from sqlite_master where name = 'memories_fts'`,
  )!;
  memory.exec(schema.sql);
  const tx = txOf(memory);
  const index = new Fts5Index("memories");
  memory.exec("begin");
  for (const row of db.iterate<MemoryRow & { project: number }>(sql`select * from memories`)) {
    await index.add(tx, row.project, row.seq, memoryEntry(row));
  }
  memory.exec("commit");
  return memory;
}

function txOf(connection: Connection): Tx {
  return {
    all: <Row>(query: Sql) => Promise.resolve(connection.all<Row>(query)),
    first: <Row>(query: Sql) => Promise.resolve(connection.first<Row>(query)),
    run: (query: Sql) => Promise.resolve(connection.run(query)),
    post: (query: Sql) => void connection.run(query),
    insert: (query: Sql) => Promise.resolve(connection.insert(query)),
    notify: () => {},
  };
}
