/**
 * JSON read piece by piece: a value at a time out of a stream that may be larger than memory. Only
 * what is asked for is parsed, and by JSON.parse; around it every bracket and comma is checked.
 */

import { LIMITS } from "./limits.ts";

/** The text is no JSON, or not what was asked for; `offset` counts bytes. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";

  constructor(message: string, readonly offset: number) {
    super(`${message} at byte ${offset}`);
  }
}

/** The bytes are not UTF-8. */
export class Utf8Error extends Error {
  override readonly name = "Utf8Error";
}

/** The most bytes of one value that is parsed whole. */
const MAX_VALUE_BYTES = 16 * 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Reads one JSON text from front to back. */
export class JsonReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #buffer = new Uint8Array(0);
  #position = 0;
  #bufferOffset: number;
  #ended = false;

  /** @param start the offset of the source's first byte in the whole text */
  constructor(source: AsyncIterable<Uint8Array>, start = 0) {
    this.#source = source[Symbol.asyncIterator]();
    this.#bufferOffset = start;
  }

  /** The offset of the next byte that will be read. */
  get offset(): number {
    return this.#bufferOffset + this.#position;
  }

  /** Lets go of the source before its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** What kind of value comes next. */
  async kind(): Promise<"object" | "array" | "other"> {
    const byte = await this.#peek();
    return byte === OPEN_OBJECT ? "object" : byte === OPEN_ARRAY ? "array" : "other";
  }

  /** The keys of an object; before the next one is taken its value must have been read. */
  async *keys(): AsyncGenerator<string> {
    await this.#expect(OPEN_OBJECT, "{");
    for (let first = true;; first = false) {
      if (await this.#consumeEnd(CLOSE_OBJECT, first)) return;
      if (await this.#peek() !== QUOTE) throw this.#syntaxError("A key was expected");
      const key = await this.value();
      await this.#expect(COLON, ":");
      yield key as string;
    }
  }

  /** The elements of an array, each parsed. */
  async *elements(): AsyncGenerator<unknown> {
    for await (const _ of this.elementOffsets()) yield await this.value();
  }

  /** The places of an array's elements; before the next one is taken it must have been read. */
  async *elementOffsets(): AsyncGenerator<number> {
    await this.#expect(OPEN_ARRAY, "[");
    for (let first = true;; first = false) {
      if (await this.#consumeEnd(CLOSE_ARRAY, first)) return;
      yield this.offset;
    }
  }

  /** The next value, parsed. */
  async value(): Promise<unknown> {
    const text = this.#decode(await this.#readRaw());
    try {
      return JSON.parse(text);
    } catch (error) {
      throw this.#syntaxError((error as Error).message);
    }
  }

  /** Passes over the next value, whatever its size; only brackets are checked within arrays. */
  async skip(): Promise<void> {
    if (await this.kind() === "object") {
      for await (const _ of this.keys()) await this.skip();
    } else if (await this.kind() === "array") {
      for await (const _ of this.elementOffsets()) await this.skip();
    } else await this.value();
  }

  /** Passes over an array without looking into its elements; answers how many there are. */
  async skipElements(): Promise<number> {
    let count = 0;
    for await (const _ of this.elementOffsets()) {
      await this.#readRaw();
      count++;
    }
    return count;
  }

  /** Makes sure that nothing but white space follows. */
  async expectEnd(): Promise<void> {
    if (await this.#peek() !== -1) throw this.#syntaxError("Nothing more was expected");
  }

  async #consumeEnd(close: number, first: boolean): Promise<boolean> {
    const byte = await this.#peek();
    if (byte === close) {
      this.#position++;
      return true;
    }
    if (first) return false;
    await this.#expect(COMMA, ",");
    if (await this.#peek() === close) throw this.#syntaxError("A value was expected");
    return false;
  }

  async #expect(byte: number, name: string): Promise<void> {
    if (await this.#peek() !== byte) throw this.#syntaxError(`"${name}" was expected`);
    this.#position++;
  }

  /** The next byte that is no white space, not taken; -1 at the end. */
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

  /** The bytes of the next value. */
  async #readRaw(): Promise<Uint8Array> {
    if (await this.#peek() === -1) throw this.#syntaxError("A value was expected");
    for (;;) {
      const end = valueEnd(this.#buffer, this.#position, this.#ended);
      if (end === TOO_DEEP) {
        throw this.#syntaxError(`A value nests deeper than ${LIMITS.jsonDepth} levels`);
      }
      if (end > this.#position) {
        const raw = this.#buffer.subarray(this.#position, end);
        this.#position = end;
        return raw;
      }
      if (this.#buffer.length - this.#position > MAX_VALUE_BYTES) {
        throw this.#syntaxError(`A value is larger than ${MAX_VALUE_BYTES} bytes`);
      }
      if (end === this.#position || !await this.#readMore()) {
        throw this.#syntaxError("The text ends early");
      }
    }
  }

  /** Appends the next piece; false at the end. */
  async #readMore(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    if (done) {
      const grew = !this.#ended;
      this.#ended = true;
      return grew && this.#position < this.#buffer.length;
    }
    const rest = this.#buffer.subarray(this.#position);
    const bytes = new Uint8Array(rest.length + value.length);
    bytes.set(rest);
    bytes.set(value, rest.length);
    this.#bufferOffset += this.#position;
    this.#buffer = bytes;
    this.#position = 0;
    return true;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new Utf8Error(`The text is not valid UTF-8 before byte ${this.offset}`);
    }
  }

  #syntaxError(message: string): JsonSyntaxError {
    return new JsonSyntaxError(message, this.offset);
  }
}

const INCOMPLETE = -1;
const TOO_DEEP = -2;

/** Where the value ends that starts at `start`; INCOMPLETE when that isn't among the bytes yet. */
function valueEnd(bytes: Uint8Array, start: number, atEnd: boolean): number {
  const first = bytes[start]!;
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return scalarEnd(bytes, start, atEnd);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at) - 1;
      if (at < 0) return INCOMPLETE;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > LIMITS.jsonDepth) return TOO_DEEP;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (--depth === 0) return at + 1;
    }
  }
  return INCOMPLETE;
}

/** The place after the closing quote. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) return at + 1;
  }
  return INCOMPLETE;
}

/** A number or word ends where something begins that can't be part of it. */
function scalarEnd(bytes: Uint8Array, start: number, atEnd: boolean): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const ends = byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || byte <= 0x20;
    if (ends) return at;
  }
  return atEnd ? bytes.length : INCOMPLETE;
}
