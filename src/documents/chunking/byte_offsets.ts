/** From positions in a JavaScript string to offsets in its UTF-8 form. */

import { utf8Length } from "../../kernel/text.ts";

/**
 * Where each UTF-16 unit of a text begins in its UTF-8 form. Four bytes of memory a unit; built in
 * one pass, read in constant time. A lone surrogate counts three bytes, as `TextEncoder` writes it.
 */
export class ByteOffsets {
  /** Null for ASCII, where offsets are positions. */
  readonly #offsets: Uint32Array | null;

  constructor(text: string) {
    this.#offsets = utf8Length(text) === text.length ? null : offsetsOf(text);
  }

  /** The byte offset of position `at`, which must not be inside a surrogate pair. */
  at(at: number): number {
    return this.#offsets === null ? at : this.#offsets[at] ?? 0;
  }

  /** The number of UTF-8 bytes from one position to another. */
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
