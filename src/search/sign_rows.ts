/** The sign bits of vectors, a row each, looked through for those that differ least from a query's. */

import { type Scan, scanOver } from "./vector_program.ts";
import { QUERY_AT, Rows } from "./vector_rows.ts";

/** Rows that are looked at together; there has to be room for all of them among what is found. */
const AT_ONCE = 65_536;

/** How many of those that are wanted a sample should hold, so that it tells how near they are. */
const SAMPLED = 24;

/**
 * How many of a sample's rows are taken for as many as are wanted: of 24 that are expected, one sample
 * in thirty has more than these (Poisson's distribution), and then there are too few.
 */
const ENOUGH = 1.4;

/** What is near: rows' numbers, or their places in a list, and their distances in turn. */
interface Found {
  readonly pairs: Int32Array;
  /** How many of these have each distance. */
  readonly counts: Int32Array;
  /** Of the nearest ones, and those as near as the last of them, all distances are below this. */
  readonly limit: number;
}

/** Rows of sign bits, whose distance to a query is the number of bits that differ (Hamming's). */
export class SignRows extends Rows {
  readonly #width: number;
  /** Over rows that lie one after the other, and over listed ones. */
  readonly #scan: Scan;
  readonly #scanListed: Scan;
  #rows = 0;

  /** @param width bytes a row, a multiple of 8 */
  constructor(width: number) {
    super(width);
    this.#width = width;
    this.#scan = scanOver(this.memory, width, false);
    this.#scanListed = scanOver(this.memory, width, true);
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
  addBeginnings(of: SignRows): void {
    this.reserve(of.#rows);
    const [width, whole] = [this.#width / 4, of.#width / 4];
    const own = this.integers(this.at(0), of.#rows * width);
    const others = of.integers(of.at(0), of.#rows * whole);
    for (let row = this.#rows; row < of.#rows; row++) {
      for (let at = 0; at < width; at++) own[row * width + at] = others[row * whole + at]!;
    }
    this.#rows = of.#rows;
  }

  /**
   * The `count` nearest rows, nearest first, and those as near as the last of them.
   *
   * @param among the rows that may be found; null for all
   */
  nearest(signs: Uint8Array, count: number, among: Int32Array | null): Int32Array {
    const { pairs, counts, limit } = this.#find(signs, count, among);
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
    return among === null ? rows : rows.map((place) => among[place]!);
  }

  /** The same ones, of all, in the order in which they lie. */
  nearestInPlace(signs: Uint8Array, count: number): Int32Array {
    const { pairs, limit } = this.#find(signs, count, null);
    const rows = new Int32Array(pairs.length / 2);
    let found = 0;
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1]! < limit) rows[found++] = pairs[at]!;
    }
    return rows.subarray(0, found);
  }

  #find(signs: Uint8Array, count: number, among: Int32Array | null): Found {
    const farthest = this.#width * 8 + 1;
    const measured = among?.length ?? this.#rows;
    if (measured === 0 || count === 0) {
      return { pairs: new Int32Array(0), counts: new Int32Array(farthest), limit: 0 };
    }
    this.write(QUERY_AT, signs);
    const step = Math.floor(count / SAMPLED);
    const sample = step < 2 ? null : countsOf(this.#within(farthest, among, step), farthest);
    for (let enough = ENOUGH * count / step;; enough *= 2) {
      const within = sample === null ? farthest : limitOf(sample, enough);
      const pairs = this.#within(within, among, 1);
      const counts = countsOf(pairs, farthest);
      const limit = limitOf(counts, count);
      if (limit <= within) return { pairs, counts, limit };
    }
  }

  /** Every so many rows, of those listed or of all, whose distance is below a limit. */
  #within(limit: number, among: Int32Array | null, step: number): Int32Array {
    const measured = Math.ceil((among?.length ?? this.#rows) / step);
    const listed = among !== null || step > 1;
    // Behind the rows: which are asked for, and what is found.
    const listAt = this.at(this.#rows);
    const foundAt = listAt + (listed ? 4 * measured : 0);
    this.reserveTo(foundAt);
    if (listed) {
      const list = this.integers(listAt, measured);
      for (let at = 0; at < measured; at++) list[at] = this.at(among?.[at * step] ?? at * step);
    }
    let end = foundAt;
    for (let from = 0; from < measured; from += AT_ONCE) {
      const count = Math.min(AT_ONCE, measured - from);
      this.reserveTo(end + 8 * count);
      const start = end;
      end = listed
        ? this.#scanListed(QUERY_AT, listAt + 4 * from, start, count, limit)
        : this.#scan(QUERY_AT, this.at(from), start, count, limit);
      if (from === 0) continue;
      const found = this.integers(start, (end - start) / 4);
      for (let at = 0; at < found.length; at += 2) found[at]! += from;
    }
    return this.integers(foundAt, (end - foundAt) / 4);
  }
}

/** How many of the pairs have each distance. */
function countsOf(pairs: Int32Array, farthest: number): Int32Array {
  const counts = new Int32Array(farthest);
  for (let at = 1; at < pairs.length; at += 2) counts[pairs[at]!]!++;
  return counts;
}

/** The least limit below which there are enough; one more than the greatest distance if none is. */
function limitOf(counts: Int32Array, enough: number): number {
  let limit = 0;
  for (let found = 0; limit < counts.length && found < enough; limit++) found += counts[limit]!;
  return limit;
}
