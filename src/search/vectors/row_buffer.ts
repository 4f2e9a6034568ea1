/** Rows of bytes in the memory of a program that compares them with a query. */

const WASM_PAGE_BYTES = 65_536;

/** A memory of 32-bit places holds no more. */
const MAX_MEMORY_BYTES = 2 ** 32;

/** Where the query stands, what is asked or noted about some rows (48 kB at most), and the rows. */
export const QUERY_OFFSET = 0;
export const SCRATCH_OFFSET = 16_384;
const ROWS_OFFSET = WASM_PAGE_BYTES;

/** Rows of one width, which are only ever added. */
export class RowBuffer {
  readonly memory = new WebAssembly.Memory({ initial: ROWS_OFFSET / WASM_PAGE_BYTES });
  readonly #width: number;

  /** @param width bytes a row, a multiple of 8 */
  constructor(width: number) {
    this.#width = width;
  }

  get byteLength(): number {
    return this.memory.buffer.byteLength;
  }

  /** Whether there can be so many rows. */
  canHold(rows: number): boolean {
    return this.offsetOf(rows) <= MAX_MEMORY_BYTES;
  }

  /** Makes room for so many rows, and some more: each growth may copy everything. */
  reserve(rows: number): void {
    const end = this.offsetOf(rows);
    if (end > this.byteLength) this.reserveTo(end + rows * this.#width / 8);
  }

  /** Makes room up to a place of bytes; what was handed out before is of no use then. */
  reserveTo(end: number): void {
    const missing = Math.min(end, MAX_MEMORY_BYTES) - this.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
  }

  /** Where a row begins. */
  offsetOf(row: number): number {
    return ROWS_OFFSET + row * this.#width;
  }

  put(row: number, bytes: ArrayBufferView): void {
    this.write(this.offsetOf(row), bytes);
  }

  write(offset: number, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    new Uint8Array(this.memory.buffer, offset).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** So many numbers from a place of bytes on. */
  integers(offset: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, offset, count);
  }
}
