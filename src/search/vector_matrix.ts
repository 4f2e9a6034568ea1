/**
 * The vectors of a project in memory: their sign bits, looked through as a whole (48 bytes a memory
 * of 384 dimensions), and the int8 vectors themselves, as far as they have been filled in. Rows are
 * only ever added; one that was replaced or forgotten is passed over.
 */

import { lengthOf, signBytes, type WideVector } from "../embedding/quantize.ts";
import { RowNumbers } from "./row_numbers.ts";
import {
  type Collect,
  collectOver,
  type Multiply,
  multiplyOver,
  type Scan,
  scanOver,
} from "./vector_program.ts";

const PAGE = 65_536;

/** A memory of 32-bit places holds no more. */
const MOST_BYTES = 2 ** 32;

/** Rows that are compared at a time: what comes out of it stays in the cache. */
const BLOCK = 8_192;

/**
 * Before the rows: where the query stands, how many rows have each distance, which rows are asked
 * for, what comes out, and what is kept of it.
 */
const QUERY_AT = 0;
const COUNTS_AT = 16_384;
const LIST_AT = 3 * 16_384;
const RESULTS_AT = LIST_AT + 4 * BLOCK;
const KEPT_AT = RESULTS_AT + 4 * BLOCK;
const ROWS_AT = KEPT_AT + 8 * BLOCK;

/** More than any distance is. */
const NO_DISTANCE = 0xffff;

/** Rows of one width in a memory that a program of comparisons runs over. */
class Rows {
  readonly memory = new WebAssembly.Memory({ initial: ROWS_AT / PAGE });
  readonly #width: number;

  /** @param width bytes a row */
  constructor(width: number) {
    this.#width = width;
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Whether there can be so many rows. */
  fit(rows: number): boolean {
    return this.at(rows) <= MOST_BYTES;
  }

  /** Makes room for so many rows, and some more: each growth may copy everything. */
  reserve(rows: number): void {
    const missing = this.at(rows) - this.bytes;
    if (missing <= 0) return;
    const pages = Math.ceil((missing + rows * this.#width / 8) / PAGE);
    this.memory.grow(Math.min(pages, (MOST_BYTES - this.bytes) / PAGE));
  }

  /** Where a row begins. */
  at(row: number): number {
    return ROWS_AT + row * this.#width;
  }

  put(row: number, bytes: ArrayBufferView): void {
    this.write(this.at(row), bytes);
  }

  write(at: number, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    new Uint8Array(this.memory.buffer, at).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** So many numbers from a place on. */
  integers(at: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, at, count);
  }

  /** What was measured of a block. */
  distances(): Uint16Array {
    return new Uint16Array(this.memory.buffer, RESULTS_AT, BLOCK);
  }
}

/** A growing matrix with the number of the memory, or chunk, of each row. */
export class VectorMatrix {
  readonly #width: number;
  readonly #signs: Rows;
  /** Over all rows, and over listed ones. */
  readonly #scan: Scan;
  readonly #scanListed: Scan;
  readonly #collect: Collect;
  /** The components of a vector, filled up to a multiple of 8. */
  readonly #dims: number;
  readonly #vectors: Rows;
  readonly #multiply: Multiply;
  readonly #rowOf = new RowNumbers();
  #seqs = new Uint32Array(1_024);
  /** The lengths of the int8 vectors; 0 for those that are not there. */
  #lengths = new Float32Array(1_024);
  #rows = 0;

  /** @param dims of the vectors, at most 8,000 */
  constructor(dims: number) {
    this.#width = signBytes(dims);
    this.#signs = new Rows(this.#width);
    this.#scan = scanOver(this.#signs.memory, this.#width, false);
    this.#scanListed = scanOver(this.#signs.memory, this.#width, true);
    this.#collect = collectOver(this.#signs.memory);
    this.#dims = Math.ceil(dims / 8) * 8;
    this.#vectors = new Rows(this.#dims);
    this.#multiply = multiplyOver(this.#vectors.memory);
  }

  get rows(): number {
    return this.#rows;
  }

  /** How many distances there are: 0, and one for each bit. */
  get #distancesThere(): number {
    return this.#width * 8 + 1;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#signs.bytes + this.#vectors.bytes + this.#rowOf.bytes +
      this.#seqs.byteLength + this.#lengths.byteLength;
  }

  /** Adds rows: the numbers of their memories, and their signs one after the other. */
  add(seqs: ArrayLike<number>, signs: Uint8Array): void {
    this.#reserve(this.#rows + seqs.length);
    this.#seqs.set(seqs, this.#rows);
    this.#signs.put(this.#rows, signs);
    for (let at = 0; at < seqs.length; at++) this.#rowOf.set(seqs[at]!, this.#rows + at);
    this.#rows += seqs.length;
  }

  /** Fills in the int8 vectors of memories that have rows; one after the other. */
  fill(seqs: ArrayLike<number>, vectors: Int8Array): void {
    const dims = vectors.length / seqs.length;
    for (let at = 0; at < seqs.length; at++) {
      const row = this.#rowOf.get(seqs[at]!);
      if (row === undefined || !this.#vectors.fit(row + 1)) continue;
      const vector = vectors.subarray(at * dims, (at + 1) * dims);
      this.#vectors.reserve(row + 1);
      this.#vectors.put(row, vector);
      this.#lengths[row] = lengthOf(vector);
    }
  }

  /** From now on this memory has no vector, until it gets another row. */
  forget(seq: number): void {
    this.#rowOf.delete(seq);
  }

  /**
   * Notes the cosine similarities of a query to memories, each in its place. Those without a vector
   * are passed over.
   *
   * @returns the places of those whose vectors are not filled in
   */
  compare(query: WideVector, seqs: ArrayLike<number>, known: Float64Array): number[] {
    const missing: number[] = [];
    this.#vectors.write(QUERY_AT, query.components);
    for (let from = 0; from < seqs.length; from += BLOCK) {
      const to = Math.min(seqs.length, from + BLOCK);
      const list = this.#vectors.integers(LIST_AT, BLOCK);
      const places: number[] = [];
      for (let at = from; at < to; at++) {
        const row = this.#rowOf.get(seqs[at]!);
        if (row === undefined) continue;
        const length = this.#lengths[row]!;
        if (length === 0) {
          missing.push(at);
          continue;
        }
        list[places.length] = this.#vectors.at(row);
        places.push(at);
        known[at] = query.length * length;
      }
      if (places.length === 0) continue;
      this.#multiply(QUERY_AT, LIST_AT, RESULTS_AT, places.length, this.#dims);
      const products = this.#vectors.integers(RESULTS_AT, places.length);
      for (const [index, at] of places.entries()) known[at] = products[index]! / known[at]!;
    }
    return missing;
  }

  /**
   * The memories of the `count` nearest rows, nearest first.
   *
   * @param signs of the query
   * @param among the memories that may be found; null for all
   */
  nearest(signs: Uint8Array, count: number, among: readonly number[] | null): number[] {
    const counts = this.#signs.integers(COUNTS_AT, this.#distancesThere);
    this.#signs.write(QUERY_AT, signs);
    counts.fill(0);
    const listed = among === null ? null : this.#rowsOf(among);
    const measured = listed?.length ?? this.#rows;
    const kept: Int32Array[] = [];
    for (let from = 0; from < measured; from += BLOCK) {
      const size = Math.min(BLOCK, measured - from);
      this.#measure(from, size, listed);
      // More rows only bring the limit down: what is beyond it now stays beyond it.
      const limit = limitOf(counts, count);
      const end = this.#collect(RESULTS_AT, limit, from, size, KEPT_AT);
      kept.push(this.#signs.integers(KEPT_AT, (end - KEPT_AT) / 4).slice());
    }
    const seqs: number[] = [];
    for (const at of sorted(kept, counts, limitOf(counts, count))) {
      if (seqs.length === count) break;
      const row = listed === null ? at : listed[at]!;
      const seq = this.#seqs[row]!;
      if (this.#rowOf.get(seq) === row) seqs.push(seq);
    }
    return seqs;
  }

  #rowsOf(seqs: readonly number[]): number[] {
    const rows: number[] = [];
    for (const seq of seqs) {
      const row = this.#rowOf.get(seq);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /** The distances of a block of all rows, or of those that are listed. */
  #measure(from: number, size: number, listed: readonly number[] | null): void {
    if (listed === null) {
      this.#scan(QUERY_AT, this.#signs.at(from), RESULTS_AT, size, COUNTS_AT);
    } else {
      const list = this.#signs.integers(LIST_AT, size);
      for (let at = 0; at < size; at++) list[at] = this.#signs.at(listed[from + at]!);
      this.#scanListed(QUERY_AT, LIST_AT, RESULTS_AT, size, COUNTS_AT);
    }
    this.#signs.distances().fill(NO_DISTANCE, size);
  }

  #reserve(rows: number): void {
    this.#signs.reserve(rows);
    if (rows <= this.#seqs.length) return;
    const room = Math.max(rows, Math.ceil(this.#seqs.length * 1.5));
    const [seqs, lengths] = [new Uint32Array(room), new Float32Array(room)];
    seqs.set(this.#seqs);
    lengths.set(this.#lengths);
    this.#seqs = seqs;
    this.#lengths = lengths;
  }
}

/** Above how many distances `count` rows stand at least, by how many rows have each distance. */
function limitOf(counts: Int32Array, count: number): number {
  let limit = 0;
  for (let total = 0; limit < counts.length && total < count; limit++) total += counts[limit]!;
  return limit;
}

/**
 * The rows with a distance below the limit, nearest first, by how many have each distance: no sorting
 * of millions.
 *
 * @param kept rows and distances in turn
 */
function sorted(kept: readonly Int32Array[], counts: Int32Array, limit: number): Int32Array {
  const starts = new Int32Array(limit + 1);
  for (let distance = 0; distance < limit; distance++) {
    starts[distance + 1] = starts[distance]! + counts[distance]!;
  }
  const rows = new Int32Array(starts[limit]!);
  for (const pairs of kept) {
    for (let at = 0; at < pairs.length; at += 2) {
      const distance = pairs[at + 1]!;
      if (distance < limit) rows[starts[distance]!++] = pairs[at]!;
    }
  }
  return rows;
}
