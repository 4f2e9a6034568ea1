/** Finds where JSON values end, without parsing them. */

/** The bytes that structure a JSON text. */
export const JSON_BYTES = {
  QUOTE: 0x22,
  BACKSLASH: 0x5c,
  COMMA: 0x2c,
  COLON: 0x3a,
  OPEN_ARRAY: 0x5b,
  CLOSE_ARRAY: 0x5d,
  OPEN_OBJECT: 0x7b,
  CLOSE_OBJECT: 0x7d,
} as const;

const { QUOTE, BACKSLASH, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT } = JSON_BYTES;

/**
 * Finds the end of one value at a time in consecutive pieces of a text. Each byte is read once, and
 * none is kept.
 *
 * @example
 * ```ts
 * import { JsonValueScan } from "./json_value_scan.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const scan = new JsonValueScan();
 * const [first, second] = ['["a', ' ]"], 1'].map((text) => new TextEncoder().encode(text));
 * strictEqual(scan.advance(first!, 0), 3);
 * strictEqual(scan.isDone, false);
 * strictEqual(scan.advance(second!, 0), 4);
 * strictEqual(scan.isDone, true);
 * ```
 */
export class JsonValueScan {
  readonly #maxDepth: number;
  #kind: "new" | "string" | "scalar" | "nested" = "new";
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isDone = false;

  /** @param maxDepth how deep the value may be nested; defaults to any depth */
  constructor(maxDepth = Infinity) {
    this.#maxDepth = maxDepth;
  }

  /** Begins with the next value. */
  reset(): void {
    this.#kind = "new";
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#isDone = false;
  }

  /** Whether the value has ended. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether the value is a number or a literal. Only these can end with the text. */
  get isScalar(): boolean {
    return this.#kind === "scalar";
  }

  /** Whether the value is nested too deeply. It isn't read any further. */
  get isTooDeep(): boolean {
    return this.#depth > this.#maxDepth;
  }

  /**
   * Reads the next piece of the value.
   *
   * @param start where the piece begins, i.e. the first byte of the value in the first call
   * @returns the offset after the value, or the length of the bytes if the value isn't done
   */
  advance(bytes: Uint8Array, start: number): number {
    if (this.#kind === "new" && start < bytes.length) {
      const first = bytes[start]!;
      const isNested = first === OPEN_OBJECT || first === OPEN_ARRAY;
      this.#kind = first === QUOTE ? "string" : isNested ? "nested" : "scalar";
      if (this.#kind === "string") return this.#advanceString(bytes, start + 1);
    }
    if (this.#kind === "scalar") return this.#advanceScalar(bytes, start);
    return this.#kind === "string"
      ? this.#advanceString(bytes, start)
      : this.#advanceNested(bytes, start);
  }

  #advanceNested(bytes: Uint8Array, start: number): number {
    let depth = this.#depth;
    let i = this.#inString ? this.#advanceString(bytes, start) : start;
    for (; i < bytes.length && !this.#isDone; i++) {
      const byte = bytes[i]!;
      if (byte === QUOTE) i = this.#advanceString(bytes, i + 1) - 1;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (++depth > this.#maxDepth) break;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#isDone = --depth === 0;
      }
    }
    this.#depth = depth;
    return i;
  }

  /** Reads a string, which can be within another value, up to the byte after its closing quote. */
  #advanceString(bytes: Uint8Array, start: number): number {
    this.#inString = true;
    let i = this.#isEscaped && start < bytes.length ? start + 1 : start;
    if (i > start) this.#isEscaped = false;
    for (; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#isDone = this.#kind === "string";
        return i + 1;
      }
    }
    // A backslash was the last byte.
    if (i > bytes.length) this.#isEscaped = true;
    return bytes.length;
  }

  #advanceScalar(bytes: Uint8Array, start: number): number {
    for (let i = start; i < bytes.length; i++) {
      const byte = bytes[i]!;
      this.#isDone = byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT ||
        byte <= 0x20;
      if (this.#isDone) return i;
    }
    return bytes.length;
  }
}
