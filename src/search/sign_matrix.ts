/**
 * The sign bits of a project's vectors in memory: 48 bytes a memory of 384 dimensions, looked
 * through as a whole. Rows are only ever added; one whose memory is gone or was rewritten costs a
 * candidate, no more, since what is found is loaded again.
 */

import { type Scan, scanOver } from "./hamming.ts";

const PAGE = 65_536;

/** Distances are computed for this many rows at a time. */
const BLOCK = 32_768;

/** Where the query and the distances of a block stand, before the rows. */
const QUERY_AT = 0;
const DISTANCES_AT = 1_024;
const ROWS_AT = DISTANCES_AT + 2 * BLOCK;

/** Which rows may be found; null for all. */
export type Allowed = ReadonlySet<number> | null;

/** A growing matrix of sign bits with the number of the memory of each row. */
export class SignMatrix {
  readonly #width: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  #seqs = new Uint32Array(1_024);
  #rows = 0;

  /** @param width bytes a row, a multiple of 16 and at most 1,024 */
  constructor(width: number) {
    this.#width = width;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(ROWS_AT / PAGE) });
    this.#scan = scanOver(this.#memory);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this.#memory.buffer.byteLength + this.#seqs.byteLength;
  }

  /** Adds rows: the numbers of their memories, and their signs one after the other. */
  add(seqs: ArrayLike<number>, signs: Uint8Array): void {
    this.#reserve(this.#rows + seqs.length);
    this.#seqs.set(seqs, this.#rows);
    new Uint8Array(this.#memory.buffer).set(signs, ROWS_AT + this.#rows * this.#width);
    this.#rows += seqs.length;
  }

  /** The memories of the `count` nearest rows that are allowed, nearest first. */
  nearest(query: Uint8Array, count: number, allowed: Allowed): number[] {
    const distances = new Uint16Array(this.#rows);
    this.#distances(query, distances);
    const most = this.#width * 8;
    if (allowed !== null) {
      for (let row = 0; row < this.#rows; row++) {
        if (!allowed.has(this.#seqs[row]!)) distances[row] = most + 1;
      }
    }
    return this.#select(distances, count, most);
  }

  #distances(query: Uint8Array, distances: Uint16Array): void {
    new Uint8Array(this.#memory.buffer).set(query, QUERY_AT);
    for (let from = 0; from < this.#rows; from += BLOCK) {
      const count = Math.min(BLOCK, this.#rows - from);
      this.#scan(QUERY_AT, ROWS_AT + from * this.#width, DISTANCES_AT, count, this.#width);
      distances.set(new Uint16Array(this.#memory.buffer, DISTANCES_AT, count), from);
    }
  }

  /** Counts how many rows have each distance, and takes the smallest: no sorting of millions. */
  #select(distances: Uint16Array, count: number, most: number): number[] {
    const histogram = new Uint32Array(most + 2);
    for (let row = 0; row < distances.length; row++) histogram[distances[row]!]!++;
    const starts = new Uint32Array(most + 2);
    let limit = 0;
    for (let total = 0; limit <= most && total < count; limit++) {
      starts[limit] = total;
      total += histogram[limit]!;
    }
    const ordered: number[] = [];
    for (let row = 0; row < distances.length; row++) {
      const distance = distances[row]!;
      if (distance < limit) ordered[starts[distance]!++] = this.#seqs[row]!;
    }
    // A rewritten memory has more than one row.
    return [...new Set(ordered)].slice(0, count);
  }

  #reserve(rows: number): void {
    if (rows > this.#seqs.length) {
      const grown = new Uint32Array(Math.max(rows, this.#seqs.length * 2));
      grown.set(this.#seqs);
      this.#seqs = grown;
    }
    const wanted = ROWS_AT + rows * this.#width;
    const missing = wanted - this.#memory.buffer.byteLength;
    // Some room to grow: each growth may copy everything.
    if (missing > 0) this.#memory.grow(Math.ceil((missing + wanted / 8) / PAGE));
  }
}
