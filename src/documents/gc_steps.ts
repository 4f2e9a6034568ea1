/** The steps in which a version that is no longer needed is cleared away; see retirement.ts. */

import sql, { empty } from "sql-template-tag";
import type { Tx } from "../store/store.ts";
import type { ChunkIndex } from "./chunk_index.ts";
import { chunkTerms } from "./row.ts";

/** Chunks cleared in one unit of work: about 10 ms, for they are tokenized again. */
const MAX_STEP_CHUNKS = 60;

/** Rows that are deleted in the time in which a chunk is tokenized. */
const ROWS_PER_CHUNK = 5;

interface RetiredVersionRow {
  readonly version: number;
  readonly project: number;
  readonly indexed: number;
  readonly deleted: number;
  readonly title: string;
  /** JSON text. */
  readonly tags: string;
}

/** What is cleared. */
export interface GcSelection {
  /** Versions that somebody is about to make heads: they stay. */
  readonly pinned: readonly number[];
  /** Of this project alone, when it is given. */
  readonly project?: number;
}

/** One step of clearing, of as many versions as it can; false when nothing is left to clear. */
export async function collectSome(
  tx: Tx,
  index: ChunkIndex,
  selection: GcSelection,
): Promise<boolean> {
  for (let left = MAX_STEP_CHUNKS; left > 0;) {
    const retired = await findCollectable(tx, selection);
    if (retired === undefined) return left < MAX_STEP_CHUNKS;
    left -= retired.indexed > 0
      ? await unindexChunks(tx, index, retired, left)
      : await deleteRows(tx, retired, left);
  }
  return true;
}

function findCollectable(
  tx: Tx,
  { pinned, project }: GcSelection,
): Promise<RetiredVersionRow | undefined> {
  const ofProject = project === undefined ? empty : sql`and project = ${project}`;
  return tx.first<RetiredVersionRow>(sql`select version, project, indexed, deleted, title, tags
    from retired_versions
    where version not in (select value from json_each(${JSON.stringify(pinned)})) ${ofProject}
    order by version limit 1`);
}

/** Takes the last chunks of a version out of the index; answers how many. */
async function unindexChunks(
  tx: Tx,
  index: ChunkIndex,
  { version, project, indexed, title, tags }: RetiredVersionRow,
  maxChunks: number,
): Promise<number> {
  const from = Math.max(0, indexed - maxChunks);
  const chunks = await tx.all<{ seq: number; heading_path: string; content: string }>(sql`
    select seq, heading_path, content from chunks
    where version = ${version} and position >= ${from} and position < ${indexed}`);
  const parsedTags = JSON.parse(tags);
  for (const { seq, heading_path, content } of chunks) {
    const terms = chunkTerms(project, title, JSON.parse(heading_path), content);
    await index.remove(tx, project, seq, terms, parsedTags);
  }
  await tx.run(sql`update retired_versions set indexed = ${from} where version = ${version}`);
  return indexed - from;
}

/**
 * Deletes rows of a version that is out of the index, if it was deleted, and what is noted of it once
 * none is left. Answers what that costs, in chunks that are tokenized.
 */
async function deleteRows(
  tx: Tx,
  { version, deleted }: RetiredVersionRow,
  maxChunks: number,
): Promise<number> {
  let rows = 0;
  if (deleted === 1) {
    await tx.run(sql`delete from document_contents where version = ${version}`);
    rows = await tx.run(sql`delete from chunks where seq in (select seq from chunks
      where version = ${version} limit ${maxChunks * ROWS_PER_CHUNK})`);
  }
  if (rows < maxChunks * ROWS_PER_CHUNK) {
    await tx.run(sql`delete from retired_versions where version = ${version}`);
  }
  return Math.ceil((rows + 1) / ROWS_PER_CHUNK);
}
