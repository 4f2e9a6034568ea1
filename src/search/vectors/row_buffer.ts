/** A growable buffer of fixed-width rows in WebAssembly memory, where the kernels read them. */

const WASM_PAGE_BYTES = 65_536;

/** Limit of a memory with 32-bit addresses. */
const MAX_MEMORY_BYTES = 2 ** 32;

/**
 * Memory layout: the query, scratch space for lists and results of rows (at most 48 kB), and the
 * rows.
 */
export const QUERY_OFFSET = 0;
export const SCRATCH_OFFSET = 16_384;
const ROWS_OFFSET = WASM_PAGE_BYTES;

/** Rows of one width. Rows are only ever appended. */
export class RowBuffer {
  readonly memory = new WebAssembly.Memory({ initial: ROWS_OFFSET / WASM_PAGE_BYTES });
  readonly #width: number;

  /** @param width bytes per row, a multiple of 8 */
  constructor(width: number) {
    this.#width = width;
  }

  get byteLength(): number {
    return this.memory.buffer.byteLength;
  }

  /** Checks whether the memory can grow to this many rows. */
  canHold(rows: number): boolean {
    return this.offsetOf(rows) <= MAX_MEMORY_BYTES;
  }

  /** Grows the memory to this many rows, and some more: each growth can copy everything. */
  reserve(rows: number): void {
    const end = this.offsetOf(rows);
    if (end > this.byteLength) this.reserveTo(end + rows * this.#width / 8);
  }

  /** Grows the memory up to a byte offset. Views created before are detached. */
  reserveTo(end: number): void {
    const missing = Math.min(end, MAX_MEMORY_BYTES) - this.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / WASM_PAGE_BYTES));
  }

  /** Returns the byte offset of a row. */
  offsetOf(row: number): number {
    return ROWS_OFFSET + row * this.#width;
  }

  put(row: number, bytes: ArrayBufferView): void {
    this.write(this.offsetOf(row), bytes);
  }

  write(offset: number, { buffer, byteOffset, byteLength }: ArrayBufferView): void {
    new Uint8Array(this.memory.buffer, offset).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Returns a view of `count` integers at a byte offset. */
  integers(offset: number, count: number): Int32Array {
    return new Int32Array(this.memory.buffer, offset, count);
  }
}
