/** SQL queries behind the dashboard's own lists. Every statement reads a bounded number of rows. */

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { type Scope, SCOPE_KEYS } from "../../contract/fields.ts";
import { COLUMNS as VERSION_COLUMNS } from "../../documents/repository.ts";
import type { VersionRow } from "../../documents/row.ts";
import type { Position } from "../../kernel/http/cursor.ts";
import type { Dated } from "../../kernel/newest_first.ts";
import { COLUMNS as MEMORY_COLUMNS } from "../../memories/repository.ts";
import type { MemoryRow } from "../../memories/row.ts";
import { inSmallestScope } from "../../memories/scope_counters.ts";
import { texts } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { type AssetRow, COLUMNS as ASSET_COLUMNS } from "../../uploads/repository.ts";
import type { MemoriesQuery, Slot } from "./schema.ts";

/**
 * Maximum number of rows scanned for one filtered page. We don't keep an index for every memory
 * type and validity, so if few of the scanned rows match, the page comes back short and its cursor
 * continues after the last scanned row.
 */
const MAX_SCANNED_ROWS = 20_000;

/** Maximum number of memories to summarize claims for, newest first. */
const MAX_SUMMARIZED_MEMORIES = 20_000;

/** Maximum number of slots listed. */
const MAX_SLOTS = 200;

/**
 * Returns the columns a memory list is sorted by. Scope indexes contain times, whereas the unscoped
 * list is sorted by id, which begins with the time.
 */
function sortColumns(scope: Scope): readonly ("created_at" | "id")[] {
  return SCOPE_KEYS.some((key) => scope[key] !== undefined) ? ["created_at", "id"] : ["id"];
}

/**
 * Returns up to `count` memories, newest first, along with where the scan ended, or null if there
 * are no more rows.
 */
export async function browseMemories(
  db: Reader,
  project: number,
  query: Omit<MemoriesQuery, "limit" | "cursor">,
  now: string,
  after: Position | null,
  count: number,
): Promise<{ readonly rows: MemoryRow[]; readonly next: Position | null }> {
  const by = sortColumns(query);
  const key = raw(by.join(", "));
  const order = raw(by.map((column) => `${column} desc`).join(", "));
  const before = after === null ? empty : sql`and (${key}) < (${join([...after])})`;
  const hasOwners = await inSmallestScope(db, project, query);
  const scan = (columns: Sql, maxRows: number) =>
    sql`select ${columns} from memories where project = ${project} ${hasOwners} ${before}
      order by ${order} limit ${maxRows}`;
  const conditions = filterConditions(query, now);
  const found = await db.all<MemoryRow>(
    conditions.length === 0
      ? scan(MEMORY_COLUMNS, count + 1)
      : sql`select * from (${scan(MEMORY_COLUMNS, MAX_SCANNED_ROWS)}) as newest
          where ${join(conditions, " and ")} order by ${order} limit ${count + 1}`,
  );
  const rows = found.slice(0, count);
  const positionOf = (row: Dated) => by.map((column) => row[column]);
  if (found.length > count) return { rows, next: positionOf(rows.at(-1)!) };
  if (conditions.length === 0) return { rows, next: null };
  const last = await db.first<Dated>(
    sql`select ${key} from (${scan(key, MAX_SCANNED_ROWS)}) as scanned limit 1
      offset ${MAX_SCANNED_ROWS - 1}`,
  );
  return { rows, next: last === undefined ? null : positionOf(last) };
}

function filterConditions(
  query: Pick<MemoriesQuery, "memory_type" | "validity">,
  now: string,
): Sql[] {
  const { memory_type, validity } = query;
  const conditions: Sql[] = [];
  if (memory_type !== undefined) conditions.push(sql`memory_type = ${memory_type}`);
  if (validity === "ended") conditions.push(sql`valid_to <= ${now}`);
  if (validity === "holds") conditions.push(sql`(valid_to is null or valid_to > ${now})`);
  return conditions;
}

/** Returns the inference tasks behind a memory. `messages` is JSON. */
export function listSources(
  db: Reader,
  project: number,
  id: string,
): Promise<{ operation_id: string; messages: string }[]> {
  return db.all(sql`select operation_id, messages from memory_sources
    where project = ${project} and memory_id = ${id} order by operation_id`);
}

/** Returns memory texts by id, leaving out deleted memories. */
export async function findTexts(
  db: Reader,
  project: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.all<{ id: string; memory: string }>(sql`select id, memory from memories
    where project = ${project} and id in ${texts(ids)}`);
  return new Map(rows.map((row) => [row.id, row.memory]));
}

/** Returns the id of the latest memory to supersede this one, or null. */
export async function findSuccessorId(db: Reader, project: number, id: string) {
  const row = await db.first<{ by: string | null }>(
    sql`select changes -> 'superseded_by' ->> 'to' as by from memory_history
    where project = ${project} and memory_id = ${id} and event = 'INVALIDATE'
    order by seq desc limit 1`,
  );
  return row?.by ?? null;
}

/**
 * Returns the slots with claims in a scope's memories, most recent first. The cross join keeps the
 * memories in the outer loop. Without it, SQLite would read every claim.
 */
export async function listSlots(db: Reader, project: number, scope: Scope): Promise<Slot[]> {
  return await db.all<Slot>(sql`select max(c.subject) as subject, c.attribute,
      count(distinct c.memory_id) as memories, max(m.created_at) as last_at
    from (select id, created_at from memories where project = ${project}
        ${await inSmallestScope(db, project, scope)}
      order by created_at desc, id desc limit ${MAX_SUMMARIZED_MEMORIES}) m
    cross join memory_claims c on c.project = ${project} and c.memory_id = m.id
    group by c.subject_key, c.attribute order by last_at desc, c.subject_key, c.attribute
    limit ${MAX_SLOTS}`);
}

/** A document version and the file it was extracted from, if any. */
export interface VersionWithFile extends VersionRow {
  readonly filename: string | null;
  readonly file_type: string | null;
  readonly file_bytes: number | null;
  readonly page_count: number | null;
  readonly extractor: string | null;
}

/** Returns a source's versions, newest first. */
export function listVersions(
  db: Reader,
  project: number,
  sourceKey: string,
  before: number | null,
  count: number,
): Promise<VersionWithFile[]> {
  const after = before === null ? empty : sql`and seq < ${before}`;
  // deno-lint-ignore commonplace-sql/named-columns -- the subquery names them
  return db.all<VersionWithFile>(sql`select version.*, file.filename,
      file.content_type as file_type, file.size_bytes as file_bytes, file.page_count, file.extractor
    from (select ${VERSION_COLUMNS} from document_versions
      where project = ${project} and source_key = ${sourceKey} ${after}
      order by seq desc limit ${count}) version
    left join source_assets file on file.seq = (select max(seq) from source_assets
      where project = ${project} and document_id = version.id)
    order by version.seq desc`);
}

/** Returns the uploads of operations. */
export function findUploads(
  db: Reader,
  project: number,
  operations: readonly string[],
): Promise<Pick<AssetRow, "operation_id" | "filename" | "document_id">[]> {
  return db.all(sql`select operation_id, filename, document_id from source_assets
    where project = ${project} and operation_id in ${texts(operations)}`);
}

/** Returns uploads in every state, newest first. */
export function listUploads(
  db: Reader,
  project: number,
  before: string | null,
  count: number,
): Promise<AssetRow[]> {
  const after = before === null ? empty : sql`and id < ${before}`;
  return db.all<AssetRow>(sql`select ${ASSET_COLUMNS} from source_assets
    where project = ${project} ${after} order by id desc limit ${count}`);
}
