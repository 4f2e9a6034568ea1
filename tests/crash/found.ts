/** Reads the database in the model's terms. */

import sql from "sql-template-tag";
import type { HistoryRow } from "../../src/memories/history/history.ts";
import type { Reader } from "../../src/store/store.ts";
import type { FoundArchive } from "./archive.ts";
import { findImports } from "./importer.ts";
import { Violation } from "./violation.ts";
import {
  addedLine,
  deletedLine,
  feedbackLine,
  type LiveRow,
  markOf,
  type MemoryState,
  updatedLine,
} from "./model.ts";

/** A memory found in the database. */
export interface FoundMemory {
  readonly id: string;
  readonly mark: string;
  readonly state: MemoryState;
}

interface Row {
  readonly id: string;
  readonly memory: string;
  readonly user_id: string;
  readonly run_id: string | null;
  readonly importance: number;
}

/** The project of the server's own key. All others contain only imports. */
const PROJECT = 1;

/** Returns everything clients know about. */
export async function findAll(db: Reader) {
  return {
    imports: await findImports(db),
    memories: await findMemories(db),
    operations: await findOperations(db),
    ...await findArchive(db),
  };
}

/** Returns the head versions and the uploads. */
async function findArchive(db: Reader): Promise<Pick<FoundArchive, "heads" | "uploads">> {
  const heads = await db.all<{ source_key: string; content: string }>(sql`select source_key, content
    from document_versions as head join document_contents on version = seq
    where head.project = ${PROJECT} and is_head = 1`);
  const uploads = await db.all<{ source_key: string; id: string; status: string }>(
    sql`select source_key, id, status from source_assets`,
  );
  return {
    heads: new Map(heads.map(({ source_key, content }) => [source_key, content])),
    uploads: new Map(uploads.map(({ source_key, id, status }) => [source_key, { id, status }])),
  };
}

/** Returns every operation's status, keyed by id. */
async function findOperations(db: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ id: string; status: string }>(sql`select id, status from tasks`);
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/**
 * Returns every memory that exists or ever existed, except for inferred ones.
 *
 * @throws Violation if a mark appears twice
 */
async function findMemories(db: Reader): Promise<FoundMemory[]> {
  const rows = new Map(
    (await db.all<Row>(sql`select id, memory, user_id, run_id, importance from memories
      where project = ${PROJECT} and not exists (select 1 from memory_sources
        where project = memories.project and memory_id = memories.id)`))
      .map((row) => [row.id, row]),
  );
  const ratings = new Map(
    (await db.all<{ memory_id: string; rating: string }>(
      sql`select memory_id, rating from memory_feedback where project = ${PROJECT}`,
    ))
      .map((row) => [row.memory_id, row.rating]),
  );
  const histories = Map.groupBy(
    await db.all<HistoryRow>(sql`select * from memory_history
      where project = ${PROJECT} and memory_id not in
      (select memory_id from memory_history where event = 'ADD'
        and source ->> 'kind' = 'inference') order by seq`),
    (row) => row.memory_id,
  );
  const withoutHistory = [...rows.keys(), ...ratings.keys()].find((id) => !histories.has(id));
  if (withoutHistory !== undefined) throw new Violation(`${withoutHistory} has no history`);

  const seen = new Set<string>();
  return [...histories].map(([id, history]) => {
    const mark = markOf(history[0]!.new_memory ?? "");
    if (seen.has(mark)) throw new Violation(`${mark} is stored twice`);
    seen.add(mark);
    const row = rows.get(id);
    const state = {
      live: row === undefined ? null : liveOf(row),
      events: history.map(lineOf),
      rating: ratings.get(id) ?? null,
    };
    return { id, mark, state };
  });
}

function liveOf(row: Row): LiveRow {
  return { text: row.memory, user: row.user_id, run: row.run_id, importance: row.importance };
}

function lineOf(row: HistoryRow): string {
  switch (row.event) {
    case "ADD":
      return addedLine(row.new_memory);
    case "DELETE":
      return deletedLine(row.old_memory);
    case "FEEDBACK":
      return feedbackLine(JSON.parse(row.feedback!).rating ?? null);
    default:
      return updatedLine(row.old_memory, row.new_memory);
  }
}
