/**
 * Stores the sign bits of vectors, one row per vector, and searches for the rows nearest to a
 * query.
 */

import { createScan, type Scan } from "./wasm_kernels.ts";
import { QUERY_OFFSET, RowBuffer } from "./row_buffer.ts";

/**
 * Rows scanned per call. Later calls leave out rows that are further away than those found so far,
 * once there are enough. Of 100,000 rows, about 4,000 are returned if 500 are wanted.
 */
const SCAN_BATCH_ROWS = 2_048;

/**
 * The nearest rows, as pairs of a distance and either a row number or an index into a list of rows.
 */
interface NearestRows {
  readonly pairs: Int32Array;
  /** Number of pairs at each distance. */
  readonly counts: Int32Array;
  /**
   * Exclusive upper bound on the distance of the nearest rows, including ties with the last one.
   */
  readonly limit: number;
}

/**
 * Rows of sign bits. The distance between a row and a query is the number of differing bits (the
 * Hamming distance).
 */
export class BinaryVectors extends RowBuffer {
  readonly #width: number;
  /** One scan for adjacent rows, one for listed rows. */
  readonly #scan: Scan;
  readonly #scanListed: Scan;
  #rows = 0;

  /** @param width bytes per row, a multiple of 8 */
  constructor(width: number) {
    super(width);
    this.#width = width;
    this.#scan = createScan(this.memory, width, false);
    this.#scanListed = createScan(this.memory, width, true);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Appends the sign bits of one or more rows. */
  add(signs: Uint8Array): void {
    const rows = this.#rows + signs.length / this.#width;
    this.reserve(rows);
    this.put(this.#rows, signs);
    this.#rows = rows;
  }

  /** Appends the prefixes of any rows in `source` that are missing here. */
  addPrefixes(source: BinaryVectors): void {
    this.reserve(source.#rows);
    const [width, sourceWidth] = [this.#width / 4, source.#width / 4];
    const own = this.integers(this.offsetOf(0), source.#rows * width);
    const sourceIntegers = source.integers(source.offsetOf(0), source.#rows * sourceWidth);
    for (let row = this.#rows; row < source.#rows; row++) {
      for (let at = 0; at < width; at++) {
        own[row * width + at] = sourceIntegers[row * sourceWidth + at]!;
      }
    }
    this.#rows = source.#rows;
  }

  /**
   * Returns the `count` nearest rows, nearest first, plus any ties with the last one.
   *
   * @param allowedRows rows to search, or null for all
   */
  nearest(signs: Uint8Array, count: number, allowedRows: Int32Array | null): Int32Array {
    const { pairs, counts, limit } = this.#findNearest(signs, count, allowedRows);
    // A counting sort by distance.
    const starts = new Int32Array(limit + 1);
    for (let distance = 0; distance < limit; distance++) {
      starts[distance + 1] = starts[distance]! + counts[distance]!;
    }
    const rows = new Int32Array(starts[limit]!);
    for (let at = 0; at < pairs.length; at += 2) {
      const distance = pairs[at + 1]!;
      if (distance < limit) rows[starts[distance]!++] = pairs[at]!;
    }
    return allowedRows === null ? rows : rows.map((index) => allowedRows[index]!);
  }

  /** Same rows as `nearest()` over all rows, but in row order. */
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
    const distanceBound = this.#width * 8 + 1;
    const rowCount = allowedRows?.length ?? this.#rows;
    if (rowCount === 0 || count === 0) {
      return { pairs: new Int32Array(0), counts: new Int32Array(distanceBound), limit: 0 };
    }
    this.write(QUERY_OFFSET, signs);
    const counts = new Int32Array(distanceBound);
    let limit = distanceBound;
    // The list of rows to scan goes after the rows themselves, followed by the results.
    const listAt = this.offsetOf(this.#rows);
    const foundAt = listAt + (allowedRows === null ? 0 : 4 * rowCount);
    if (allowedRows !== null) this.#writeList(listAt, allowedRows);
    let end = foundAt;
    for (let from = 0; from < rowCount; from += SCAN_BATCH_ROWS) {
      const batchRows = Math.min(SCAN_BATCH_ROWS, rowCount - from);
      const start = end;
      this.reserveTo(start + 8 * batchRows);
      end = allowedRows === null
        ? this.#scan(QUERY_OFFSET, this.offsetOf(from), start, batchRows, limit)
        : this.#scanListed(QUERY_OFFSET, listAt + 4 * from, start, batchRows, limit);
      const found = this.integers(start, (end - start) / 4);
      for (let at = 0; at < found.length; at += 2) {
        found[at]! += from;
        counts[found[at + 1]!]!++;
      }
      limit = findDistanceLimit(counts, count);
    }
    return { pairs: this.integers(foundAt, (end - foundAt) / 4), counts, limit };
  }

  /** Writes the addresses of rows to an offset. */
  #writeList(offset: number, rows: Int32Array): void {
    this.reserveTo(offset + 4 * rows.length);
    const list = this.integers(offset, rows.length);
    for (let at = 0; at < rows.length; at++) list[at] = this.offsetOf(rows[at]!);
  }
}

/**
 * Returns the smallest exclusive distance limit that covers `wanted` rows, or the limit for all
 * rows if there are fewer.
 */
function findDistanceLimit(counts: Int32Array, wanted: number): number {
  let limit = 0;
  for (let found = 0; limit < counts.length && found < wanted; limit++) found += counts[limit]!;
  return limit;
}
