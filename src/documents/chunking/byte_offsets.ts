/** Converts JavaScript string positions to UTF-8 byte offsets. */

import { utf8Length } from "../../kernel/text.ts";

/**
 * Maps UTF-16 positions in a text to UTF-8 byte offsets. Takes four bytes of memory per code unit,
 * a single pass to compute and constant time to read. A lone surrogate counts as three bytes, since
 * that's how `TextEncoder` encodes it.
 */
export class ByteOffsets {
  /** Null for ASCII text, where offsets equal positions. */
  readonly #offsets: Uint32Array | null;

  constructor(text: string) {
    this.#offsets = utf8Length(text) === text.length ? null : offsetsOf(text);
  }

  /** Returns a position's byte offset. The position must not be inside a surrogate pair. */
  at(at: number): number {
    return this.#offsets === null ? at : this.#offsets[at] ?? 0;
  }

  /** Returns the number of UTF-8 bytes between two positions. */
  between(from: number, to: number): number {
    return this.at(to) - this.at(from);
  }
}

function offsetsOf(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    offsets[at] = bytes;
    const code = text.charCodeAt(at);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      offsets[++at] = bytes + 2;
      bytes += 4;
    } else bytes += 3;
  }
  offsets[text.length] = bytes;
  return offsets;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
