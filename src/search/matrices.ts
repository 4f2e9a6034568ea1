/**
 * The vectors that a search worker holds in memory: sign bits loaded when first needed, the int8
 * vectors little by little when there is nothing else to do, all kept up and bounded.
 */

import sql, { type Sql } from "sql-template-tag";
import { signBytes } from "../embedding/quantize.ts";
import type { Connection } from "../store/sqlite/connection.ts";
import { VectorMatrix } from "./vector_matrix.ts";
import { VECTOR_KINDS, type VectorKind } from "./vector_store.ts";

/**
 * Rows whose signs are read at once, and whose vectors are: what is read as text in larger pieces
 * leaves the process larger, and a search that comes meanwhile waits for the piece.
 */
const SIGNS_AT_ONCE = 2_048;
const VECTORS_AT_ONCE = 256;

/** New vectors that need not wait to be filled in, so that nothing is left behind. */
const FEW = 2_048;

/** Which vectors: those of a kind of records of a project, made by a model. */
export interface VectorSet {
  readonly project: number;
  readonly kind: VectorKind;
  /** The number of the model in this database. */
  readonly model: number;
  readonly dims: number;
}

interface Held {
  readonly set: VectorSet;
  readonly matrix: VectorMatrix;
  /** The last number of `vector_signs` that was looked at. */
  last: number;
  /** The place in the journal up to which rewritten memories were forgotten. */
  position: number;
  /** Up to this number of a memory vectors are filled in; null when all that fit are. */
  filled: number | null;
}

/** Matrices by project, model and kind; the one used longest ago goes when there is too much. */
export class Matrices {
  readonly #connection: Connection;
  readonly #most: number;
  readonly #held = new Map<string, Held>();

  /** @param most bytes that all matrices together may take */
  constructor(connection: Connection, most: number) {
    this.#connection = connection;
    this.#most = most;
  }

  /**
   * The matrix of a set with everything in it that the connection's snapshot holds; null when its
   * signs would take more memory than there may be.
   *
   * @param total how many records of the kind the project has
   */
  of(set: VectorSet, total: number): VectorMatrix | null {
    const width = signBytes(set.dims);
    if (total * (1.5 * width + 4) > this.#most) return null;
    const key = `${set.project} ${set.model} ${set.kind}`;
    const known = this.#held.get(key);
    this.#held.delete(key);
    // Many rewritten memories leave many rows that lead nowhere: then it is made anew.
    const worn = known !== undefined && known.matrix.rows > 2 * total + FEW;
    const held = known === undefined || worn ? this.#load(set) : known;
    this.#held.set(key, held);
    this.#catchUp(held);
    this.#bound(key);
    return held.matrix;
  }

  /** Fills in some vectors that are missing, of what was used last; false when there are none. */
  fill(): boolean {
    const held = [...this.#held.values()].findLast(({ filled }) => filled !== null);
    if (held === undefined) return false;
    const { set, matrix } = held;
    const room = this.#most - this.#size();
    const read = room < 2 * VECTORS_AT_ONCE * set.dims ? undefined : this.#vectors(
      set,
      sql`select seq, vector from vectors where project = ${set.project} and model = ${set.model}
        and kind = ${set.kind} and seq > ${held.filled} order by seq limit ${VECTORS_AT_ONCE}`,
    );
    if (read !== undefined) matrix.fill(read.seqs, read.vectors);
    held.filled = read?.seqs.length === VECTORS_AT_ONCE ? read.seqs.at(-1)! : null;
    return true;
  }

  /** Every row that there is, in the order of the records: at once, whatever else the table holds. */
  #load(set: VectorSet): Held {
    const matrix = new VectorMatrix(set.dims);
    const { last, position } = this.#ends();
    for (let after = 0;;) {
      const seqs = this.#addSigns(
        matrix,
        sql`select seq, signs from vector_signs where project = ${set.project}
          and model = ${set.model} and kind = ${set.kind} and seq > ${after}
          order by seq limit ${SIGNS_AT_ONCE}`,
      );
      if (seqs.length < SIGNS_AT_ONCE) return { set, matrix, last, position, filled: 0 };
      after = seqs.at(-1)!;
    }
  }

  /** What has come and what was rewritten since it was looked at. */
  #catchUp(held: Held): void {
    const { set, matrix } = held;
    const { project, model, kind } = set;
    const { last, position } = this.#ends();
    if (position > held.position && kind === VECTOR_KINDS.memory) {
      for (const seq of this.#rewritten(set, held.position)) matrix.forget(seq);
    }
    held.position = position;
    const few = last - held.last <= FEW;
    while (held.last < last) {
      const [after, to] = [held.last, Math.min(last, held.last + SIGNS_AT_ONCE)];
      const fresh = sql`from vector_signs as fresh where number > ${after} and number <= ${to}
        and +project = ${project} and +model = ${model} and +kind = ${kind}`;
      const seqs = this.#addSigns(matrix, sql`select seq, signs ${fresh}`);
      if (few && this.#size() < this.#most) {
        const read = this.#vectors(
          set,
          sql`select seq, vector from json_each(${JSON.stringify(seqs)}) as wanted
            cross join vectors on project = ${project} and model = ${model} and kind = ${kind}
              and seq = wanted.value`,
        );
        matrix.fill(read.seqs, read.vectors);
      } else held.filled = Math.min(held.filled ?? Infinity, ...seqs.map((seq) => seq - 1));
      held.last = to;
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

  #ends(): { readonly last: number; readonly position: number } {
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

  #vectors({ dims }: VectorSet, rows: Sql): { seqs: number[]; vectors: Int8Array } {
    const read = this.#connection.first<{ seqs: string; vectors: string | null }>(sql`
      select json_group_array(seq) as seqs, group_concat(hex(vector), '') as vectors
      from (${rows}) where length(vector) = ${dims}`)!;
    const bytes = Uint8Array.fromHex(read.vectors ?? "");
    return { seqs: JSON.parse(read.seqs), vectors: new Int8Array(bytes.buffer) };
  }

  #size(): number {
    let size = 0;
    for (const { matrix } of this.#held.values()) size += matrix.size;
    return size;
  }

  #bound(kept: string): void {
    let size = this.#size();
    for (const [key, { matrix }] of this.#held) {
      if (size <= this.#most || key === kept) return;
      this.#held.delete(key);
      size -= matrix.size;
    }
  }
}
