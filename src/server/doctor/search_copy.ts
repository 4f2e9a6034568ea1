/** Checks a search copy against the records in PostgreSQL, and its text indexes. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import sql, { type Sql } from "sql-template-tag";
import { COPY_FOLDER } from "../../copies/copies.ts";
import { ANCHOR, type CopyPosition } from "../../copies/feed.ts";
import { copyPath, listOwnFiles, SHARED_FILE } from "../../copies/own_files.ts";
import { readStates } from "../../copies/state.ts";
import { COLUMNS } from "../../memories/repository.ts";
import { Connection } from "../../store/sqlite/connection.ts";
import { asReader } from "../../store/sqlite/store.ts";
import type { Reader } from "../../store/store.ts";
import { chunkIndexProblems, memoryIndexProblems } from "./text_index.ts";

/** Rows to compare at a time. */
const BATCH_ROWS = 1_000;

/**
 * Checks that each project in the copies has exactly the memories, current documents, chunks and
 * vectors of memories that the records had at the copy's position. A copy can be behind: records
 * that have changed since are skipped. Without a copy, there are no problems, since the next search
 * makes one.
 */
export async function* searchCopyProblems(
  records: Reader,
  directory: string,
): AsyncGenerator<string> {
  const root = join(directory, COPY_FOLDER);
  if (!existsSync(copyPath(root, SHARED_FILE))) return;
  for (const file of [SHARED_FILE, ...listOwnFiles(root).map(({ file }) => file)]) {
    const path = copyPath(root, file);
    // A server can remove the file of a project at any time.
    if (existsSync(path)) yield* fileProblems(records, path);
  }
}

async function* fileProblems(records: Reader, path: string): AsyncGenerator<string> {
  const copy = new Connection(path, { readOnly: true });
  try {
    // A server can go on filling the copy. The records are read later, so they are never behind it.
    copy.exec("begin");
    const states = await readStates(asReader(copy));
    yield* memoryIndexProblems(copy);
    yield* chunkIndexProblems(copy);
    for (const [project, state] of states) {
      for await (const problem of projectProblems(copy, records, project, state)) {
        yield `project ${project}: ${problem}`;
      }
    }
  } finally {
    copy.close();
  }
}

async function* projectProblems(
  copy: Connection,
  records: Reader,
  project: number,
  { journal, anchor, vectors }: CopyPosition,
): AsyncGenerator<string> {
  const entry = await records.first<{ anchor: string }>(
    sql`select ${ANCHOR} as anchor from journal where project = ${project} and seq = ${journal}`,
  );
  // The records were restored to an earlier moment, or deleted. The next search starts over.
  if (journal > 0 && entry?.anchor !== anchor) return;
  const changes = await records.all<{ record_id: string }>(
    sql`select distinct record_id from journal where project = ${project} and seq > ${journal}`,
  );
  const changed = new Set(changes.map(({ record_id }) => record_id));
  const models = sql`select number, id, serving from embedding_models order by number`;
  const sameModels = JSON.stringify(copy.all(models)) === JSON.stringify(await records.all(models));
  for (const [what, query] of Object.entries(comparedRows(project))) {
    // After a change of the model, the copy gets all vectors at the next search.
    if (what === "vector" && !sameModels) continue;
    const ofRecords = (after: number) => records.all<ComparedRow>(query(after, vectors));
    const ofCopy = (after: number) => copy.all<ComparedRow>(query(after, null));
    yield* differences(what, ofRecords, ofCopy, changed);
  }
}

/** A row to compare. `record` is the id of the memory or document that it belongs to. */
interface ComparedRow {
  readonly seq: number;
  readonly record: string;
}

/**
 * Returns the queries for which both sides must return the same rows, in the order of `seq`.
 * `vectors` is the number of the last copied vector, or null for those of the copy.
 */
function comparedRows(
  project: number,
): Record<string, (after: number, vectors: number | null) => Sql> {
  const next = (seq: Sql, after: number) =>
    sql`${seq} > ${after} order by ${seq} limit ${BATCH_ROWS}`;
  const seq = sql`seq`;
  return {
    memory: (after) =>
      sql`select id as record, ${COLUMNS}, thread, position from memories
        where project = ${project} and ${next(seq, after)}`,
    document: (after) =>
      sql`select id as record, seq, source_key, version_hash, title, chunks, metadata
        from document_versions where project = ${project} and is_head = 1 and ${next(seq, after)}`,
    chunk: (after) =>
      sql`select version.id as record, c.seq, position, heading_path, content
        from chunks as c join document_versions as version on version.seq = c.version
        where c.project = ${project} and is_head = 1 and ${next(sql`c.seq`, after)}`,
    vector: (after, vectors) =>
      sql`select m.id as record, v.seq, v.vector, s.signs
        from vectors as v join memories as m on m.seq = v.seq
          join embedding_models as model on model.number = v.model and serving = 1
          join vector_signs as s on s.project = v.project and s.model = v.model
            and s.kind = v.kind and s.seq = v.seq
        where v.project = ${project} and v.kind = 0
          and ${vectors === null ? sql`true` : sql`s.number <= ${vectors}`}
          and ${next(sql`v.seq`, after)}`,
  };
}

/** Compares two sorted lists of rows, read in batches. */
async function* differences(
  what: string,
  ofRecords: (after: number) => Promise<ComparedRow[]>,
  ofCopy: (after: number) => ComparedRow[],
  changed: ReadonlySet<string>,
): AsyncGenerator<string> {
  for (let after = 0;;) {
    const [expected, found] = [await ofRecords(after), ofCopy(after)];
    // Rows beyond the end of a full batch can be in the next one.
    const end = Math.min(endOf(expected), endOf(found));
    const copied = new Map(found.filter(({ seq }) => seq <= end).map((row) => [row.seq, row]));
    for (const row of expected) {
      if (row.seq > end) break;
      const inCopy = copied.get(row.seq);
      copied.delete(row.seq);
      if (changed.has(row.record)) continue;
      if (inCopy === undefined) yield `${what} ${row.seq} (${row.record}) is missing`;
      else if (textOf(inCopy) !== textOf(row)) yield `${what} ${row.seq} (${row.record}) differs`;
    }
    for (const { seq, record } of copied.values()) {
      if (!changed.has(record)) yield `${what} ${seq} (${record}) isn't among the records`;
    }
    if (end === Infinity) return;
    after = end;
  }
}

function endOf(batch: readonly ComparedRow[]): number {
  return batch.length < BATCH_ROWS ? Infinity : batch.at(-1)!.seq;
}

function textOf(row: ComparedRow): string {
  // The engines return bytes as different classes, and columns in different orders.
  return JSON.stringify(
    Object.entries(row)
      .map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value])
      .sort(),
  );
}
