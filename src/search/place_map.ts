/**
 * Where the memories of a project stand, and the hashes of their terms, in memory (some 100 bytes
 * each): what surrounds the hits of a search is read from it in a tenth of the time that the table
 * takes. Each memory knows the one before it in its thread and the one after it.
 */

import { type Hashed, maskOf, type Place } from "./place.ts";
import { RowNumbers } from "./row_numbers.ts";
import { termHash } from "./terms.ts";

/** A memory as it stands in the database. */
export interface Standing {
  readonly seq: number;
  readonly id: string;
  readonly position: number;
  readonly event_date: string | null;
  readonly asks: number;
  /** The numbers of its neighbours in its thread; null for none. */
  readonly before: number | null;
  readonly after: number | null;
}

/** Hashes of terms in one piece; those of one memory lie in the same one. */
const SHEET = 2 ** 18;

/** What a row takes in the columns below. */
const ROW_BYTES = 8 + 7 * 4 + 1;

/** The places of a project. Its rows begin with 1: 0 stands for none. */
export class PlaceMap {
  readonly #rowOf = new RowNumbers();
  #columns = columnsFor(1_024);
  readonly #dates = new Map<number, string>();
  readonly #sheets: Uint32Array[] = [];
  #rows = 1;
  /** Hashes that were written, and those of them that belong to a memory. */
  #used = 0;
  #live = 0;
  #marks = 0;
  /** Memories that are not there (yet), with those that stand next to them. */
  readonly #awaited = new Map<number, number[]>();

  /** Bytes that it holds. */
  get size(): number {
    return this.#rowOf.bytes + this.#columns.seqs.length * ROW_BYTES +
      this.#sheets.length * SHEET * 4 + this.#dates.size * 80;
  }

  /** Whether most of it belongs to what is gone or was rewritten. */
  get worn(): boolean {
    return this.#used > 2 * this.#live + SHEET;
  }

  has(seq: number): boolean {
    return this.#rowOf.get(seq) !== undefined;
  }

  /** Sets a memory, whether it was there or not, with the hashes of its terms. */
  set(standing: Standing, hashes: Uint32Array): void {
    const { seq, id, position, event_date, asks } = standing;
    const known = this.#rowOf.get(seq);
    const row = known ?? this.#rows++;
    if (known === undefined) this.#reserve(this.#rows);
    const columns = this.#columns;
    columns.seqs[row] = seq;
    columns.ids[row] = termHash(id);
    columns.positions[row] = position;
    columns.asks[row] = asks;
    if (event_date === null) this.#dates.delete(row);
    else this.#dates.set(row, event_date);
    this.#keepTerms(row, hashes);
    this.#rowOf.set(seq, row);
    this.#awaited.delete(seq);
    this.#link(this.#beside(seq, standing.before), row);
    this.#link(row, this.#beside(seq, standing.after));
  }

  /** The memories that were set beside one that never came; to be set again. */
  takeBereft(): number[] {
    const bereft = [...this.#awaited.values()].flat();
    this.#awaited.clear();
    return bereft;
  }

  /** From now on this memory is not there; its neighbours stand next to each other. */
  delete(seq: number): void {
    const row = this.#rowOf.get(seq);
    if (row === undefined) return;
    const { before, after, counts, ids } = this.#columns;
    const [previous, next] = [before[row]!, after[row]!];
    if (after[previous] === row) after[previous] = next;
    if (before[next] === row) before[next] = previous;
    this.#live -= counts[row]!;
    counts[row] = ids[row] = 0;
    this.#dates.delete(row);
    this.#rowOf.delete(seq);
  }

  /** The memories that may have one of these ids; now and then another one is among them. */
  maybe(wanted: Iterable<string>): number[] {
    const hashes = new Set<number>();
    for (const id of wanted) hashes.add(termHash(id));
    const { ids, seqs } = this.#columns;
    const found: number[] = [];
    for (let row = 1; row < this.#rows; row++) if (hashes.has(ids[row]!)) found.push(seqs[row]!);
    return found;
  }

  /** The memories found, and those up to `most` steps before and after them, thread by thread. */
  around(terms: Hashed, found: readonly number[], most: number): Place[] {
    const [wanted, placed] = [++this.#marks, ++this.#marks];
    const { before, after, positions, marks } = this.#columns;
    const rows: number[] = [];
    const want = (row: number) => {
      if (marks[row] === wanted) return;
      marks[row] = wanted;
      rows.push(row);
    };
    for (const seq of found) {
      const row = this.#rowAt(seq);
      if (row === 0) continue;
      const here = positions[row]!;
      want(row);
      for (let at = before[row]!; at !== 0 && here - positions[at]! <= most; at = before[at]!) {
        want(at);
      }
      for (let at = after[row]!; at !== 0 && positions[at]! - here <= most; at = after[at]!) {
        want(at);
      }
    }
    const places: Place[] = [];
    for (const first of rows) {
      const previous = before[first]!;
      const leadsOn = marks[previous] === wanted && after[previous] === first;
      if (leadsOn || marks[first] === placed) continue;
      for (let at = first; at !== 0 && marks[at] === wanted; at = after[at]!) {
        marks[at] = placed;
        places.push(this.#place(at, first, terms));
      }
    }
    return places;
  }

  #place(row: number, thread: number, terms: Hashed): Place {
    const { seqs, positions, asks, starts, counts } = this.#columns;
    const start = starts[row]!;
    const sheet = this.#sheets[Math.floor(start / SHEET)]!;
    const from = start % SHEET;
    return {
      seq: seqs[row]!,
      thread,
      position: positions[row]!,
      event_date: this.#dates.get(row) ?? null,
      mask: maskOf(terms, sheet, from, from + counts[row]!),
      asks: asks[row]!,
    };
  }

  /** In the place that they had, where they fit. */
  #keepTerms(row: number, hashes: Uint32Array): void {
    const { starts, counts } = this.#columns;
    const count = hashes.length;
    if (count > counts[row]!) {
      const left = SHEET - this.#used % SHEET;
      if (count > left) this.#used += left;
      starts[row] = this.#used;
      this.#used += count;
    }
    this.#live += count - counts[row]!;
    counts[row] = count;
    const start = starts[row]!;
    const sheet = this.#sheets[Math.floor(start / SHEET)] ??= new Uint32Array(SHEET);
    sheet.set(hashes, start % SHEET);
  }

  /** The row of a memory; 0 when it has none. */
  #rowAt(seq: number): number {
    return this.#rowOf.get(seq) ?? 0;
  }

  /** The same for a neighbour, which may come later. */
  #beside(seq: number, neighbour: number | null): number {
    if (neighbour === null) return 0;
    const row = this.#rowAt(neighbour);
    if (row === 0) this.#awaited.set(neighbour, [...this.#awaited.get(neighbour) ?? [], seq]);
    return row;
  }

  #link(first: number, second: number): void {
    if (first !== 0) this.#columns.after[first] = second;
    if (second !== 0) this.#columns.before[second] = first;
  }

  #reserve(rows: number): void {
    if (rows <= this.#columns.seqs.length) return;
    const grown = columnsFor(Math.ceil(rows * 1.5));
    for (const [name, column] of Object.entries(this.#columns)) {
      grown[name as keyof typeof grown].set(column);
    }
    this.#columns = grown;
  }
}

/** What is known of each row. */
function columnsFor(rows: number) {
  return {
    seqs: new Uint32Array(rows),
    /** Hashes of their ids. */
    ids: new Uint32Array(rows),
    positions: new Float64Array(rows),
    before: new Uint32Array(rows),
    after: new Uint32Array(rows),
    /** Where their terms start, and how many there are. */
    starts: new Uint32Array(rows),
    counts: new Uint32Array(rows),
    asks: new Uint8Array(rows),
    /** What the last search that came across them did with them. */
    marks: new Uint32Array(rows),
  };
}
