/** Maps database `seq`s to rows in in-memory structures. */

/** Number of `seq`s per page, and the number of bits for a `seq`'s offset within its page. */
const PAGE_ROWS = 1_024;
const PAGE_BITS = 10;

/**
 * A map from `seq` to row. `seq`s are consecutive across the whole database, so pages of
 * neighbouring `seq`s take a tenth of the memory and time of a `Map`. `seq`s are below 2^32, which
 * is also the limit for the columns that store them.
 */
export class SparseRowMap {
  /** The row plus one; 0 for none. */
  readonly #pages: (Uint32Array | undefined)[] = [];
  #usedPages = 0;

  /** Size in bytes. */
  get byteLength(): number {
    return this.#usedPages * PAGE_ROWS * 4;
  }

  get(seq: number): number | undefined {
    const row = this.#pages[seq >>> PAGE_BITS]?.[seq & PAGE_ROWS - 1] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  set(seq: number, row: number): void {
    const pageIndex = seq >>> PAGE_BITS;
    if (this.#pages[pageIndex] === undefined) {
      this.#pages[pageIndex] = new Uint32Array(PAGE_ROWS);
      this.#usedPages++;
    }
    this.#pages[pageIndex][seq & PAGE_ROWS - 1] = row + 1;
  }

  delete(seq: number): void {
    const page = this.#pages[seq >>> PAGE_BITS];
    if (page !== undefined) page[seq & PAGE_ROWS - 1] = 0;
  }
}
