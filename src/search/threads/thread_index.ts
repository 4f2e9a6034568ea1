/**
 * Where the memories of a project stand, and the hashes of their terms, in memory (some 120 bytes
 * each): what surrounds the hits of a search is read from it in a tenth of the time that the table
 * takes. Each memory knows the one before it in its thread and the one after it.
 */

import { type TermHashes, TermMaskTable, ThreadWindow } from "./thread_window.ts";
import { SparseRowMap } from "../vectors/sparse_row_map.ts";
import { termHash } from "../query/terms.ts";

/** A memory as it stands in the database. */
export interface IndexedMemory {
  readonly seq: number;
  readonly id: string;
  /** Null for one that stands alone. */
  readonly thread: number | null;
  readonly position: number;
  readonly event_date: string | null;
  readonly asks: number;
  /** The number of the one before it in its thread, so that its place need not be looked for. */
  readonly before: number | null;
}

/** Hashes of terms in one piece at most; those of one memory lie in the same one. */
const PAGE_BITS = 18;
const PAGE_HASHES = 1 << PAGE_BITS;

/** What a piece begins with: most projects are small, and there may be thousands of them. */
const MIN_PAGE_HASHES = 1_024;

/** What a row takes in the columns below. */
const ROW_BYTES = 2 * 8 + 7 * 4 + 1;

/** The places of a project. Its rows begin with 1: 0 stands for none. */
export class ThreadIndex {
  readonly #rowOf = new SparseRowMap();
  #columns = allocateColumns(1_024);
  readonly #dates = new Map<number, string>();
  readonly #pages: Uint32Array[] = [];
  #rows = 1;
  /** Hashes that were written, and those of them that belong to a memory. */
  #usedHashes = 0;
  #liveHashes = 0;
  #lastMark = 0;
  /** The last row of each thread, by the hash of the thread; of an empty one, a row that is gone. */
  #tails = new Uint32Array(1_024);
  #threads = 0;

  /** Bytes that it holds. */
  get byteLength(): number {
    return this.#rowOf.byteLength + this.#tails.byteLength + this.#columns.seqs.length * ROW_BYTES +
      this.#pages.reduce((bytes, sheet) => bytes + sheet.byteLength, 0) + this.#dates.size * 80;
  }

  /** Whether most of it belongs to what is gone or was rewritten. */
  get isFragmented(): boolean {
    return this.#usedHashes > 2 * this.#liveHashes + PAGE_HASHES;
  }

  has(seq: number): boolean {
    return this.#rowOf.get(seq) !== undefined;
  }

  /** Sets a memory, whether it was there or not, with the hashes of its terms. */
  set(memory: IndexedMemory, hashes: Uint32Array): void {
    const { seq, id, thread, position, event_date, asks, before } = memory;
    const known = this.#rowOf.get(seq);
    const row = known ?? this.#rows++;
    if (known === undefined) this.#reserve(this.#rows);
    const columns = this.#columns;
    columns.asks[row] = asks;
    if (event_date === null) this.#dates.delete(row);
    else this.#dates.set(row, event_date);
    this.#storeHashes(row, hashes);
    // Its thread and its position never change.
    if (known !== undefined) return;
    columns.seqs[row] = seq;
    columns.ids[row] = termHash(id);
    columns.positions[row] = position;
    columns.threads[row] = thread ?? NaN;
    this.#rowOf.set(seq, row);
    if (thread !== null) this.#insert(row, thread, before === null ? 0 : this.#rowAt(before));
  }

  /** From now on this memory is not there; its neighbours stand next to each other. */
  delete(seq: number): void {
    const row = this.#rowOf.get(seq);
    if (row === undefined) return;
    const { before, after, counts, ids, threads } = this.#columns;
    const [previous, next] = [before[row]!, after[row]!];
    if (previous !== 0) after[previous] = next;
    if (next !== 0) before[next] = previous;
    else if (previous !== 0) this.#tails[this.#slotOf(threads[row]!)] = previous;
    this.#liveHashes -= counts[row]!;
    for (const column of [counts, ids, before, after]) column[row] = 0;
    this.#dates.delete(row);
    this.#rowOf.delete(seq);
  }

  /** The memories that may have one of these ids; now and then another one is among them. */
  findByIdHash(memoryIds: Iterable<string>): number[] {
    const hashes = new Set<number>();
    for (const id of memoryIds) hashes.add(termHash(id));
    const { ids, seqs } = this.#columns;
    const found: number[] = [];
    for (let row = 1; row < this.#rows; row++) if (hashes.has(ids[row]!)) found.push(seqs[row]!);
    return found;
  }

  /** The memories found, and those up to `most` steps before and after them, thread by thread. */
  windowAround(terms: TermHashes, hits: readonly number[], maxSteps: number): ThreadWindow {
    const [wanted, placed] = [++this.#lastMark, ++this.#lastMark];
    const { before, after, positions, marks } = this.#columns;
    const rows: number[] = [];
    const want = (row: number) => {
      if (marks[row] === wanted) return;
      marks[row] = wanted;
      rows.push(row);
    };
    for (const seq of hits) {
      const row = this.#rowAt(seq);
      if (row === 0) continue;
      const here = positions[row]!;
      want(row);
      for (let at = before[row]!; at !== 0 && here - positions[at]! <= maxSteps; at = before[at]!) {
        want(at);
      }
      for (let at = after[row]!; at !== 0 && positions[at]! - here <= maxSteps; at = after[at]!) {
        want(at);
      }
    }
    const inOrder: number[] = [];
    const places = new ThreadWindow(rows.length);
    for (const first of rows) {
      const previous = before[first]!;
      const leadsOn = marks[previous] === wanted && after[previous] === first;
      if (leadsOn || marks[first] === placed) continue;
      for (let row = first; row !== 0 && marks[row] === wanted; row = after[row]!) {
        marks[row] = placed;
        places.threads[inOrder.length] = first;
        inOrder.push(row);
      }
    }
    const masks = new TermMaskTable(terms);
    for (let at = 0; at < inOrder.length; at++) this.#copyRow(inOrder[at]!, places, at, masks);
    return places;
  }

  #copyRow(row: number, threadWindow: ThreadWindow, at: number, masks: TermMaskTable): void {
    const { seqs, positions, asks, starts, counts } = this.#columns;
    const from = starts[row]! & PAGE_HASHES - 1;
    const sheet = this.#pages[starts[row]! >>> PAGE_BITS]!;
    threadWindow.seqs[at] = seqs[row]!;
    threadWindow.positions[at] = positions[row]!;
    threadWindow.masks[at] = masks.maskOf(sheet, from, from + counts[row]!);
    threadWindow.asks[at] = asks[row]!;
    const date = this.#dates.size === 0 ? undefined : this.#dates.get(row);
    if (date !== undefined) threadWindow.dates.set(at, date);
  }

  /** In the place that they had, where they fit. */
  #storeHashes(row: number, hashes: Uint32Array): void {
    const { starts, counts } = this.#columns;
    const count = hashes.length;
    if (count > counts[row]!) {
      const left = PAGE_HASHES - this.#usedHashes % PAGE_HASHES;
      if (count > left) this.#usedHashes += left;
      starts[row] = this.#usedHashes;
      this.#usedHashes += count;
    }
    this.#liveHashes += count - counts[row]!;
    counts[row] = count;
    const start = starts[row]!;
    this.#pageFor(start, count).set(hashes, start % PAGE_HASHES);
  }

  /** The sheet of so many hashes, which grows with what is in it. */
  #pageFor(start: number, count: number): Uint32Array {
    const [number, end] = [Math.floor(start / PAGE_HASHES), start % PAGE_HASHES + count];
    const sheet = this.#pages[number];
    if (sheet !== undefined && end <= sheet.length) return sheet;
    const grown = new Uint32Array(Math.min(PAGE_HASHES, Math.max(MIN_PAGE_HASHES, 2 * end)));
    if (sheet !== undefined) grown.set(sheet);
    return this.#pages[number] = grown;
  }

  /** The row of a memory; 0 when it has none. */
  #rowAt(seq: number): number {
    return this.#rowOf.get(seq) ?? 0;
  }

  /** Puts a row between those of its thread that are there; looks from one of them that is near. */
  #insert(row: number, thread: number, near: number): void {
    const { before, after, positions, seqs } = this.#columns;
    const slot = this.#slotOf(thread);
    const tail = this.#tails[slot]!;
    const empty = tail === 0 || this.#rowAt(seqs[tail]!) !== tail;
    const position = positions[row]!;
    let [previous, next] = [empty ? 0 : near || tail, 0];
    while (previous !== 0 && positions[previous]! > position) {
      [previous, next] = [before[previous]!, previous];
    }
    if (previous !== 0) {
      next = after[previous]!;
      while (next !== 0 && positions[next]! <= position) [previous, next] = [next, after[next]!];
      after[previous] = row;
    }
    if (next !== 0) before[next] = row;
    else this.#tails[slot] = row;
    before[row] = previous;
    after[row] = next;
    if (tail === 0 && ++this.#threads * 2 > this.#tails.length) this.#growTails();
  }

  /** Where the tail of a thread stands, or would stand. */
  #slotOf(thread: number): number {
    const { threads } = this.#columns;
    const mask = this.#tails.length - 1;
    // Fibonacci hashing (Knuth, 6.4) of its 48 bits.
    const folded = thread % 2 ** 32 ^ Math.floor(thread / 2 ** 32);
    let slot = Math.imul(folded, 0x9e3779b1) >>> 8 & mask;
    while (this.#tails[slot] !== 0 && threads[this.#tails[slot]!] !== thread) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  #growTails(): void {
    const tails = this.#tails;
    this.#tails = new Uint32Array(tails.length * 4);
    for (const row of tails) {
      if (row !== 0) this.#tails[this.#slotOf(this.#columns.threads[row]!)] = row;
    }
  }

  #reserve(rows: number): void {
    if (rows <= this.#columns.seqs.length) return;
    const grown = allocateColumns(Math.ceil(rows * 1.5));
    for (const [name, column] of Object.entries(this.#columns)) {
      grown[name as keyof typeof grown].set(column);
    }
    this.#columns = grown;
  }
}

/** What is known of each row. */
function allocateColumns(rows: number) {
  return {
    seqs: new Uint32Array(rows),
    /** Hashes of their ids. */
    ids: new Uint32Array(rows),
    positions: new Float64Array(rows),
    threads: new Float64Array(rows),
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
