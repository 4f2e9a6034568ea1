/** Collects bytes in one buffer, up to a limit. */

/** Smallest buffer, in bytes. */
const MIN_BUFFER_BYTES = 64 * 1024;

/** Buffers above this size are dropped once their content has been taken, in bytes. */
const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * Collects pieces, such as those of a line, until they're taken. Bytes over the limit are only
 * counted.
 *
 * @example
 * ```ts
 * import { ByteBuffer } from "./byte_buffer.ts";
 * import { deepStrictEqual, strictEqual } from "node:assert/strict";
 *
 * const buffer = new ByteBuffer(3);
 * buffer.append(new Uint8Array([1, 2]));
 * buffer.append(new Uint8Array([3]));
 * deepStrictEqual(buffer.take(), new Uint8Array([1, 2, 3]));
 * buffer.append(new Uint8Array([1, 2, 3, 4]));
 * strictEqual(buffer.take(), null);
 * strictEqual(buffer.length, 0);
 * ```
 */
export class ByteBuffer {
  readonly #maxBytes: number;
  #storage = new Uint8Array(MIN_BUFFER_BYTES);
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of bytes since the last `take`, including those over the limit. */
  get length(): number {
    return this.#length;
  }

  /** Appends a copy of some bytes. */
  append(bytes: Uint8Array): void {
    const start = this.#length;
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) return;
    if (this.#length > this.#storage.length) {
      const grown = new Uint8Array(2 * this.#length);
      grown.set(this.#storage.subarray(0, start));
      this.#storage = grown;
    }
    this.#storage.set(bytes, start);
  }

  /**
   * Empties the buffer and returns its bytes, which are only valid until the next `append`. Returns
   * null if there were more than the limit.
   */
  take(): Uint8Array | null {
    const bytes = this.#length > this.#maxBytes ? null : this.#storage.subarray(0, this.#length);
    this.#length = 0;
    if (this.#storage.length > MAX_KEPT_BYTES) this.#storage = new Uint8Array(MIN_BUFFER_BYTES);
    return bytes;
  }
}
