/**
 * A growable buffer of fixed-width rows. Lives in WebAssembly memory, where the kernels can read
 * it.
 */

const WASM_PAGE_BYTES = 65_536;

/** Maximum size of a memory with 32-bit addresses. */
const MAX_MEMORY_BYTES = 2 ** 32;

/**
 * Memory layout: the query, then scratch space for row lists and results (at most 48 kB), then the
 * rows.
 */
export const QUERY_OFFSET = 0;
export const SCRATCH_OFFSET = 16_384;
const ROWS_OFFSET = WASM_PAGE_BYTES;

/** Append-only rows of equal width. */
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

  /**
   * Grows the memory to this many rows plus some headroom, since each growth may copy everything.
   */
  reserve(rows: number): void {
    const end = this.offsetOf(rows);
    if (end > this.byteLength) this.reserveTo(end + rows * this.#width / 8);
  }

  /** Grows the memory up to a byte offset. Detaches any views created earlier. */
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
