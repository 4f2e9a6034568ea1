/**
 * An in-memory index of a project's threads. Stores each memory's position in its thread and the
 * hashes of its terms (about 120 bytes per memory), so that finding a hit's neighbours takes a
 * tenth of the time it takes with the table. The memories in a thread form a doubly linked list.
 *
 * Also stores posting lists (up to 48 bytes per memory, or 16 KB in small projects), which it can
 * keep up to date because it knows each memory's terms.
 */

import { PostingLists } from "../lexical/posting_lists.ts";
import type { Postings } from "../lexical/term_search.ts";
import { type TermHashes, TermMaskTable, ThreadWindow } from "./thread_window.ts";
import { SparseRowMap } from "../vectors/sparse_row_map.ts";
import { dateTerms, termHash } from "../query/terms.ts";

/** A memory as read from the database. */
export interface IndexedMemory {
  readonly seq: number;
  readonly id: string;
  /** Null if the memory isn't part of a thread. */
  readonly thread: number | null;
  readonly position: number;
  readonly event_date: string | null;
  readonly asks: number;
  /** The `seq` of the previous memory in the thread, to save searching for the right position. */
  readonly before: number | null;
}

/** Maximum number of term hashes per page. A memory's hashes never span pages. */
const PAGE_BITS = 18;
const PAGE_HASHES = 1 << PAGE_BITS;

/** Initial page size. Most projects are small, and there can be thousands of them. */
const MIN_PAGE_HASHES = 1_024;

/** Maximum size of the posting lists in bytes, per memory and at least. */
const POSTING_BYTES = { perMemory: 48, min: 16_384 } as const;

/** Bytes per row in the columns below. */
const ROW_BYTES = 2 * 8 + 7 * 4 + 1;

/** A project's thread index. Rows start at 1; 0 means none. */
export class ThreadIndex {
  readonly #freeBytes: () => number;
  readonly #rowOf = new SparseRowMap();
  #columns = allocateColumns(1_024);
  readonly #dates = new Map<number, string>();
  readonly #pages: Uint32Array[] = [];
  readonly #postings = new PostingLists(() => this.#maxPostingBytes);
  #rows = 1;
  /** Number of hashes written, and how many of them still belong to a memory. */
  #usedHashes = 0;
  #liveHashes = 0;
  #lastMark = 0;
  /** The last row in each thread, in a hash table. An emptied thread keeps a deleted row. */
  #tails = new Uint32Array(1_024);
  #threads = 0;

  /** @param freeBytes returns how much the posting lists may grow */
  constructor(freeBytes: () => number = () => Infinity) {
    this.#freeBytes = freeBytes;
  }

  /** Size in bytes. */
  get byteLength(): number {
    return this.#rowOf.byteLength + this.#tails.byteLength + this.#columns.seqs.length * ROW_BYTES +
      this.#pages.reduce((bytes, page) => bytes + page.byteLength, 0) + this.#dates.size * 80 +
      this.#postings.byteLength;
  }

  /** Whether most of the hashes belong to deleted or rewritten memories. */
  get isFragmented(): boolean {
    return this.#usedHashes > 2 * this.#liveHashes + PAGE_HASHES;
  }

  has(seq: number): boolean {
    return this.#rowOf.get(seq) !== undefined;
  }

  /** Adds or updates a memory and its term hashes. */
  set(memory: IndexedMemory, hashes: Uint32Array): void {
    const { seq, id, thread, position, event_date, asks, before } = memory;
    const existing = this.#rowOf.get(seq);
    const row = existing ?? this.#rows++;
    if (existing === undefined) this.#reserve(this.#rows);
    else this.#postings.delete(this.#indexedHashes(row));
    const columns = this.#columns;
    columns.asks[row] = asks;
    if (event_date === null) this.#dates.delete(row);
    else this.#dates.set(row, event_date);
    this.#storeHashes(row, hashes);
    if (existing === undefined) this.#postings.add(seq, this.#indexedHashes(row));
    else this.#postings.delete(this.#indexedHashes(row));
    // Memories never move to a different thread or position.
    if (existing !== undefined) return;
    columns.seqs[row] = seq;
    columns.ids[row] = termHash(id);
    columns.positions[row] = position;
    columns.threads[row] = thread ?? NaN;
    this.#rowOf.set(seq, row);
    if (thread !== null) this.#insert(row, thread, before === null ? 0 : this.#rowAt(before));
  }

  /** Removes a memory and links up its neighbours. */
  delete(seq: number): void {
    const row = this.#rowOf.get(seq);
    if (row === undefined) return;
    this.#postings.delete(this.#indexedHashes(row));
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

  /**
   * Returns the `seq`s of memories that may have one of these ids. Hash collisions can add a few
   * extras.
   */
  findByIdHash(memoryIds: Iterable<string>): number[] {
    const hashes = new Set<number>();
    for (const id of memoryIds) hashes.add(termHash(id));
    const { ids, seqs } = this.#columns;
    const found: number[] = [];
    for (let row = 1; row < this.#rows; row++) if (hashes.has(ids[row]!)) found.push(seqs[row]!);
    return found;
  }

  /** The posting lists, as of the same snapshot, or undefined if there's no room for any. */
  get postings(): Postings | undefined {
    return this.#maxPostingBytes > 0 ? this.#postings : undefined;
  }

  /**
   * Deletes posting lists until this many bytes are freed, or none is left. Returns the number of
   * bytes freed.
   */
  dropPostings(bytes: number): number {
    const before = this.#postings.byteLength;
    this.#postings.trim(before - bytes);
    return before - this.#postings.byteLength;
  }

  get #maxPostingBytes(): number {
    const { perMemory, min } = POSTING_BYTES;
    const free = this.#freeBytes() + this.#postings.byteLength;
    return Math.min(Math.max(perMemory * this.#rows, min), free);
  }

  /** Returns the hits plus up to `maxSteps` memories before and after each, grouped by thread. */
  windowAround(terms: TermHashes, hits: readonly number[], maxSteps: number): ThreadWindow {
    const [collected, placed] = [++this.#lastMark, ++this.#lastMark];
    const { before, after, positions, marks } = this.#columns;
    const rows: number[] = [];
    const collect = (row: number) => {
      if (marks[row] === collected) return;
      marks[row] = collected;
      rows.push(row);
    };
    for (const seq of hits) {
      const row = this.#rowAt(seq);
      if (row === 0) continue;
      const from = positions[row]!;
      collect(row);
      for (let at = before[row]!; at !== 0 && from - positions[at]! <= maxSteps; at = before[at]!) {
        collect(at);
      }
      for (let at = after[row]!; at !== 0 && positions[at]! - from <= maxSteps; at = after[at]!) {
        collect(at);
      }
    }
    const inOrder: number[] = [];
    const threadWindow = new ThreadWindow(rows.length);
    for (const first of rows) {
      const previous = before[first]!;
      const continues = marks[previous] === collected && after[previous] === first;
      if (continues || marks[first] === placed) continue;
      for (let row = first; row !== 0 && marks[row] === collected; row = after[row]!) {
        marks[row] = placed;
        threadWindow.threads[inOrder.length] = first;
        inOrder.push(row);
      }
    }
    const masks = new TermMaskTable(terms);
    for (let at = 0; at < inOrder.length; at++) {
      this.#copyRow(inOrder[at]!, threadWindow, at, masks);
    }
    return threadWindow;
  }

  #copyRow(row: number, threadWindow: ThreadWindow, at: number, masks: TermMaskTable): void {
    const { seqs, positions, asks, starts, counts } = this.#columns;
    const from = starts[row]! & PAGE_HASHES - 1;
    const page = this.#pages[starts[row]! >>> PAGE_BITS]!;
    threadWindow.seqs[at] = seqs[row]!;
    threadWindow.positions[at] = positions[row]!;
    threadWindow.masks[at] = masks.maskOf(page, from, from + counts[row]!);
    threadWindow.asks[at] = asks[row]!;
    const date = this.#dates.size === 0 ? undefined : this.#dates.get(row);
    if (date !== undefined) threadWindow.dates.set(at, date);
  }

  /** Yields the hashes of all terms that a memory has in the text index. */
  *#indexedHashes(row: number): Generator<number> {
    const { starts, counts } = this.#columns;
    const from = starts[row]! & PAGE_HASHES - 1;
    yield* this.#pages[starts[row]! >>> PAGE_BITS]?.subarray(from, from + counts[row]!) ?? [];
    const date = this.#dates.get(row);
    if (date !== undefined) yield* dateTerms(date).map(termHash);
  }

  /** Stores a row's hashes, in place if they fit. */
  #storeHashes(row: number, hashes: Uint32Array): void {
    const { starts, counts } = this.#columns;
    const count = hashes.length;
    if (count > counts[row]!) {
      const free = PAGE_HASHES - this.#usedHashes % PAGE_HASHES;
      if (count > free) this.#usedHashes += free;
      starts[row] = this.#usedHashes;
      this.#usedHashes += count;
    }
    this.#liveHashes += count - counts[row]!;
    counts[row] = count;
    const start = starts[row]!;
    this.#pageFor(start, count).set(hashes, start % PAGE_HASHES);
  }

  /** Returns the page for these hashes, growing it if needed. */
  #pageFor(start: number, count: number): Uint32Array {
    const [pageIndex, end] = [Math.floor(start / PAGE_HASHES), start % PAGE_HASHES + count];
    const page = this.#pages[pageIndex];
    if (page !== undefined && end <= page.length) return page;
    const grown = new Uint32Array(Math.min(PAGE_HASHES, Math.max(MIN_PAGE_HASHES, 2 * end)));
    if (page !== undefined) grown.set(page);
    return this.#pages[pageIndex] = grown;
  }

  /** Returns a memory's row, or 0 if there is none. */
  #rowAt(seq: number): number {
    return this.#rowOf.get(seq) ?? 0;
  }

  /**
   * Inserts a row into its thread's list. The search for the right position starts at `near`, a row
   * nearby.
   */
  #insert(row: number, thread: number, near: number): void {
    const { before, after, positions, seqs } = this.#columns;
    const slot = this.#slotOf(thread);
    const tail = this.#tails[slot]!;
    const isEmpty = tail === 0 || this.#rowAt(seqs[tail]!) !== tail;
    const position = positions[row]!;
    let [previous, next] = [isEmpty ? 0 : near || tail, 0];
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

  /** Returns the slot of a thread's tail, or the free slot where it belongs. */
  #slotOf(thread: number): number {
    const { threads } = this.#columns;
    const mask = this.#tails.length - 1;
    // Fibonacci hashing (Knuth, 6.4) on the 48 bits.
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

/** Allocates the columns for a given number of rows. */
function allocateColumns(rows: number) {
  return {
    seqs: new Uint32Array(rows),
    /** Hashes of the memory ids. */
    ids: new Uint32Array(rows),
    positions: new Float64Array(rows),
    threads: new Float64Array(rows),
    before: new Uint32Array(rows),
    after: new Uint32Array(rows),
    /** Offset and length of the term hashes. */
    starts: new Uint32Array(rows),
    counts: new Uint32Array(rows),
    asks: new Uint8Array(rows),
    /** State of each row in the last search that visited it. */
    marks: new Uint32Array(rows),
  };
}
