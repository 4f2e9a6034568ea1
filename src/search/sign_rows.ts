/** The sign bits of vectors, a row each, looked through for those that differ least from a query's. */

import { type Collect, collectOver, type Scan, scanOver } from "./vector_program.ts";
import { NOTES_AT, QUERY_AT, Rows } from "./vector_rows.ts";

/** How many rows have each distance: 0, and one for each bit. */
const COUNTS_AT = NOTES_AT;

/** More than any distance is, for as many as are looked at together. */
const NO_DISTANCES = new Uint16Array(8).fill(0xffff);

/** The nearest rows. */
interface Found {
  /** Rows, or their places in the list, and their distances in turn. */
  readonly pairs: Int32Array;
  /** How many of them there are with a smaller distance, for each distance. */
  readonly starts: Int32Array;
}

/** Rows of sign bits, whose distance to a query is the number of bits that differ (Hamming's). */
export class SignRows extends Rows {
  readonly #width: number;
  /** Over rows that lie one after the other, and over listed ones. */
  readonly #scan: Scan;
  readonly #scanListed: Scan;
  readonly #collect: Collect;
  #rows = 0;

  /** @param width bytes a row, a multiple of 8 */
  constructor(width: number) {
    super(width);
    this.#width = width;
    this.#scan = scanOver(this.memory, width, false);
    this.#scanListed = scanOver(this.memory, width, true);
    this.#collect = collectOver(this.memory);
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
    const { pairs, starts } = this.#find(signs, count, among);
    // By how many have each distance: no sorting of millions.
    const rows = new Int32Array(pairs.length / 2);
    for (let at = 0; at < pairs.length; at += 2) rows[starts[pairs[at + 1]!]!++] = pairs[at]!;
    return among === null ? rows : rows.map((place) => among[place]!);
  }

  /** The same ones, of all, in the order in which they lie. */
  nearestInPlace(signs: Uint8Array, count: number): Int32Array {
    const { pairs } = this.#find(signs, count, null);
    return Int32Array.from({ length: pairs.length / 2 }, (_, at) => pairs[2 * at]!);
  }

  #find(signs: Uint8Array, count: number, among: Int32Array | null): Found {
    const measured = among?.length ?? this.#rows;
    if (measured === 0) return { pairs: new Int32Array(0), starts: new Int32Array(0) };
    // Behind the rows: which are asked for, their distances, and what is found.
    const listAt = aligned(this.at(this.#rows));
    const distancesAt = aligned(listAt + 4 * (among?.length ?? 0));
    const foundAt = aligned(distancesAt + 2 * measured + 16);
    this.reserveTo(foundAt);
    this.write(QUERY_AT, signs);
    const counts = this.integers(COUNTS_AT, this.#width * 8 + 1).fill(0);
    if (among === null) this.#scan(QUERY_AT, this.at(0), distancesAt, measured, COUNTS_AT);
    else {
      const list = this.integers(listAt, measured);
      for (let at = 0; at < measured; at++) list[at] = this.at(among[at]!);
      this.#scanListed(QUERY_AT, listAt, distancesAt, measured, COUNTS_AT);
    }
    this.write(distancesAt + 2 * measured, NO_DISTANCES);
    const starts = new Int32Array(counts.length);
    let [limit, found] = [0, 0];
    for (; limit < counts.length && found < count; limit++) {
      starts[limit] = found;
      found += counts[limit]!;
    }
    this.reserveTo(foundAt + 8 * found);
    this.#collect(distancesAt, limit, 0, measured, foundAt);
    return { pairs: this.integers(foundAt, 2 * found), starts };
  }
}

/** Rounded up to where eight distances may begin. */
function aligned(place: number): number {
  return Math.ceil(place / 16) * 16;
}
