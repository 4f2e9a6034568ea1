/**
 * A project's vectors in memory: all of the sign bits, which every search scans (48 bytes per
 * memory with 384 dimensions, plus 24 in very large projects), and the int8 vectors filled in so
 * far. Rows are append-only. A row that has been replaced or deleted is skipped.
 */

import { type QuantizedQuery, signByteLength, vectorNorm } from "../../embedding/quantize.ts";
import { SparseRowMap } from "./sparse_row_map.ts";
import { BinaryVectors } from "./binary_vectors.ts";
import { createMultiply, type Multiply } from "./wasm_kernels.ts";
import { QUERY_OFFSET, RowBuffer, SCRATCH_OFFSET } from "./row_buffer.ts";

/** Number of vectors multiplied per call: 200 kB, which fits in the processor cache. */
const BLOCK_ROWS = 512;
const LIST_OFFSET = SCRATCH_OFFSET;
const RESULTS_OFFSET = LIST_OFFSET + 4 * BLOCK_ROWS;

/**
 * Number of rows to preselect by half of the bits for each row requested. On texts from LoCoMo,
 * SciFact and Cranfield, a factor of 12 leaves .941 of the ten nearest among the candidates,
 * compared with .942 when using all bits at once; 8 leaves .939 and 4 leaves .922.
 */
const PRESELECTION_FACTOR = 12;

/** Minimum number of rows per preselected row. Below that, scanning all bits is faster. */
const MIN_PRESELECTION_RATIO = 32;

/** A growing matrix that knows the `seq` of the memory or chunk behind each row. */
export class VectorMatrix {
  readonly #signs: BinaryVectors;
  /** A copy of the first half of the bits, so that there is only half as much data to read. */
  readonly #halfWidth: number;
  /** Created on first use, since few projects have enough rows. */
  #halves: BinaryVectors | undefined;
  /** Number of components, padded to a multiple of 8. */
  readonly #dims: number;
  readonly #vectors: RowBuffer;
  readonly #multiply: Multiply;
  readonly #rowOf = new SparseRowMap();
  #seqs = new Uint32Array(1_024);
  /** Norms of the int8 vectors; 0 for a vector not filled in yet. */
  #norms = new Float32Array(1_024);
  #rows = 0;

  /** @param dims number of dimensions, at most 8,000 */
  constructor(dims: number) {
    const width = signByteLength(dims);
    this.#signs = new BinaryVectors(width);
    this.#halfWidth = Math.ceil(width / 16) * 8;
    this.#dims = Math.ceil(dims / 8) * 8;
    this.#vectors = new RowBuffer(this.#dims);
    this.#multiply = createMultiply(this.#vectors.memory);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Size in bytes, counting the half bits even before they're needed. */
  get byteLength(): number {
    const halves = this.#halves?.byteLength ?? this.#signs.byteLength / 2;
    return this.#signs.byteLength + halves + this.#vectors.byteLength + this.#rowOf.byteLength +
      this.#seqs.byteLength + this.#norms.byteLength;
  }

  /**
   * Appends rows.
   *
   * @param seqs `seq`s of the rows' memories
   * @param signs concatenated sign bits
   */
  add(seqs: ArrayLike<number>, signs: Uint8Array): void {
    this.#reserve(this.#rows + seqs.length);
    this.#seqs.set(seqs, this.#rows);
    for (let at = 0; at < seqs.length; at++) this.#rowOf.set(seqs[at]!, this.#rows + at);
    this.#signs.add(signs);
    this.#rows += seqs.length;
  }

  /** Fills in int8 vectors, concatenated, for memories that already have rows. */
  fill(seqs: ArrayLike<number>, vectors: Int8Array): void {
    const dims = vectors.length / seqs.length;
    for (let at = 0; at < seqs.length; at++) {
      const row = this.#rowOf.get(seqs[at]!);
      if (row === undefined || !this.#vectors.canHold(row + 1)) continue;
      const vector = vectors.subarray(at * dims, (at + 1) * dims);
      this.#vectors.reserve(row + 1);
      this.#vectors.put(row, vector);
      this.#norms[row] = vectorNorm(vector);
    }
  }

  /** Removes a memory's vector until the memory gets another row. */
  delete(seq: number): void {
    this.#rowOf.delete(seq);
  }

  /**
   * Writes the cosine similarity between each memory and the query into `similarities`, at the
   * memory's index. Memories without a row are skipped.
   *
   * @returns indexes of the memories whose vectors haven't been filled in
   */
  computeSimilarities(
    query: QuantizedQuery,
    seqs: ArrayLike<number>,
    similarities: Float64Array,
  ): number[] {
    const missing: number[] = [];
    const indexes = new Int32Array(BLOCK_ROWS);
    this.#vectors.write(QUERY_OFFSET, query.components);
    for (let from = 0; from < seqs.length; from += BLOCK_ROWS) {
      const to = Math.min(seqs.length, from + BLOCK_ROWS);
      const list = this.#vectors.integers(LIST_OFFSET, BLOCK_ROWS);
      let count = 0;
      for (let at = from; at < to; at++) {
        const row = this.#rowOf.get(seqs[at]!);
        if (row === undefined) continue;
        const norm = this.#norms[row]!;
        if (norm === 0) {
          missing.push(at);
          continue;
        }
        list[count] = this.#vectors.offsetOf(row);
        indexes[count++] = at;
        similarities[at] = query.norm * norm;
      }
      if (count === 0) continue;
      this.#multiply(QUERY_OFFSET, LIST_OFFSET, RESULTS_OFFSET, count, this.#dims);
      const products = this.#vectors.integers(RESULTS_OFFSET, count);
      for (let index = 0; index < count; index++) {
        const at = indexes[index]!;
        similarities[at] = products[index]! / similarities[at]!;
      }
    }
    return missing;
  }

  /**
   * Returns the memories behind the `count` nearest rows, nearest first.
   *
   * @param signs sign bits of the query
   * @param allowedSeqs memories to search, or null for all
   */
  nearest(signs: Uint8Array, count: number, allowedSeqs: readonly number[] | null): number[] {
    const rows = allowedSeqs === null ? this.#preselect(signs, count) : this.#rowsOf(allowedSeqs);
    const seqs: number[] = [];
    for (const row of this.#signs.nearest(signs, count, rows)) {
      if (seqs.length === count) break;
      const seq = this.#seqs[row]!;
      if (this.#rowOf.get(seq) === row) seqs.push(seq);
    }
    return seqs;
  }

  /**
   * Preselects rows by half of the bits. Returns null, meaning all rows, if that wouldn't save
   * anything.
   */
  #preselect(signs: Uint8Array, count: number): Int32Array | null {
    const wanted = count * PRESELECTION_FACTOR;
    if (this.#rows < wanted * MIN_PRESELECTION_RATIO) return null;
    this.#halves ??= new BinaryVectors(this.#halfWidth);
    this.#halves.addPrefixes(this.#signs);
    return this.#halves.nearestInRowOrder(signs.subarray(0, this.#halfWidth), wanted);
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
    const capacity = Math.max(rows, Math.ceil(this.#seqs.length * 1.5));
    const [seqs, norms] = [new Uint32Array(capacity), new Float32Array(capacity)];
    seqs.set(this.#seqs);
    norms.set(this.#norms);
    this.#seqs = seqs;
    this.#norms = norms;
  }
}
