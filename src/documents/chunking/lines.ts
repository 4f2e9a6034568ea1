/** Walks through a text line by line, whatever its line ends are. */

import { isWhiteSpace } from "./characters.ts";

const TAB_WIDTH = 4;

/**
 * The line at hand, and `advance()` to the next one. LF, CR LF and a lone CR end a line. One object
 * is reused for all lines: a document of a megabyte may have half a million of them.
 */
export class LineCursor {
  /** The first position of the line. */
  start = 0;
  /** Its first position that isn't white space; equals `end` on a blank line. */
  ink = 0;
  /** The position of its line end, or the end of the text. */
  end = 0;
  /** The first position of the next line. */
  next = 0;
  /** The columns of white space before the ink, a tab counting up to the next multiple of 4. */
  indent = 0;

  constructor(readonly text: string) {}

  get blank(): boolean {
    return this.ink === this.end;
  }

  /** Moves to the next line; false when there is none. */
  advance(): boolean {
    const { text } = this;
    if (this.next >= text.length) return false;
    this.start = this.next;
    this.#readIndent();
    let at = this.ink;
    let code = text.charCodeAt(at);
    while (at < text.length && code !== 0x0a && code !== 0x0d) code = text.charCodeAt(++at);
    this.end = at;
    this.next = code === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : at + 1;
    return true;
  }

  /** True when the line after this one is blank or missing. */
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
    this.ink = at;
    this.indent = indent;
  }
}

/**
 * The place to cut before the ink at `at`: the beginning of its line when only white space comes
 * before it there (so that indentation stays with what it indents), else `at` itself.
 */
export function cutBefore(text: string, at: number): number {
  for (let start = at; start > 0; start--) {
    const code = text.charCodeAt(start - 1);
    if (code === 0x0a || code === 0x0d) return start;
    if (code !== 0x20 && code !== 0x09) return at;
  }
  return 0;
}
