/** From positions in a JavaScript string to offsets in its UTF-8 form. */

/**
 * Where each UTF-16 unit of a text begins in its UTF-8 form. Four bytes of memory a unit; built in
 * one pass, read in constant time. A lone surrogate counts three bytes, as `TextEncoder` writes it.
 */
export class ByteOffsets {
  readonly #offsets: Uint32Array;

  constructor(text: string) {
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
    this.#offsets = offsets;
  }

  /** The byte offset of position `at`, which must not be inside a surrogate pair. */
  at(at: number): number {
    return this.#offsets[at] ?? 0;
  }

  /** The number of UTF-8 bytes from one position to another. */
  between(from: number, to: number): number {
    return this.at(to) - this.at(from);
  }
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
