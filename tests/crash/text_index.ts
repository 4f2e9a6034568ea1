/** The text index against the records: every posting, compared with an index made anew from them. */

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
 * Leaves a temporary table behind in the connection.
 *
 * @throws Violation that shows the first posting which is missing or should not be there
 */
export async function compareTextIndex(db: Connection): Promise<void> {
  const rebuilt = await rebuild(db);
  try {
    db.exec("create virtual table temp.postings using fts5vocab (main, memories_fts, instance)");
    rebuilt.exec(
      "create virtual table temp.postings using fts5vocab (main, memories_fts, instance)",
    );
    const [kept, made] = [postings(db), postings(rebuilt)];
    while (true) {
      const [one, other] = [kept.next().value, made.next().value];
      if (textOf(one) !== textOf(other)) {
        throw new Violation(`the text index holds ${textOf(one)} where ${textOf(other)} belongs`);
      }
      if (!one) return;
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

/** An index in memory, filled from the records as the service fills its own. */
async function rebuild(db: Connection): Promise<Connection> {
  const made = new Connection(":memory:");
  const schema = db.first<{ sql: string }>(
    sql`select sql from sqlite_master where name = 'memories_fts'`,
  )!;
  made.exec(schema.sql);
  const tx = txOf(made);
  const index = new Fts5Index("memories");
  made.exec("begin");
  for (const row of db.iterate<MemoryRow & { project: number }>(sql`select * from memories`)) {
    await index.add(tx, row.project, row.seq, memoryEntry(row));
  }
  made.exec("commit");
  return made;
}

function txOf(connection: Connection): Tx {
  return {
    all: <Row>(query: Sql) => Promise.resolve(connection.all<Row>(query)),
    first: <Row>(query: Sql) => Promise.resolve(connection.first<Row>(query)),
    run: (query: Sql) => Promise.resolve(connection.run(query)),
    insert: (query: Sql) => Promise.resolve(connection.insert(query)),
    notify: () => {},
  };
}
