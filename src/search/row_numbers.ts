/** Finding the rows of what is held in memory by the numbers that the database gives. */

/** Numbers of memories that are looked up together, and the bits that this takes. */
const SHEET = 1_024;
const SHEET_BITS = 10;

/**
 * Rows by the numbers of their memories. These grow by one with every memory of the whole database,
 * so that sheets of neighbouring numbers take a tenth of the memory of a `Map`, and of its time. They
 * are below 2^32, as the columns that hold them are.
 */
export class RowNumbers {
  /** A row's number plus one; 0 for none. */
  readonly #sheets: (Uint32Array | undefined)[] = [];
  #used = 0;

  /** Bytes that it holds. */
  get bytes(): number {
    return this.#used * SHEET * 4;
  }

  get(seq: number): number | undefined {
    const row = this.#sheets[seq >>> SHEET_BITS]?.[seq & SHEET - 1] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  set(seq: number, row: number): void {
    const sheet = seq >>> SHEET_BITS;
    if (this.#sheets[sheet] === undefined) {
      this.#sheets[sheet] = new Uint32Array(SHEET);
      this.#used++;
    }
    this.#sheets[sheet][seq & SHEET - 1] = row + 1;
  }

  delete(seq: number): void {
    const sheet = this.#sheets[seq >>> SHEET_BITS];
    if (sheet !== undefined) sheet[seq & SHEET - 1] = 0;
  }
}
