/** Byte array operations. */

/**
 * Returns all parts concatenated, in order.
 *
 * @example
 * ```ts
 * import { concatBytes } from "./bytes.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const parts = [new Uint8Array([1, 2]), new Uint8Array([3])];
 * deepStrictEqual(concatBytes(parts), new Uint8Array([1, 2, 3]));
 * ```
 */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}
