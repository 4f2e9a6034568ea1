/** Rows of bytes in the memory of a program that compares them with a query. */

const PAGE = 65_536;

/** A memory of 32-bit places holds no more. */
const MOST_BYTES = 2 ** 32;

/** Where the query stands, what is asked or noted about some rows (48 kB at most), and the rows. */
export const QUERY_AT = 0;
export const NOTES_AT = 16_384;
const ROWS_AT = PAGE;

/** Rows of one width, which are only ever added. */
export class Rows {
  readonly memory = new WebAssembly.Memory({ initial: ROWS_AT / PAGE });
  readonly #width: number;

  /** @param width bytes a row, a multiple of 8 */
  constructor(width: number) {
    this.#width = width;
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Whether there can be so many rows. */
  fit(rows: number): boolean {
    return this.at(rows) <= MOST_BYTES;
  }

  /** Makes room for so many rows, and some more: each growth may copy everything. */
  reserve(rows: number): void {
    const end = this.at(rows);
    if (end > this.bytes) this.reserveTo(end + rows * this.#width / 8);
  }

  /** Makes room up to a place of bytes; what was handed out before is of no use then. */
  reserveTo(end: number): void {
    const missing = Math.min(end, MOST_BYTES) - this.bytes;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
  }

  /** Where a row begins. */
  at(row: number): number {
    return ROWS_AT + row * this.#width;
  }

  put(row: number, bytes: ArrayBufferView): void {
    this.write(this.at(row), bytes);
  }

  write(at: number, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    new Uint8Array(this.memory.buffer, at).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** So many numbers from a place of bytes on. */
  integers(at: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, at, count);
  }
}
