/**
 * The steps in which the garbage collector removes a version. See version_states.ts for the states.
 */

import sql, { empty } from "sql-template-tag";
import { integers, SKIP_LOCKED } from "../store/sql.ts";
import type { ChunkIndex, Tx } from "../store/store.ts";
import { chunkTerms } from "./row.ts";

/** Maximum number of chunks per step. They need tokenizing again, so a step takes about 10 ms. */
const MAX_STEP_CHUNKS = 60;

/** Number of rows deleted in the time it takes to tokenize one chunk. */
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

/** The versions to collect. */
export interface GcSelection {
  /** Staged versions, which are skipped. */
  readonly pinned: readonly number[];
  /** The project to collect. Defaults to all projects. */
  readonly project?: number;
}

/**
 * Runs one step, covering as many versions as fit, oldest first.
 *
 * @returns false if there was nothing to collect
 */
export async function collectSome(
  tx: Tx,
  index: ChunkIndex,
  selection: GcSelection,
): Promise<boolean> {
  for (let remaining = MAX_STEP_CHUNKS; remaining > 0;) {
    const retired = await findCollectable(tx, selection);
    if (retired === undefined) return remaining < MAX_STEP_CHUNKS;
    remaining -= retired.indexed > 0
      ? await unindexChunks(tx, index, retired, remaining)
      : await deleteRows(tx, retired, remaining);
  }
  return true;
}

/**
 * Leaves out versions that another process is writing or publishing at the moment. From then on, it
 * can't: it would find the row changed, or gone.
 */
function findCollectable(
  tx: Tx,
  { pinned, project }: GcSelection,
): Promise<RetiredVersionRow | undefined> {
  const inProject = project === undefined ? empty : sql`and project = ${project}`;
  return tx.first<RetiredVersionRow>(sql`select version, project, indexed, deleted, title, tags
    from retired_versions
    where version not in ${integers(pinned)} ${inProject}
    order by version limit 1 ${SKIP_LOCKED}`);
}

/** Removes a version's last chunks from the index. Returns how many were removed. */
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
 * Deletes the rows of a version that has left the index: its content and chunks if it was deleted,
 * and, once they're gone, its work list entry.
 *
 * @returns the cost, as the number of chunks that could be tokenized in the same time
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
    // A superseded version can be deleted in the meantime. Then its rows are collected next.
    await tx.run(sql`delete from retired_versions
      where version = ${version} and deleted = ${deleted}`);
  }
  return Math.ceil((rows + 1) / ROWS_PER_CHUNK);
}
