/** The steps in which a version that is no longer needed is cleared away; see retirement.ts. */

import sql, { empty } from "sql-template-tag";
import type { Tx } from "../store/store.ts";
import type { ChunkIndex } from "./chunk_index.ts";
import { chunkTerms } from "./row.ts";

/** Chunks cleared in one unit of work: about 10 ms, for they are tokenized again. */
const CHUNKS_A_UNIT = 60;

interface Retired {
  readonly version: number;
  readonly project: number;
  readonly indexed: number;
  readonly deleted: number;
  readonly title: string;
  /** JSON text. */
  readonly tags: string;
}

/** What is cleared. */
export interface Clearable {
  /** Versions that somebody is about to make heads: they stay. */
  readonly held: readonly number[];
  /** Of this project alone, when it is given. */
  readonly project?: number;
}

/** One step of clearing; false when nothing is left to clear. */
export async function clearSome(
  tx: Tx,
  index: ChunkIndex,
  { held, project }: Clearable,
): Promise<boolean> {
  const ofProject = project === undefined ? empty : sql`and project = ${project}`;
  const retired = await tx.first<Retired>(sql`select version, project, indexed, deleted, title,
    tags from retired_versions
    where version not in (select value from json_each(${JSON.stringify(held)})) ${ofProject}
    order by version limit 1`);
  if (retired === undefined) return false;
  if (retired.indexed > 0) await unindexSome(tx, index, retired);
  else if (retired.deleted === 0 || await deleteSome(tx, retired.version)) {
    await tx.run(sql`delete from retired_versions where version = ${retired.version}`);
  }
  return true;
}

async function unindexSome(
  tx: Tx,
  index: ChunkIndex,
  { version, project, indexed, title, tags }: Retired,
): Promise<void> {
  const from = Math.max(0, indexed - CHUNKS_A_UNIT);
  const chunks = await tx.all<{ seq: number; heading_path: string; content: string }>(sql`
    select seq, heading_path, content from chunks
    where version = ${version} and position >= ${from} and position < ${indexed}`);
  const parsedTags = JSON.parse(tags);
  for (const { seq, heading_path, content } of chunks) {
    const terms = chunkTerms(project, title, JSON.parse(heading_path), content);
    await index.remove(tx, project, seq, terms, parsedTags);
  }
  await tx.run(sql`update retired_versions set indexed = ${from} where version = ${version}`);
}

/** Deletes some rows of a version that is out of the index; true when none is left. */
async function deleteSome(tx: Tx, version: number): Promise<boolean> {
  await tx.run(sql`delete from document_contents where version = ${version}`);
  return await tx.run(sql`delete from chunks where seq in (select seq from chunks
    where version = ${version} limit ${CHUNKS_A_UNIT * 5})`) === 0;
}
