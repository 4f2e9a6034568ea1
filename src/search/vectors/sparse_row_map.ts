/** Finding the rows of what is held in memory by the numbers that the database gives. */

/** Numbers of memories that are looked up together, and the bits that this takes. */
const PAGE_ROWS = 1_024;
const PAGE_BITS = 10;

/**
 * Rows by the numbers of their memories. These grow by one with every memory of the whole database,
 * so that sheets of neighbouring numbers take a tenth of the memory of a `Map`, and of its time. They
 * are below 2^32, as the columns that hold them are.
 */
export class SparseRowMap {
  /** A row's number plus one; 0 for none. */
  readonly #pages: (Uint32Array | undefined)[] = [];
  #usedPages = 0;

  /** Bytes that it holds. */
  get byteLength(): number {
    return this.#usedPages * PAGE_ROWS * 4;
  }

  get(seq: number): number | undefined {
    const row = this.#pages[seq >>> PAGE_BITS]?.[seq & PAGE_ROWS - 1] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  set(seq: number, row: number): void {
    const sheet = seq >>> PAGE_BITS;
    if (this.#pages[sheet] === undefined) {
      this.#pages[sheet] = new Uint32Array(PAGE_ROWS);
      this.#usedPages++;
    }
    this.#pages[sheet][seq & PAGE_ROWS - 1] = row + 1;
  }

  delete(seq: number): void {
    const sheet = this.#pages[seq >>> PAGE_BITS];
    if (sheet !== undefined) sheet[seq & PAGE_ROWS - 1] = 0;
  }
}
