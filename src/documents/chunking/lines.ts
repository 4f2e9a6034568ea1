/** Iterates over a text's lines, with any kind of line ending. */

import { isWhiteSpace } from "./characters.ts";

const TAB_WIDTH = 4;

/**
 * The current line in a text. `advance()` moves to the next one. LF, CR LF and a lone CR end a
 * line. We reuse a single object for all lines, since a one-megabyte document can have half a
 * million of them.
 */
export class LineCursor {
  /** First position of the line. */
  start = 0;
  /** First non-white-space position on the line, or `end` if the line is blank. */
  textStart = 0;
  /** Position of the line ending, or the end of the text. */
  end = 0;
  /** First position of the next line. */
  next = 0;
  /**
   * Width of the white space before the text, in columns. A tab advances to the next multiple of 4.
   */
  indent = 0;

  constructor(readonly text: string) {}

  get blank(): boolean {
    return this.textStart === this.end;
  }

  /** Moves to the next line. Returns false at the end of the text. */
  advance(): boolean {
    const { text } = this;
    if (this.next >= text.length) return false;
    this.start = this.next;
    this.#readIndent();
    let at = this.textStart;
    let code = text.charCodeAt(at);
    while (at < text.length && code !== 0x0a && code !== 0x0d) code = text.charCodeAt(++at);
    this.end = at;
    this.next = code === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1;
    return true;
  }

  /** Checks whether the next line is blank or missing. */
  followedByBlank(): boolean {
    let at = this.next;
    for (; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x0a || code === 0x0d) return true;
      if (!isWhiteSpace(code)) return false;
    }
    return true;
  }

  #readIndent(): void {
    let at = this.start;
    let indent = 0;
    for (; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === 0x0a || code === 0x0d || !isWhiteSpace(code)) break;
      if (code === 0x09) indent += TAB_WIDTH - (indent % TAB_WIDTH);
      else if (code !== 0xfeff) indent++;
    }
    this.textStart = at;
    this.indent = indent;
  }
}

/**
 * Returns where to cut before the text at `at`: the start of its line if there's only white space
 * in between (to keep the indentation with its line), otherwise `at`.
 */
export function cutBefore(text: string, at: number): number {
  for (let start = at; start > 0; start--) {
    const code = text.charCodeAt(start - 1);
    if (code === 0x0a || code === 0x0d) return start;
    if (code !== 0x20 && code !== 0x09) return at;
  }
  return 0;
}
