/** Finding the rows of what is held in memory by the numbers that the database gives. */

/** Numbers of memories that are looked up together. */
const SHEET = 1_024;

/**
 * Rows by the numbers of their memories. These grow by one with every memory of the whole database,
 * so that sheets of neighbouring numbers take a tenth of the memory of a `Map`, and of its time.
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
    const row = this.#sheets[Math.floor(seq / SHEET)]?.[seq % SHEET] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  set(seq: number, row: number): void {
    const sheet = Math.floor(seq / SHEET);
    if (this.#sheets[sheet] === undefined) {
      this.#sheets[sheet] = new Uint32Array(SHEET);
      this.#used++;
    }
    this.#sheets[sheet][seq % SHEET] = row + 1;
  }

  delete(seq: number): void {
    const sheet = this.#sheets[Math.floor(seq / SHEET)];
    if (sheet !== undefined) sheet[seq % SHEET] = 0;
  }
}
