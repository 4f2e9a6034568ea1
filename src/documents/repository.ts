/** SQL for documents: versions, contents, chunks and totals. */

import sql, { empty, join, raw } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "../contract/fields.ts";
import { inScope, type ScopeKey } from "../contract/scope_condition.ts";
import { integerRows, recordRows, rowNumber, texts } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { PreparedChunk } from "./prepare.ts";
import type { ChunkRow, VersionRow } from "./row.ts";
import { HAS_CONTENT, IS_HEAD } from "./version_states.ts";

/** The columns of a {@linkcode VersionRow}. */
export const COLUMNS =
  sql`seq, id, source_key, is_head, content_hash, version_hash, title, mime_type,
  source_uri, user_id, agent_id, run_id, metadata, size_bytes, chunks, terms, chunker_version,
  chunked_as, created_at`;

const CHUNK_COLUMNS = sql`seq, version, position, start_byte, end_byte, heading_path, content`;

/**
 * Inserts a version as its source's head and returns its number.
 *
 * @param reservedSeq number of a staged version, or null to use the next one
 */
export async function insertHead(
  tx: Tx,
  project: number,
  row: Omit<VersionRow, "seq" | "is_head">,
  reservedSeq: number | null,
): Promise<number> {
  const inserted = await tx.first<{ seq: number }>(sql`insert into document_versions
    (seq, project, id, source_key, is_head, content_hash, version_hash, title, mime_type,
     source_uri, user_id, agent_id, run_id, metadata, size_bytes, chunks, terms, chunker_version,
     chunked_as, created_at)
    values (${
    rowNumber(reservedSeq)
  }, ${project}, ${row.id}, ${row.source_key}, 1, ${row.content_hash},
     ${row.version_hash}, ${row.title}, ${row.mime_type}, ${row.source_uri}, ${row.user_id},
     ${row.agent_id}, ${row.run_id}, ${row.metadata}, ${row.size_bytes}, ${row.chunks}, ${row.terms},
     ${row.chunker_version}, ${row.chunked_as}, ${row.created_at})
    returning seq`);
  return inserted!.seq;
}

/** Inserts a version's content. */
export async function insertContent(
  tx: Tx,
  project: number,
  version: number,
  content: string,
): Promise<void> {
  await tx.run(sql`insert into document_contents (version, project, content)
    values (${version}, ${project}, ${content})`);
}

/**
 * Inserts consecutive chunks of a version. Returns their row numbers.
 *
 * @param from position of the first one
 */
export function insertChunks(
  tx: Tx,
  project: number,
  version: number,
  from: number,
  chunks: readonly PreparedChunk[],
): Promise<number[]> {
  // Sent together, which takes one round trip to a database server.
  return Promise.all(
    chunks.map((chunk, index) => insertChunk(tx, project, version, from + index, chunk)),
  );
}

/**
 * Inserts a chunk. Returns its row number.
 *
 * @param seq row number to use. Defaults to the next one
 */
export async function insertChunk(
  tx: Tx,
  project: number,
  version: number,
  position: number,
  chunk: PreparedChunk,
  seq: number | null = null,
): Promise<number> {
  return await tx.insert(sql`insert into chunks
    (seq, project, version, position, start_byte, end_byte, heading_path, content)
    values (${
    rowNumber(seq)
  }, ${project}, ${version}, ${position}, ${chunk.start_byte}, ${chunk.end_byte},
     ${chunk.heading_path}, ${chunk.content})`);
}

/** Clears a version's head flag. */
export async function unsetHead(tx: Tx, project: number, seq: number): Promise<void> {
  await tx.run(sql`update document_versions set is_head = 0
    where project = ${project} and seq = ${seq}`);
}

/** Returns a version if its content is stored, whether or not it's current. */
export function findVersion(
  db: Reader,
  project: number,
  id: string,
): Promise<VersionRow | undefined> {
  return db.first<VersionRow>(sql`select ${COLUMNS} from document_versions
    where project = ${project} and id = ${id} and ${HAS_CONTENT}`);
}

/** Returns a source's current version, if it has one. */
export function findHead(
  db: Reader,
  project: number,
  sourceKey: string,
): Promise<VersionRow | undefined> {
  return db.first<VersionRow>(sql`select ${COLUMNS} from document_versions
    where project = ${project} and source_key = ${sourceKey} and ${IS_HEAD}`);
}

/** Returns the content of a version returned by `findVersion`. */
export async function findContent(db: Reader, project: number, version: number): Promise<string> {
  const row = await db.first<{ content: string }>(sql`select content from document_contents
    where version = ${version} and project = ${project}`);
  return row!.content;
}

/**
 * Returns heads, newest first. Ordered by when they became heads rather than by number, since a
 * large version gets its number when its writing begins.
 */
export async function listHeads(
  db: Reader,
  project: number,
  filter: Scope & { readonly source_key?: string | undefined },
  before: readonly [createdAt: string, id: string] | null,
  count: number,
): Promise<VersionRow[]> {
  const inSource = filter.source_key === undefined
    ? empty
    : sql`and source_key = ${filter.source_key}`;
  const older = before === null ? empty : sql`and (created_at, id) < (${before[0]}, ${before[1]})`;
  const owner = await smallestOwner(db, project, filter);
  return await db.all<VersionRow>(sql`select ${COLUMNS} from document_versions
    where project = ${project} and ${IS_HEAD} and ${HAS_CONTENT}
      ${inScope(filter, owner)} ${inSource} ${older}
    order by created_at desc, id desc limit ${count}`);
}

/** Number of heads up to which those of an owner are counted. Counting them takes a millisecond. */
const MAX_COUNTED_HEADS = 5_000;

/**
 * Returns the column of a scope whose index has the fewest heads. SQLite doesn't know these numbers
 * and prefers an agent, which often has the documents of all users.
 */
async function smallestOwner(
  db: Reader,
  project: number,
  scope: Scope,
): Promise<readonly ScopeKey[]> {
  const owners = SCOPE_KEYS.filter((key) => scope[key] !== undefined);
  if (owners.length < 2) return owners;
  const counts = owners.map((key) =>
    sql`select ${raw(`'${key}'`)} as owner, count(*) as heads from (select 1 from document_versions
      where project = ${project} and ${IS_HEAD} and ${raw(key)} = ${scope[key]}
      limit ${MAX_COUNTED_HEADS}) as counted`
  );
  const smallest = await db.first<{ owner: ScopeKey }>(
    sql`${join(counts, " union all ")} order by heads limit 1`,
  );
  return [smallest!.owner];
}

/** Number of heads per batch of a list by key. */
const HEADS_PER_BATCH = 100;

/** Returns a batch of heads whose sources' keys are between two keys, in the order of the keys. */
export function listHeadsBetween(
  db: Reader,
  project: number,
  after: string,
  before: string,
): Promise<VersionRow[]> {
  return db.all<VersionRow>(sql`select ${COLUMNS} from document_versions
    where project = ${project} and ${IS_HEAD} and ${HAS_CONTENT}
      and source_key > ${after} and source_key < ${before}
    order by source_key limit ${HEADS_PER_BATCH}`);
}

/** Returns the given versions that are current, in any order. */
export function findHeads(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<VersionRow[]> {
  return db.all<VersionRow>(sql`select ${COLUMNS} from document_versions
    where project = ${project} and id in ${texts(ids)}
      and ${IS_HEAD} and ${HAS_CONTENT}`);
}

/** Returns a version's chunks from a given position on, in order. */
export function listChunks(
  db: Reader,
  project: number,
  version: number,
  from: number,
  count: number,
): Promise<ChunkRow[]> {
  return db.all<ChunkRow>(sql`select ${CHUNK_COLUMNS} from chunks
    where project = ${project} and version = ${version} and position >= ${from}
    order by position limit ${count}`);
}

/** A chunk and its version. */
export type CitedChunk =
  & ChunkRow
  & Pick<VersionRow, "title" | "mime_type" | "source_uri" | "metadata" | "size_bytes">
  & Pick<VersionRow, "id" | "source_key" | "user_id" | "agent_id" | "run_id" | "created_at">;

/** Returns chunks by row number, omitting those no longer part of a head. */
export async function findCurrentChunks(
  db: Reader,
  project: number,
  seqs: readonly number[],
): Promise<Map<number, CitedChunk>> {
  const rows = await db.all<CitedChunk>(sql`select chunks.seq, chunks.version, position,
      start_byte, end_byte, heading_path, content, version.id, source_key, user_id, agent_id, run_id,
      title, mime_type, source_uri, version.metadata, size_bytes, created_at
    from ${integerRows(seqs)} as wanted
    cross join chunks on chunks.seq = wanted.value
    cross join document_versions as version on version.seq = chunks.version
    where chunks.project = ${project} and version.project = ${project} and ${IS_HEAD}`);
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Returns chunks by version and position. */
export function findChunksAt(
  db: Reader,
  project: number,
  positions: readonly (readonly [version: number, position: number])[],
): Promise<ChunkRow[]> {
  return db.all<ChunkRow>(sql`select chunks.seq, version, position, start_byte, end_byte,
      heading_path, content
    from ${recordRows(positions)} as wanted
    cross join chunks on version = cast(wanted.value ->> 0 as bigint)
      and position = cast(wanted.value ->> 1 as bigint)
    where project = ${project}`);
}

/** Adds to a project's totals. */
export async function addToTotals(
  tx: Tx,
  project: number,
  { sources, chunks, terms }: { sources: number; chunks: number; terms: number },
): Promise<void> {
  await tx.run(sql`insert into document_totals (project, sources, chunks, terms)
    values (${project}, ${sources}, ${chunks}, ${terms})
    on conflict (project) do update set
      sources = document_totals.sources + excluded.sources,
      chunks = document_totals.chunks + excluded.chunks,
      terms = document_totals.terms + excluded.terms`);
}
