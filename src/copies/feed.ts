/** Reads what a search copy lacks of a project, at one point in time. */

import sql, { type Sql } from "sql-template-tag";
import { COLUMNS as VERSION_COLUMNS } from "../documents/repository.ts";
import type { ChunkRow, VersionRow } from "../documents/row.ts";
import { COLUMNS as MEMORY_COLUMNS } from "../memories/repository.ts";
import type { MemoryRow } from "../memories/row.ts";
import type { ScopeTotal } from "../memories/scope_counters.ts";
import type { ModelRow } from "../search/vectors/vector_store.ts";
import { timestamp } from "../kernel/clock.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { JournalKind } from "../store/journal.ts";
import { integers, texts } from "../store/sql.ts";
import type { Reader, Store } from "../store/store.ts";

/** Maximum number of journal entries, and of vectors, per batch. */
const MAX_BATCH_ENTRIES = 2_000;
const MAX_BATCH_VECTORS = 2_000;
/** Maximum number of documents per batch. Each can have a megabyte of content. */
const MAX_BATCH_DOCUMENTS = 16;
/** Maximum size of a batch's memories, in bytes. Two batches are in memory at the same time. */
const MAX_BATCH_MEMORY_BYTES = 8 * 2 ** 20;
/** How long after a read it's recorded at the latest, in milliseconds. Later ones come first. */
const MAX_RECORDING_MS = 5 * 60_000;

/** How far a project has been copied. */
export interface CopyPosition {
  /** Number of the last copied journal entry, and its content, to recognize it. */
  readonly journal: number;
  readonly anchor: string;
  /** Number of the last copied vector, and what it belongs to, to recognize it. */
  readonly vectors: number;
  readonly vectorAnchor: string;
  /**
   * Time of the latest read of a memory that was copied. Reads aren't recorded in their order, so
   * earlier ones that follow it are copied with the next change.
   */
  readonly accessed: string;
}

/** A position before everything. */
export const COPY_START: CopyPosition = {
  journal: 0,
  anchor: "",
  vectors: 0,
  vectorAnchor: "",
  accessed: "",
};

/** A memory with its position in a thread. */
export type CopiedMemory = MemoryRow & {
  readonly thread: number | null;
  readonly position: number | null;
};

/** A vector with its sign bits. */
export interface CopiedVector {
  readonly number: number;
  readonly model: number;
  readonly kind: number;
  readonly seq: number;
  readonly vector: Uint8Array;
  readonly signs: Uint8Array;
}

/** An entry of a memory's history that ended it. */
export interface CopiedEnd {
  readonly seq: number;
  readonly id: string;
  readonly memory_id: string;
  readonly changes: string | null;
  readonly source: string;
  readonly created_at: string;
}

/** The next part of a project. */
export interface CopyBatch {
  readonly position: CopyPosition;
  /** Whether there's more. */
  readonly more: boolean;
  readonly entries: readonly JournalCopy[];
  readonly memories: readonly CopiedMemory[];
  readonly ends: readonly CopiedEnd[];
  readonly totals: readonly ScopeTotal[];
  readonly documentTotals: Readonly<Record<"sources" | "chunks" | "terms", number>> | undefined;
  /** Heads among the documents of the entries, with their chunks. */
  readonly heads: readonly { readonly version: VersionRow; readonly chunks: readonly ChunkRow[] }[];
  readonly models: readonly ModelRow[];
  readonly vectors: readonly CopiedVector[];
  readonly accesses: readonly MemoryAccess[];
}

/** How often, and when, a memory was last read. */
export interface MemoryAccess {
  readonly memory_id: string;
  readonly count: number;
  readonly last_at: string;
}

/** A journal entry. */
export interface JournalCopy {
  readonly seq: number;
  readonly kind: JournalKind;
  readonly record_id: string;
  readonly change: string;
  readonly at: string;
}

/** Where a project's records end, to compare with a copy. */
export interface ProjectEnd {
  readonly journal: number;
  readonly vectors: number;
  readonly accessed: string;
  /** Number of memories and chunks. */
  readonly records: number;
  /** How many models there are, and which one is in service. */
  readonly models: string;
  /** The content of the copy's last entry. Undefined if there is no such entry any more. */
  readonly anchor: string | undefined;
  /** What the copy's last vector belongs to. Undefined if there is no such vector any more. */
  readonly vectorAnchor: string | undefined;
}

/** Content of a journal entry. After a restore, another one may have the same number. */
export const ANCHOR = sql`record_id || ' ' || change || ' ' || at`;

/** What a vector belongs to. After a restore, another one may have the same number. */
export const VECTOR_ANCHOR = sql`model || ' ' || kind || ' ' || seq`;

/** Returns where a project ends, in a single statement. */
export async function projectEnd(
  store: Store,
  project: number,
  { journal, vectors }: CopyPosition,
): Promise<ProjectEnd> {
  type Row = Omit<ProjectEnd, "anchor" | "vectorAnchor"> & {
    anchor: string | null;
    vector_anchor: string | null;
  };
  const row = await store.queryOne<Row>(
    sql`select
      (select coalesce(max(seq), 0) from journal where project = ${project}) as journal,
      (select coalesce(max(number), 0) from vector_signs where project = ${project}) as vectors,
      (select coalesce(max(last_at), '') from memory_access where project = ${project}) as accessed,
      coalesce((select total_memories from scope_totals
        where project = ${project} and type = 'project' limit 1), 0) +
        coalesce((select chunks from document_totals where project = ${project}), 0) as records,
      (select cast(count(*) as text) || ' ' || cast(coalesce(sum(number), 0) as text) || ' ' ||
        cast(coalesce(sum(number * serving), 0) as text) from embedding_models) as models,
      (select ${ANCHOR} from journal where project = ${project} and seq = ${journal}) as anchor,
      (select ${VECTOR_ANCHOR} from vector_signs
        where project = ${project} and number = ${vectors}) as vector_anchor`,
  );
  const { anchor, vector_anchor, ...end } = row!;
  return { ...end, anchor: anchor ?? undefined, vectorAnchor: vector_anchor ?? undefined };
}

/**
 * Checks whether a position is one of these records, rather than of those before a restore to an
 * earlier moment. Numbers are given out a second time after it.
 */
export function isPositionOf(position: CopyPosition, end: ProjectEnd): boolean {
  return position.journal === 0 || end.anchor === position.anchor;
}

/**
 * Returns which of the projects exist, and which have changed after a journal entry, up to `end`.
 *
 * @param after undefined if it isn't known, and then neither are the changes
 */
export function findChanges(
  store: Store,
  projects: readonly number[],
  after: number | undefined,
  end: number,
): Promise<{ existing: ReadonlySet<number>; changed: ReadonlySet<number> | null }> {
  return store.read(async (db) => {
    const existing = await db.all<{ number: number }>(sql`select number from projects
      where number in ${integers(projects)}`);
    const changed = after === undefined ? null : await db.all<{ project: number }>(
      sql`select distinct project from journal where seq > ${after} and seq <= ${end}`,
    );
    return {
      existing: new Set(existing.map(({ number }) => number)),
      changed: changed && new Set(changed.map(({ project }) => project)),
    };
  });
}

/**
 * Yields a project's parts after a position. While the caller applies one, the next one is read
 * already.
 */
export async function* readBatches(
  store: Pick<Store, "read">,
  project: number,
  after: CopyPosition,
): AsyncGenerator<CopyBatch> {
  let next = readBatch(store, project, after);
  for (let more = true; more;) {
    const batch = await next;
    more = batch.more;
    if (more) next = readBatch(store, project, batch.position);
    // It can fail while the caller applies this one. The next `await` throws that error.
    next.catch(() => undefined);
    try {
      yield batch;
    } finally {
      // The caller may have stopped.
      await next.catch(() => undefined);
    }
  }
}

/** Reads the next part of a project after a position. */
function readBatch(
  store: Pick<Store, "read">,
  project: number,
  after: CopyPosition,
): Promise<CopyBatch> {
  return store.read(async (db) => {
    const found = await db.all<JournalCopy>(sql`select seq, kind, record_id, change, at
      from journal where project = ${project} and seq > ${after.journal}
      order by seq limit ${MAX_BATCH_ENTRIES}`);
    const entries = await withFewBytes(db, project, withFewDocuments(found));
    const idsOf = (kind: string) => [
      ...new Set(entries.filter((entry) => entry.kind === kind).map(({ record_id }) => record_id)),
    ];
    const memoryIds = idsOf("memory");
    const last = entries.at(-1);
    const isLast = entries.length === found.length && found.length < MAX_BATCH_ENTRIES;
    // Vectors belong to records that have been copied before, so they come last.
    const vectors = isLast ? await readVectors(db, project, after.vectors) : [];
    const lastVector = vectors.at(-1);
    const accesses = await db.all<MemoryAccess>(sql`select memory_id, count, last_at
      from memory_access where project = ${project} and last_at >= ${earlier(after.accessed)}`);
    return {
      position: {
        journal: last?.seq ?? after.journal,
        anchor: last === undefined ? after.anchor : `${last.record_id} ${last.change} ${last.at}`,
        vectors: lastVector?.number ?? after.vectors,
        vectorAnchor: lastVector === undefined
          ? after.vectorAnchor
          : `${lastVector.model} ${lastVector.kind} ${lastVector.seq}`,
        accessed: accesses.reduce((at, { last_at }) => last_at > at ? last_at : at, after.accessed),
      },
      more: !isLast || vectors.length === MAX_BATCH_VECTORS,
      entries,
      memories: await selectByIds<CopiedMemory>(
        db,
        sql`${MEMORY_COLUMNS}, thread, position`,
        sql`memories where project = ${project} and id`,
        memoryIds,
      ),
      ends: await selectByIds<CopiedEnd>(
        db,
        sql`seq, id, memory_id, changes, source, created_at`,
        sql`memory_history where project = ${project} and event = 'INVALIDATE' and memory_id`,
        memoryIds,
      ),
      totals: await db.all<ScopeTotal>(sql`select type, id, total_memories, created_at, updated_at
        from scope_totals where project = ${project} and type = 'project'`),
      documentTotals: await db.first(sql`select sources, chunks, terms from document_totals
        where project = ${project}`),
      heads: await readHeads(db, project, idsOf("document")),
      models: await db.all<ModelRow>(
        sql`select number, id, dims, position, serving from embedding_models order by number`,
      ),
      vectors,
      accesses,
    };
  });
}

/** Returns the entries up to the last document that a batch has room for. */
function withFewDocuments(entries: readonly JournalCopy[]): readonly JournalCopy[] {
  const documents = new Set<string>();
  const end = entries.findIndex(({ kind, record_id }) =>
    kind === "document" && documents.add(record_id).size > MAX_BATCH_DOCUMENTS
  );
  return end < 0 ? entries : entries.slice(0, end);
}

/** Returns the entries up to the last memory that a batch has room for. */
async function withFewBytes(
  db: Reader,
  project: number,
  entries: readonly JournalCopy[],
): Promise<readonly JournalCopy[]> {
  const ids = new Set(
    entries.filter(({ kind }) => kind === "memory").map(({ record_id }) => record_id),
  );
  if (ids.size * LIMITS.memoryTextBytes <= MAX_BATCH_MEMORY_BYTES) return entries;
  const rows = await db.all<{ id: string; bytes: number }>(sql`select id,
      octet_length(memory) as bytes
    from memories where project = ${project} and id in ${texts(ids)}`);
  const sizes = new Map(rows.map(({ id, bytes }) => [id, bytes]));
  let total = 0;
  const end = entries.findIndex(({ kind, record_id }) => {
    if (kind !== "memory") return false;
    total += sizes.get(record_id) ?? 0;
    // A memory that's in several entries counts once.
    sizes.delete(record_id);
    return total > MAX_BATCH_MEMORY_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Returns a time from which on all reads have been recorded that weren't before. */
function earlier(accessed: string): string {
  return accessed === "" ? "" : timestamp(Date.parse(accessed) - MAX_RECORDING_MS);
}

async function selectByIds<Row>(
  db: Reader,
  columns: Sql,
  source: Sql,
  ids: readonly string[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  return await db.all<Row>(sql`select ${columns} from ${source} in ${texts(ids)} order by seq`);
}

async function readHeads(db: Reader, project: number, ids: readonly string[]) {
  const versions = await selectByIds<VersionRow>(
    db,
    VERSION_COLUMNS,
    sql`document_versions where project = ${project} and is_head = 1 and id`,
    ids,
  );
  const heads = [];
  for (const version of versions) {
    const chunks = await db.all<ChunkRow>(sql`select seq, version, position, start_byte, end_byte,
        heading_path, content from chunks
      where project = ${project} and version = ${version.seq} order by position`);
    heads.push({ version, chunks });
  }
  return heads;
}

function readVectors(db: Reader, project: number, after: number): Promise<CopiedVector[]> {
  return db.all<CopiedVector>(sql`select s.number, s.model, s.kind, s.seq, s.signs, v.vector
    from vector_signs s join vectors v on v.project = s.project and v.model = s.model
      and v.kind = s.kind and v.seq = s.seq
    where s.project = ${project} and s.number > ${after}
    order by s.number limit ${MAX_BATCH_VECTORS}`);
}
