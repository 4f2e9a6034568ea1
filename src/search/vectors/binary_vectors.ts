/** The sign bits of vectors, a row each, looked through for those that differ least from a query's. */

import { createScan, type Scan } from "./wasm_kernels.ts";
import { QUERY_OFFSET, RowBuffer } from "./row_buffer.ts";

/** Rows that are looked at together; there has to be room for all of them among what is found. */
const SCAN_BATCH_ROWS = 65_536;

/** How many of those that are wanted a sample should hold, so that it tells how near they are. */
const EXPECTED_SAMPLE_HITS = 24;

/**
 * How many of a sample's rows are taken for as many as are wanted: of 24 that are expected, one sample
 * in thirty has more than these (Poisson's distribution), and then there are too few.
 */
const SAMPLE_MARGIN = 1.4;

/** What is near: rows' numbers, or their places in a list, and their distances in turn. */
interface NearestRows {
  readonly pairs: Int32Array;
  /** How many of these have each distance. */
  readonly counts: Int32Array;
  /** Of the nearest ones, and those as near as the last of them, all distances are below this. */
  readonly limit: number;
}

/** Rows of sign bits, whose distance to a query is the number of bits that differ (Hamming's). */
export class BinaryVectors extends RowBuffer {
  readonly #width: number;
  /** Over rows that lie one after the other, and over listed ones. */
  readonly #scan: Scan;
  readonly #scanListed: Scan;
  #rows = 0;

  /** @param width bytes a row, a multiple of 8 */
  constructor(width: number) {
    super(width);
    this.#width = width;
    this.#scan = createScan(this.memory, width, false);
    this.#scanListed = createScan(this.memory, width, true);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds rows, one after the other. */
  add(signs: Uint8Array): void {
    const rows = this.#rows + signs.length / this.#width;
    this.reserve(rows);
    this.put(this.#rows, signs);
    this.#rows = rows;
  }

  /** Adds the beginnings of the rows that another has beyond these. */
  addPrefixes(source: BinaryVectors): void {
    this.reserve(source.#rows);
    const [width, whole] = [this.#width / 4, source.#width / 4];
    const own = this.integers(this.offsetOf(0), source.#rows * width);
    const others = source.integers(source.offsetOf(0), source.#rows * whole);
    for (let row = this.#rows; row < source.#rows; row++) {
      for (let at = 0; at < width; at++) own[row * width + at] = others[row * whole + at]!;
    }
    this.#rows = source.#rows;
  }

  /**
   * The `count` nearest rows, nearest first, and those as near as the last of them.
   *
   * @param allowedRows the rows that may be found; null for all
   */
  nearest(signs: Uint8Array, count: number, allowedRows: Int32Array | null): Int32Array {
    const { pairs, counts, limit } = this.#findNearest(signs, count, allowedRows);
    // By how many have each distance: no sorting.
    const starts = new Int32Array(limit + 1);
    for (let distance = 0; distance < limit; distance++) {
      starts[distance + 1] = starts[distance]! + counts[distance]!;
    }
    const rows = new Int32Array(starts[limit]!);
    for (let at = 0; at < pairs.length; at += 2) {
      const distance = pairs[at + 1]!;
      if (distance < limit) rows[starts[distance]!++] = pairs[at]!;
    }
    return allowedRows === null ? rows : rows.map((place) => allowedRows[place]!);
  }

  /** The same ones, of all, in the order in which they lie. */
  nearestInRowOrder(signs: Uint8Array, count: number): Int32Array {
    const { pairs, limit } = this.#findNearest(signs, count, null);
    const rows = new Int32Array(pairs.length / 2);
    let found = 0;
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1]! < limit) rows[found++] = pairs[at]!;
    }
    return rows.subarray(0, found);
  }

  #findNearest(signs: Uint8Array, count: number, allowedRows: Int32Array | null): NearestRows {
    const farthest = this.#width * 8 + 1;
    const measured = allowedRows?.length ?? this.#rows;
    if (measured === 0 || count === 0) {
      return { pairs: new Int32Array(0), counts: new Int32Array(farthest), limit: 0 };
    }
    this.write(QUERY_OFFSET, signs);
    const step = Math.floor(count / EXPECTED_SAMPLE_HITS);
    const sample = step < 2
      ? null
      : countByDistance(this.#rowsWithin(farthest, allowedRows, step), farthest);
    for (let enough = SAMPLE_MARGIN * count / step;; enough *= 2) {
      const within = sample === null ? farthest : findDistanceLimit(sample, enough);
      const pairs = this.#rowsWithin(within, allowedRows, 1);
      const counts = countByDistance(pairs, farthest);
      const limit = findDistanceLimit(counts, count);
      if (limit <= within) return { pairs, counts, limit };
    }
  }

  /** Every so many rows, of those listed or of all, whose distance is below a limit. */
  #rowsWithin(limit: number, allowedRows: Int32Array | null, step: number): Int32Array {
    const measured = Math.ceil((allowedRows?.length ?? this.#rows) / step);
    const listed = allowedRows !== null || step > 1;
    // Behind the rows: which are asked for, and what is found.
    const listAt = this.offsetOf(this.#rows);
    const foundAt = listAt + (listed ? 4 * measured : 0);
    this.reserveTo(foundAt);
    if (listed) {
      const list = this.integers(listAt, measured);
      for (let at = 0; at < measured; at++) {
        list[at] = this.offsetOf(allowedRows?.[at * step] ?? at * step);
      }
    }
    let end = foundAt;
    for (let from = 0; from < measured; from += SCAN_BATCH_ROWS) {
      const count = Math.min(SCAN_BATCH_ROWS, measured - from);
      this.reserveTo(end + 8 * count);
      const start = end;
      end = listed
        ? this.#scanListed(QUERY_OFFSET, listAt + 4 * from, start, count, limit)
        : this.#scan(QUERY_OFFSET, this.offsetOf(from), start, count, limit);
      if (from === 0) continue;
      const found = this.integers(start, (end - start) / 4);
      for (let at = 0; at < found.length; at += 2) found[at]! += from;
    }
    return this.integers(foundAt, (end - foundAt) / 4);
  }
}

/** How many of the pairs have each distance. */
function countByDistance(pairs: Int32Array, farthest: number): Int32Array {
  const counts = new Int32Array(farthest);
  for (let at = 1; at < pairs.length; at += 2) counts[pairs[at]!]!++;
  return counts;
}

/** The least limit below which there are enough; one more than the greatest distance if none is. */
function findDistanceLimit(counts: Int32Array, wanted: number): number {
  let limit = 0;
  for (let found = 0; limit < counts.length && found < wanted; limit++) found += counts[limit]!;
  return limit;
}
