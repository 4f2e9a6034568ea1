/**
 * The vectors a search worker keeps in memory. Sign bits are loaded on first use, int8 vectors in
 * small batches while the worker is idle. All are kept up to date and limited in size.
 */

import sql, { type Sql } from "sql-template-tag";
import { LruCache } from "../../kernel/caches/lru_cache.ts";
import { JOURNAL_END, selectChanges } from "../../store/journal_changes.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { minVectorBytes } from "../search_memory.ts";
import { VectorMatrix } from "./vector_matrix.ts";
import { VECTOR_KINDS, type VectorKind } from "./vector_store.ts";

/**
 * Number of rows read at once, for sign bits and for vectors. Rows are read as one string. Larger
 * strings leave the process larger, and an incoming search has to wait for a whole batch.
 */
const SIGN_BATCH_ROWS = 2_048;
const VECTOR_BATCH_ROWS = 256;

/**
 * Maximum number of new vectors loaded right away rather than left to `fill()`. Keeps a matrix
 * complete as long as vectors trickle in.
 */
const MAX_EAGER_ROWS = 2_048;

/** A set of vectors: one project, one kind of record, one model. */
export interface VectorSet {
  readonly project: number;
  readonly kind: VectorKind;
  /** The model's number in this database. */
  readonly model: number;
  readonly dims: number;
}

interface CacheEntry {
  /** Where the vectors are. */
  readonly connection: Connection;
  readonly set: VectorSet;
  readonly matrix: VectorMatrix;
  /** The last `vector_signs` number read. */
  last: number;
  /** Journal position up to which rewritten memories are removed. */
  position: number;
  /** The `seq` up to which vectors are filled in; null once all that fit are. */
  filledTo: number | null;
}

/**
 * Matrices keyed by project, model and kind. Evicts the least recently used one when they exceed
 * the size limit. They can be from several databases, each project from one at a time.
 */
export class VectorCache {
  readonly #maxBytes: number;
  /** Bounded by bytes in `#evict()`, not by number. */
  readonly #entries = new LruCache<string, CacheEntry>(Infinity);

  /** @param maxBytes size limit for all matrices combined */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns a set's matrix as of the connection's snapshot, or null if its sign bits would exceed
   * the size limit.
   *
   * @param total number of records of this kind in the project
   */
  get(connection: Connection, set: VectorSet, total: number): VectorMatrix | null {
    if (minVectorBytes(total, set.dims) > this.#maxBytes) return null;
    const key = `${set.project} ${set.model} ${set.kind}`;
    const known = this.#entries.get(key);
    const cached = known?.connection === connection ? known : undefined;
    // Rewritten memories leave unused rows behind. Once there are many, the matrix is rebuilt.
    const isFragmented = cached !== undefined && cached.matrix.rows > 2 * total + MAX_EAGER_ROWS;
    if (isFragmented) this.#entries.delete(key);
    const entry = cached === undefined || isFragmented ? this.#load(connection, set) : cached;
    this.#entries.set(key, entry);
    this.#catchUp(entry);
    this.#evict(key);
    return entry.matrix;
  }

  /** Forgets the sets of a database, before it's closed. */
  forget(connection: Connection): void {
    for (const [key, entry] of this.#entries) {
      if (entry.connection === connection) this.#entries.delete(key);
    }
  }

  /**
   * Fills in a batch of missing vectors for the most recently used set. Returns false if none are
   * missing.
   */
  fill(): boolean {
    const entry = [...this.#entries.values()].findLast(({ filledTo }) => filledTo !== null);
    if (entry === undefined) return false;
    const { connection, set, matrix } = entry;
    const freeBytes = this.#maxBytes - this.#byteLength();
    const read = freeBytes < 2 * VECTOR_BATCH_ROWS * set.dims ? undefined : readVectors(
      connection,
      set,
      sql`select seq, vector from vectors where project = ${set.project} and model = ${set.model}
        and kind = ${set.kind} and seq > ${entry.filledTo} order by seq limit ${VECTOR_BATCH_ROWS}`,
    );
    if (read !== undefined) matrix.fill(read.seqs, read.vectors);
    entry.filledTo = read?.seqs.length === VECTOR_BATCH_ROWS ? read.seqs.at(-1)! : null;
    return true;
  }

  /**
   * Loads the sign bits of all rows, in record order. The size of the rest of the table doesn't
   * matter.
   */
  #load(connection: Connection, set: VectorSet): CacheEntry {
    const matrix = new VectorMatrix(set.dims);
    const { last, position } = readEnds(connection);
    for (let after = 0;;) {
      const seqs = addSigns(
        connection,
        matrix,
        sql`select seq, signs from vector_signs where project = ${set.project}
          and model = ${set.model} and kind = ${set.kind} and seq > ${after}
          order by seq limit ${SIGN_BATCH_ROWS}`,
      );
      if (seqs.length < SIGN_BATCH_ROWS) {
        return { connection, set, matrix, last, position, filledTo: 0 };
      }
      after = seqs.at(-1)!;
    }
  }

  /** Applies additions and rewrites since the last search. */
  #catchUp(entry: CacheEntry): void {
    const { connection, set, matrix } = entry;
    const { project, model, kind } = set;
    const { last, position } = readEnds(connection);
    if (position > entry.position && kind === VECTOR_KINDS.memory) {
      for (const seq of rewrittenMemories(connection, set, entry.position)) matrix.delete(seq);
    }
    entry.position = position;
    const isEager = last - entry.last <= MAX_EAGER_ROWS;
    while (entry.last < last) {
      const [after, to] = [entry.last, Math.min(last, entry.last + SIGN_BATCH_ROWS)];
      const fresh = sql`from vector_signs as fresh where number > ${after} and number <= ${to}
        and +project = ${project} and +model = ${model} and +kind = ${kind}`;
      const seqs = addSigns(connection, matrix, sql`select seq, signs ${fresh}`);
      if (isEager && this.#byteLength() < this.#maxBytes) {
        const read = readVectors(
          connection,
          set,
          sql`select seq, vector from json_each(${JSON.stringify(seqs)}) as wanted
            cross join vectors on project = ${project} and model = ${model} and kind = ${kind}
              and seq = wanted.value`,
        );
        matrix.fill(read.seqs, read.vectors);
      } else entry.filledTo = Math.min(entry.filledTo ?? Infinity, ...seqs.map((seq) => seq - 1));
      entry.last = to;
    }
  }

  #byteLength(): number {
    let size = 0;
    for (const { matrix } of this.#entries.values()) size += matrix.byteLength;
    return size;
  }

  #evict(keptKey: string): void {
    let size = this.#byteLength();
    for (const [key, { matrix }] of this.#entries) {
      if (size <= this.#maxBytes || key === keptKey) return;
      this.#entries.delete(key);
      size -= matrix.byteLength;
    }
  }
}

/**
 * Returns the memories changed after a journal position that have no vector now. Unlike the other
 * caches, this one reads any number of changes: it only needs rewrites, and the alternative is to
 * reread the sign bits of the whole project.
 */
function rewrittenMemories(
  connection: Connection,
  { project, model, kind }: VectorSet,
  after: number,
): number[] {
  const row = connection.first<{ seqs: string }>(sql`
    select json_group_array(memories.seq) as seqs
    from (${selectChanges(sql`record_id, change`, { project, after, kind: "memory" })}) as journal
    cross join memories on memories.project = ${project} and id = record_id
    where change <> 'ADD'
      and not exists (select 1 from vector_signs as known where known.project = ${project}
        and known.model = ${model} and known.kind = ${kind} and known.seq = memories.seq)`);
  return JSON.parse(row!.seqs);
}

function readEnds(
  connection: Connection,
): { readonly last: number; readonly position: number } {
  return connection.first(sql`select
    (select coalesce(max(number), 0) from vector_signs) as last,
    (${JOURNAL_END}) as position`)!;
}

/**
 * Adds the selected rows. Reading one string rather than a row object each takes an eighth of the
 * time.
 */
function addSigns(connection: Connection, matrix: VectorMatrix, rows: Sql): number[] {
  const row = connection.first<{ seqs: string; signs: string | null }>(sql`
    select json_group_array(seq) as seqs, group_concat(hex(signs), '') as signs from (${rows})`)!;
  const seqs: number[] = JSON.parse(row.seqs);
  if (seqs.length > 0) matrix.add(seqs, Uint8Array.fromHex(row.signs!));
  return seqs;
}

function readVectors(
  connection: Connection,
  { dims }: VectorSet,
  rows: Sql,
): { seqs: number[]; vectors: Int8Array } {
  const row = connection.first<{ seqs: string; vectors: string | null }>(sql`
    select json_group_array(seq) as seqs, group_concat(hex(vector), '') as vectors
    from (${rows}) where length(vector) = ${dims}`)!;
  const bytes = Uint8Array.fromHex(row.vectors ?? "");
  return { seqs: JSON.parse(row.seqs), vectors: new Int8Array(bytes.buffer) };
}
