/**
 * Reads JSON incrementally, one value at a time, from a stream that may be larger than memory.
 * Requested values are parsed by JSON.parse. Outside those, every bracket and comma is checked.
 */

import { LIMITS } from "../limits.ts";
import { JSON_BYTES, JsonValueScan } from "./json_value_scan.ts";

/** Thrown for text that isn't JSON, or JSON of an unexpected kind. `offset` counts bytes. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(message: string, readonly offset: number) {
    super(`${message} at byte ${offset}`);
  }
}

/** Thrown for bytes that aren't UTF-8. */
export class Utf8Error extends Error {
  override readonly name = "Utf8Error";
}

/** Maximum size of a value parsed as a whole, in bytes. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024;

/** Smallest buffer, in bytes. Larger than most values. */
const MIN_BUFFER_BYTES = 512 * 1024;

/** How many times larger than its content a buffer can be. */
const MAX_BUFFER_FACTOR = 8;

const { QUOTE, COMMA, COLON, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT } = JSON_BYTES;

/**
 * Reads a single JSON text from start to end.
 *
 * @example
 * ```ts
 * import { JsonReader } from "./json_reader.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * async function* source() {
 *   yield new TextEncoder().encode('{"names": ["Ana", ');
 *   yield new TextEncoder().encode('"Ben"], "rest": {}}');
 * }
 *
 * const reader = new JsonReader(source());
 * const names: unknown[] = [];
 * for await (const key of reader.keys()) {
 *   if (key !== "names") await reader.skip();
 *   else for await (const name of reader.elements()) names.push(name);
 * }
 * await reader.expectEnd();
 * deepStrictEqual(names, ["Ana", "Ben"]);
 * ```
 */
export class JsonReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** One for all chunks. A new one per chunk would be garbage that V8 collects late. */
  #storage = new Uint8Array(0);
  /** The part of the storage that has been read. */
  #buffer = this.#storage;
  #position = 0;
  #bufferOffset: number;
  /** One for all values, as for chunks. */
  readonly #scan = new JsonValueScan(LIMITS.jsonDepth);

  /**
   * @param source chunks of the text, split anywhere. Each is copied before the next is requested
   * @param start offset of the source's first byte within the text; defaults to 0
   */
  constructor(source: AsyncIterable<Uint8Array>, start = 0) {
    this.#source = source[Symbol.asyncIterator]();
    this.#bufferOffset = start;
  }

  /** Offset of the next byte to read. */
  get offset(): number {
    return this.#bufferOffset + this.#position;
  }

  /** Closes the source early. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** Returns the kind of the next value without consuming it. */
  async kind(): Promise<"object" | "array" | "other"> {
    const byte = await this.#peek();
    return byte === OPEN_OBJECT ? "object" : byte === OPEN_ARRAY ? "array" : "other";
  }

  /**
   * Yields an object's keys. The caller has to read each value before asking for the next key.
   *
   * @throws JsonSyntaxError if the next value isn't an object
   */
  async *keys(): AsyncGenerator<string> {
    await this.#expect(OPEN_OBJECT, "{");
    for (let first = true;; first = false) {
      if (await this.#consumeEnd(CLOSE_OBJECT, first)) return;
      if (await this.#peek() !== QUOTE) throw this.#syntaxError("Expected a key");
      const key = await this.value();
      await this.#expect(COLON, ":");
      yield key as string;
    }
  }

  /**
   * Yields an array's elements, parsed.
   *
   * @throws JsonSyntaxError if the next value isn't an array
   */
  async *elements(): AsyncGenerator<unknown> {
    for await (const _ of this.elementOffsets()) yield await this.value();
  }

  /**
   * Yields the offsets of an array's elements. The caller has to read each element before asking
   * for the next offset.
   */
  async *elementOffsets(): AsyncGenerator<number> {
    await this.#expect(OPEN_ARRAY, "[");
    for (let first = true;; first = false) {
      if (await this.#consumeEnd(CLOSE_ARRAY, first)) return;
      yield this.offset;
    }
  }

  /**
   * Returns the next value, parsed.
   *
   * @throws JsonSyntaxError if the value isn't JSON, is too large or is nested too deeply
   * @throws Utf8Error if the bytes aren't UTF-8
   */
  async value(): Promise<unknown> {
    const text = this.#decode(await this.#readRaw());
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#syntaxError((error as Error).message);
    }
  }

  /**
   * Skips the next value. Objects and arrays can be of any size; only their nesting depth and the
   * size of their scalars are limited.
   *
   * @throws JsonSyntaxError if the value isn't JSON or is nested too deeply
   */
  async skip(): Promise<void> {
    await this.#skip(1);
  }

  async #skip(depth: number): Promise<void> {
    const kind = await this.kind();
    if (kind === "other") await this.value();
    else if (depth > LIMITS.jsonDepth) throw this.#tooDeep();
    else {
      const members = kind === "object" ? this.keys() : this.elementOffsets();
      for await (const _ of members) await this.#skip(depth + 1);
    }
  }

  /**
   * Returns the next value, or why it can't be parsed. In that case, the value is skipped without
   * being checked, however large or deeply nested it is.
   *
   * @throws JsonSyntaxError if the text ends before the value does
   */
  async valueOrProblem(): Promise<{ readonly value: unknown } | { readonly problem: string }> {
    await this.#peek();
    const start = this.offset;
    try {
      return { value: await this.value() };
    } catch (error) {
      if (!(error instanceof JsonSyntaxError || error instanceof Utf8Error)) throw error;
      // A value that was read but isn't valid has been consumed already.
      if (this.offset === start) await this.#skipUnchecked();
      return { problem: error.message };
    }
  }

  async #skipUnchecked(): Promise<void> {
    const scan = new JsonValueScan();
    for (;;) {
      this.#position = scan.advance(this.#buffer, this.#position);
      if (scan.isDone) return;
      if (!await this.#readMore()) throw this.#syntaxError("Text ends before the value does");
    }
  }

  /** Skips an array without parsing its elements and returns how many there are. */
  async skipElements(): Promise<number> {
    let count = 0;
    for await (const _ of this.elementOffsets()) {
      await this.#readRaw();
      count++;
    }
    return count;
  }

  /**
   * Makes sure that only white space follows.
   *
   * @throws JsonSyntaxError if anything else follows
   */
  async expectEnd(): Promise<void> {
    if (await this.#peek() !== -1) throw this.#syntaxError("Expected the end of the text");
  }

  async #consumeEnd(close: number, first: boolean): Promise<boolean> {
    const byte = await this.#peek();
    if (byte === close) {
      this.#position++;
      return true;
    }
    if (first) return false;
    await this.#expect(COMMA, ",");
    if (await this.#peek() === close) throw this.#syntaxError("Expected a value");
    return false;
  }

  async #expect(byte: number, name: string): Promise<void> {
    if (await this.#peek() !== byte) throw this.#syntaxError(`Expected "${name}"`);
    this.#position++;
  }

  /** Returns the next non-whitespace byte without consuming it, or -1 at the end. */
  async #peek(): Promise<number> {
    for (;;) {
      while (this.#position < this.#buffer.length) {
        const byte = this.#buffer[this.#position]!;
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
        this.#position++;
      }
      if (!await this.#readMore()) return -1;
    }
  }

  /** Returns the bytes of the next value, which are only valid until more are read. */
  async #readRaw(): Promise<Uint8Array> {
    if (await this.#peek() === -1) throw this.#syntaxError("Expected a value");
    const scan = this.#scan;
    scan.reset();
    for (let length = 0;;) {
      const end = scan.advance(this.#buffer, this.#position + length);
      if (scan.isTooDeep) throw this.#tooDeep();
      length = end - this.#position;
      if (!scan.isDone && length > MAX_VALUE_BYTES) {
        throw this.#syntaxError(`Value is larger than ${MAX_VALUE_BYTES} bytes`);
      }
      if (!scan.isDone && await this.#readMore()) continue;
      if (!scan.isDone && !scan.isScalar) {
        throw this.#syntaxError("Text ends before the value does");
      }
      if (length === 0) throw this.#syntaxError("Expected a value");
      this.#position += length;
      return this.#buffer.subarray(this.#position - length, this.#position);
    }
  }

  /** Appends the next chunk from the source. Returns false if there's nothing left to read. */
  async #readMore(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) return false;
    const rest = this.#buffer.subarray(this.#position);
    // The rest is only moved if it's the smaller part, or if the storage is full. Otherwise, a long
    // value in many chunks would be copied for each of them.
    const isFull = this.#buffer.length + value.length > this.#storage.length;
    if (isFull || rest.length <= this.#position) {
      this.#storage = this.#storageFor(rest.length + value.length);
      this.#storage.set(rest);
      this.#bufferOffset += this.#position;
      this.#buffer = this.#storage.subarray(0, rest.length);
      this.#position = 0;
    }
    const { length } = this.#buffer;
    this.#storage.set(value, length);
    this.#buffer = this.#storage.subarray(0, length + value.length);
    return true;
  }

  /** Returns the storage, or another one if it's too small or, after a large value, too large. */
  #storageFor(length: number): Uint8Array<ArrayBuffer> {
    const { length: size } = this.#storage;
    const isTooLarge = size > MAX_BUFFER_FACTOR * Math.max(length, MIN_BUFFER_BYTES);
    if (length <= size && !isTooLarge) return this.#storage;
    return new Uint8Array(Math.max(2 * length, MIN_BUFFER_BYTES));
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new Utf8Error(`The text is not valid UTF-8 before byte ${this.offset}`);
    }
  }

  #tooDeep(): JsonSyntaxError {
    return this.#syntaxError(`Value is nested deeper than ${LIMITS.jsonDepth} levels`);
  }

  #syntaxError(message: string): JsonSyntaxError {
    return new JsonSyntaxError(message, this.offset);
  }
}
