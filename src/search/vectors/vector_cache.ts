/**
 * The vectors that a search worker holds in memory: sign bits loaded when first needed, the int8
 * vectors little by little when there is nothing else to do, all kept up and bounded.
 */

import sql, { type Sql } from "sql-template-tag";
import { signByteLength } from "../../embedding/quantize.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { VectorMatrix } from "./vector_matrix.ts";
import { VECTOR_KINDS, type VectorKind } from "./vector_store.ts";

/**
 * Rows whose signs are read at once, and whose vectors are: what is read as text in larger pieces
 * leaves the process larger, and a search that comes meanwhile waits for the piece.
 */
const SIGN_BATCH_ROWS = 2_048;
const VECTOR_BATCH_ROWS = 256;

/** New vectors that need not wait to be filled in, so that nothing is left behind. */
const MAX_EAGER_ROWS = 2_048;

/** Which vectors: those of a kind of records of a project, made by a model. */
export interface VectorSet {
  readonly project: number;
  readonly kind: VectorKind;
  /** The number of the model in this database. */
  readonly model: number;
  readonly dims: number;
}

interface CacheEntry {
  readonly set: VectorSet;
  readonly matrix: VectorMatrix;
  /** The last number of `vector_signs` that was looked at. */
  last: number;
  /** The place in the journal up to which rewritten memories were forgotten. */
  position: number;
  /** Up to this number of a memory vectors are filled in; null when all that fit are. */
  filledTo: number | null;
}

/** Matrices by project, model and kind; the one used longest ago goes when there is too much. */
export class VectorCache {
  readonly #connection: Connection;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, CacheEntry>();

  /** @param maxBytes bytes that all matrices together may take */
  constructor(connection: Connection, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
  }

  /**
   * The matrix of a set with everything in it that the connection's snapshot holds; null when its
   * signs would take more memory than there may be.
   *
   * @param total how many records of the kind the project has
   */
  get(set: VectorSet, total: number): VectorMatrix | null {
    const width = signByteLength(set.dims);
    if (total * (1.5 * width + 4) > this.#maxBytes) return null;
    const key = `${set.project} ${set.model} ${set.kind}`;
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    // Many rewritten memories leave many rows that lead nowhere: then it is made anew.
    const worn = known !== undefined && known.matrix.rows > 2 * total + MAX_EAGER_ROWS;
    const held = known === undefined || worn ? this.#load(set) : known;
    this.#entries.set(key, held);
    this.#catchUp(held);
    this.#evict(key);
    return held.matrix;
  }

  /** Fills in some vectors that are missing, of what was used last; false when there are none. */
  fill(): boolean {
    const held = [...this.#entries.values()].findLast(({ filledTo }) => filledTo !== null);
    if (held === undefined) return false;
    const { set, matrix } = held;
    const room = this.#maxBytes - this.#byteLength();
    const read = room < 2 * VECTOR_BATCH_ROWS * set.dims ? undefined : this.#readVectors(
      set,
      sql`select seq, vector from vectors where project = ${set.project} and model = ${set.model}
        and kind = ${set.kind} and seq > ${held.filledTo} order by seq limit ${VECTOR_BATCH_ROWS}`,
    );
    if (read !== undefined) matrix.fill(read.seqs, read.vectors);
    held.filledTo = read?.seqs.length === VECTOR_BATCH_ROWS ? read.seqs.at(-1)! : null;
    return true;
  }

  /** Every row that there is, in the order of the records: at once, whatever else the table holds. */
  #load(set: VectorSet): CacheEntry {
    const matrix = new VectorMatrix(set.dims);
    const { last, position } = this.#readEnds();
    for (let after = 0;;) {
      const seqs = this.#addSigns(
        matrix,
        sql`select seq, signs from vector_signs where project = ${set.project}
          and model = ${set.model} and kind = ${set.kind} and seq > ${after}
          order by seq limit ${SIGN_BATCH_ROWS}`,
      );
      if (seqs.length < SIGN_BATCH_ROWS) return { set, matrix, last, position, filledTo: 0 };
      after = seqs.at(-1)!;
    }
  }

  /** What has come and what was rewritten since it was looked at. */
  #catchUp(entry: CacheEntry): void {
    const { set, matrix } = entry;
    const { project, model, kind } = set;
    const { last, position } = this.#readEnds();
    if (position > entry.position && kind === VECTOR_KINDS.memory) {
      for (const seq of this.#rewritten(set, entry.position)) matrix.delete(seq);
    }
    entry.position = position;
    const few = last - entry.last <= MAX_EAGER_ROWS;
    while (entry.last < last) {
      const [after, to] = [entry.last, Math.min(last, entry.last + SIGN_BATCH_ROWS)];
      const fresh = sql`from vector_signs as fresh where number > ${after} and number <= ${to}
        and +project = ${project} and +model = ${model} and +kind = ${kind}`;
      const seqs = this.#addSigns(matrix, sql`select seq, signs ${fresh}`);
      if (few && this.#byteLength() < this.#maxBytes) {
        const read = this.#readVectors(
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

  /** The memories that were changed after a place in the journal, and have no vector now. */
  #rewritten({ project, model, kind }: VectorSet, after: number): number[] {
    const read = this.#connection.first<{ seqs: string }>(sql`
      select json_group_array(memories.seq) as seqs from journal
      cross join memories on memories.project = journal.project and id = record_id
      where journal.project = ${project} and journal.seq > ${after}
        and journal.kind = 'memory' and change <> 'ADD'
        and not exists (select 1 from vector_signs as known where known.project = ${project}
          and known.model = ${model} and known.kind = ${kind} and known.seq = memories.seq)`);
    return JSON.parse(read!.seqs);
  }

  #readEnds(): { readonly last: number; readonly position: number } {
    return this.#connection.first(sql`select
      (select coalesce(max(number), 0) from vector_signs) as last,
      (select coalesce(max(seq), 0) from journal) as position`)!;
  }

  /** Adds the rows that were read. One text instead of a row object each: an eighth of the time. */
  #addSigns(matrix: VectorMatrix, rows: Sql): number[] {
    const read = this.#connection.first<{ seqs: string; signs: string | null }>(sql`
      select json_group_array(seq) as seqs, group_concat(hex(signs), '') as signs from (${rows})`)!;
    const seqs: number[] = JSON.parse(read.seqs);
    if (seqs.length > 0) matrix.add(seqs, Uint8Array.fromHex(read.signs!));
    return seqs;
  }

  #readVectors({ dims }: VectorSet, rows: Sql): { seqs: number[]; vectors: Int8Array } {
    const read = this.#connection.first<{ seqs: string; vectors: string | null }>(sql`
      select json_group_array(seq) as seqs, group_concat(hex(vector), '') as vectors
      from (${rows}) where length(vector) = ${dims}`)!;
    const bytes = Uint8Array.fromHex(read.vectors ?? "");
    return { seqs: JSON.parse(read.seqs), vectors: new Int8Array(bytes.buffer) };
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
