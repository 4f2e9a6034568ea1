/**
 * Checks the text indexes against the records: rebuilds the expected index and compares the two row
 * by row.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { chunkTerms, versionTags } from "../../documents/row.ts";
import { IS_HEAD } from "../../documents/version_states.ts";
import { COLUMNS } from "../../memories/repository.ts";
import { memoryEntry, type MemoryRow } from "../../memories/row.ts";
import { termHash } from "../../search/query/terms.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { Fts5Index, type TextIndexName, textTable } from "../../store/sqlite/text_index.ts";
import { asReader } from "../../store/sqlite/store.ts";
import type { TextEntry } from "../../store/store.ts";

/** Sum of hashes per index row. Rows with the same words in the same columns have the same sum. */
type TermSums = Map<number, number>;

interface Expected {
  readonly project: number;
  readonly seq: number;
  readonly entry: TextEntry;
}

/** Checks the memory text index. */
export function* memoryIndexProblems(connection: Connection): Generator<string> {
  const rows = connection.iterate<MemoryRow & { project: number }>(
    sql`select project, ${COLUMNS} from memories`,
  );
  yield* indexProblems(connection, "memories", entries(rows, memoryEntry));
}

function* entries<Row extends { readonly project: number; readonly seq: number }>(
  rows: Iterable<Row>,
  entryOf: (row: Row) => TextEntry,
): Generator<Expected> {
  for (const row of rows) yield { project: row.project, seq: row.seq, entry: entryOf(row) };
}

interface IndexedChunk {
  readonly project: number;
  readonly seq: number;
  readonly title: string;
  readonly heading_path: string;
  readonly content: string;
}

/** Checks the chunk text index. */
export function* chunkIndexProblems(connection: Connection): Generator<string> {
  yield* indexProblems(connection, "chunks", expectedChunks(connection));
}

/**
 * Yields the chunks of current versions, plus those of replaced versions not yet removed from the
 * index.
 */
function* expectedChunks(connection: Connection): Generator<Expected> {
  const current = sql`select chunks.project, chunks.seq, title, heading_path, content, source_key,
      user_id, agent_id, run_id
    from chunks join document_versions as version on version.seq = chunks.version
    where ${IS_HEAD}`;
  const entryOf = (row: IndexedChunk, tags: readonly string[]): TextEntry => {
    const { impactTerms } = chunkTerms(
      row.project,
      row.title,
      JSON.parse(row.heading_path),
      row.content,
    );
    return { terms: impactTerms, tags, prefixed: true };
  };
  type Cited = IndexedChunk & Parameters<typeof versionTags>[0];
  yield* entries(
    connection.iterate<Cited>(current),
    (row) => entryOf(row, versionTags(row)),
  );
  const retired = sql`select chunks.project, chunks.seq, title, heading_path, content, tags
    from chunks join retired_versions as retired on retired.version = chunks.version
    where position < indexed`;
  yield* entries(
    connection.iterate<IndexedChunk & { readonly tags: string }>(retired),
    (row) => entryOf(row, JSON.parse(row.tags)),
  );
}

function* indexProblems(
  connection: Connection,
  name: TextIndexName,
  expected: Iterable<Expected>,
): Generator<string> {
  const found = termSums(connection, name);
  const expectedByRow = expectedSums(connection, name, expected);
  for (const [seq, sum] of expectedByRow) {
    const indexed = found.get(seq);
    if (indexed === undefined) yield `row ${seq} of ${name} is missing from the index`;
    else if (indexed !== sum) yield `row ${seq} of ${name} is indexed with other words`;
    found.delete(seq);
  }
  for (const seq of found.keys()) {
    yield `the index contains row ${seq} of ${name}, which doesn't exist`;
  }
}

/**
 * Builds the same table in memory with the same code, as the terms depend on the index's tokenizer.
 */
function expectedSums(
  connection: Connection,
  name: TextIndexName,
  expected: Iterable<Expected>,
): TermSums {
  const table = textTable(name);
  const memory = new Connection(":memory:");
  try {
    const schema = connection.first<{ sql: string }>(
      sql`select sql from sqlite_master where name = ${table}`,
    );
    memory.exec(schema!.sql);
    memory.exec("begin");
    const index = new Fts5Index(name);
    const tx = {
      ...asReader(memory),
      run: (query: Sql) => Promise.resolve(memory.run(query)),
      post: (query: Sql) => void memory.run(query),
      insert: (query: Sql) => Promise.resolve(memory.insert(query)),
      notify() {},
    };
    // The connection is synchronous, so the row is inserted before `add` returns its promise.
    for (const { project, seq, entry } of expected) void index.add(tx, project, seq, entry);
    memory.exec("commit");
    return termSums(memory, name);
  } finally {
    memory.close();
  }
}

function termSums(connection: Connection, name: TextIndexName): TermSums {
  const table = textTable(name);
  connection.exec(
    `create virtual table temp.words using fts5vocab('main', '${table}', 'instance')`,
  );
  const sums: TermSums = new Map();
  // Rows are grouped by term, the table's own order. Reading one row per occurrence takes ten times
  // as long. `col` is null for an index without columns.
  const rows = connection.iterate<{ term: string; tagged: string; said: string }>(
    sql`select term, json_group_array(doc) filter (where col is 'tags') as tagged,
      json_group_array(doc) filter (where col is not 'tags') as said
      from ${raw("temp.words")} group by term`,
  );
  for (const { term, tagged, said } of rows) {
    for (const [column, docs] of [["tags", tagged], ["said", said]]) {
      const hash = termHash(`${column} ${term}`);
      for (const doc of JSON.parse(docs!)) sums.set(doc, (sums.get(doc) ?? 0) + hash);
    }
  }
  connection.exec("drop table temp.words");
  return sums;
}
