/**
 * The vectors of a project in memory: their sign bits, looked through as a whole (48 bytes a memory
 * of 384 dimensions, 24 more where there are a great many), and the int8 vectors themselves, as far
 * as they have been filled in. Rows are only ever added; one that was replaced or forgotten is passed
 * over.
 */

import { lengthOf, signBytes, type WideVector } from "../embedding/quantize.ts";
import { RowNumbers } from "./row_numbers.ts";
import { SignRows } from "./sign_rows.ts";
import { type Multiply, multiplyOver } from "./vector_program.ts";
import { NOTES_AT, QUERY_AT, Rows } from "./vector_rows.ts";

/** Vectors that are multiplied at a time: 200 kB, which a processor keeps at hand. */
const BLOCK = 512;
const LIST_AT = NOTES_AT;
const RESULTS_AT = LIST_AT + 4 * BLOCK;

/**
 * Rows that half of the bits are looked through for, for each that is wanted. On texts of LoCoMo,
 * SciFact and Cranfield 12 leave .941 of the ten nearest among the candidates, where all bits at once
 * leave .942, 8 leave .939 and 4 leave .922.
 */
const LIKELY = 12;

/** Of fewer rows than so many for each that is wanted, all bits are looked through: that is faster. */
const WORTH_HALVING = 32;

/** A growing matrix with the number of the memory, or chunk, of each row. */
export class VectorMatrix {
  readonly #signs: SignRows;
  /** The first half of the bits once more, by themselves: half as much to read. */
  readonly #halfWidth: number;
  /** As far as they were needed: few projects have so many rows. */
  #halves: SignRows | undefined;
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
    const width = signBytes(dims);
    this.#signs = new SignRows(width);
    this.#halfWidth = Math.ceil(width / 16) * 8;
    this.#dims = Math.ceil(dims / 8) * 8;
    this.#vectors = new Rows(this.#dims);
    this.#multiply = multiplyOver(this.#vectors.memory);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Bytes that it holds; halves of the bits are counted before they are needed. */
  get size(): number {
    const halves = this.#halves?.bytes ?? this.#signs.bytes / 2;
    return this.#signs.bytes + halves + this.#vectors.bytes + this.#rowOf.bytes +
      this.#seqs.byteLength + this.#lengths.byteLength;
  }

  /** Adds rows: the numbers of their memories, and their signs one after the other. */
  add(seqs: ArrayLike<number>, signs: Uint8Array): void {
    this.#reserve(this.#rows + seqs.length);
    this.#seqs.set(seqs, this.#rows);
    for (let at = 0; at < seqs.length; at++) this.#rowOf.set(seqs[at]!, this.#rows + at);
    this.#signs.add(signs);
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
    const places = new Int32Array(BLOCK);
    this.#vectors.write(QUERY_AT, query.components);
    for (let from = 0; from < seqs.length; from += BLOCK) {
      const to = Math.min(seqs.length, from + BLOCK);
      const list = this.#vectors.integers(LIST_AT, BLOCK);
      let count = 0;
      for (let at = from; at < to; at++) {
        const row = this.#rowOf.get(seqs[at]!);
        if (row === undefined) continue;
        const length = this.#lengths[row]!;
        if (length === 0) {
          missing.push(at);
          continue;
        }
        list[count] = this.#vectors.at(row);
        places[count++] = at;
        known[at] = query.length * length;
      }
      if (count === 0) continue;
      this.#multiply(QUERY_AT, LIST_AT, RESULTS_AT, count, this.#dims);
      const products = this.#vectors.integers(RESULTS_AT, count);
      for (let index = 0; index < count; index++) {
        const at = places[index]!;
        known[at] = products[index]! / known[at]!;
      }
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
    const rows = among === null ? this.#likely(signs, count) : this.#rowsOf(among);
    const seqs: number[] = [];
    for (const row of this.#signs.nearest(signs, count, rows)) {
      if (seqs.length === count) break;
      const seq = this.#seqs[row]!;
      if (this.#rowOf.get(seq) === row) seqs.push(seq);
    }
    return seqs;
  }

  /** The rows that half of the bits speak for; null for all, where that saves nothing. */
  #likely(signs: Uint8Array, count: number): Int32Array | null {
    const wanted = count * LIKELY;
    if (this.#rows < wanted * WORTH_HALVING) return null;
    this.#halves ??= new SignRows(this.#halfWidth);
    this.#halves.addBeginnings(this.#signs);
    return this.#halves.nearestInPlace(signs.subarray(0, this.#halfWidth), wanted);
  }

  #rowsOf(seqs: readonly number[]): Int32Array {
    const rows = new Int32Array(seqs.length);
    let count = 0;
    for (const seq of seqs) {
      const row = this.#rowOf.get(seq);
      if (row !== undefined) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  #reserve(rows: number): void {
    if (rows <= this.#seqs.length) return;
    const room = Math.max(rows, Math.ceil(this.#seqs.length * 1.5));
    const [seqs, lengths] = [new Uint32Array(room), new Float32Array(room)];
    seqs.set(this.#seqs);
    lengths.set(this.#lengths);
    this.#seqs = seqs;
    this.#lengths = lengths;
  }
}
