/** Recognizes Markdown lines that begin a block, without any regular expressions. */

import { isDigit, isWhiteSpace } from "../characters.ts";

/** Returns the level of the ATX heading at `textStart` (1 to 6), or 0 if there is none. */
export function atxLevel(text: string, textStart: number, end: number): number {
  let level = 0;
  while (textStart + level < end && level < 7 && text.charCodeAt(textStart + level) === 0x23) {
    level++;
  }
  if (level === 0 || level > 6) return 0;
  return textStart + level === end || isWhiteSpace(text.charCodeAt(textStart + level)) ? level : 0;
}

/** Returns an ATX heading's title without its marks, e.g. `Title` for `## Title ##`. */
export function atxTitle(text: string, textStart: number, end: number, level: number): string {
  let last = end;
  while (last > textStart + level && isWhiteSpace(text.charCodeAt(last - 1))) last--;
  let mark = last;
  while (mark > textStart + level && text.charCodeAt(mark - 1) === 0x23) mark--;
  const closed = mark < last && isWhiteSpace(text.charCodeAt(mark - 1));
  return text.slice(textStart + level, closed || mark === textStart + level ? mark : last);
}

/** Returns 1 for a line of `===` under a title, 2 for a line of `---`, and 0 otherwise. */
export function setextLevel(text: string, textStart: number, end: number): number {
  const mark = text.charCodeAt(textStart);
  if (mark !== 0x3d && mark !== 0x2d) return 0;
  if (runOf(text, textStart, end, mark) < 1) return 0;
  return onlyMarks(text, textStart, end, mark, false) ? (mark === 0x3d ? 1 : 2) : 0;
}

/** Checks for `---`, `***` or `___`, with or without spaces in between. */
export function isThematicBreak(text: string, textStart: number, end: number): boolean {
  const mark = text.charCodeAt(textStart);
  if (mark !== 0x2d && mark !== 0x2a && mark !== 0x5f) return false;
  return onlyMarks(text, textStart, end, mark, true);
}

/** An opening or closing fence: its mark, and how often it's repeated. */
export interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** Returns the fence opened at `textStart`, i.e. three or more backticks or tildes. */
export function fenceAt(text: string, textStart: number, end: number): Fence | undefined {
  const mark = text.charCodeAt(textStart);
  if (mark !== 0x60 && mark !== 0x7e) return undefined;
  const length = runOf(text, textStart, end, mark);
  if (length < 3) return undefined;
  // ``` `code` ``` on one line is inline code, since a backtick fence's info string can't contain
  // backticks.
  if (mark === 0x60) {
    for (let at = textStart + length; at < end; at++) {
      if (text.charCodeAt(at) === mark) return undefined;
    }
  }
  return { mark, length };
}

/** Checks whether the line closes `fence`. */
export function closesFence(text: string, textStart: number, end: number, fence: Fence): boolean {
  const length = runOf(text, textStart, end, fence.mark);
  if (length < fence.length) return false;
  for (let at = textStart + length; at < end; at++) {
    if (!isWhiteSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

/**
 * A list item marker: its width including the following space, and whether it can interrupt a
 * paragraph.
 */
export interface ListMarker {
  readonly width: number;
  readonly interrupts: boolean;
}

/**
 * Returns the list marker at `textStart`. As in CommonMark, only bullets and `1.` can interrupt a
 * paragraph.
 */
export function listMarkerAt(text: string, textStart: number, end: number): ListMarker | undefined {
  const code = text.charCodeAt(textStart);
  let at = textStart + 1;
  let interrupts = true;
  if (isDigit(code)) {
    while (at < end && at - textStart < 10 && isDigit(text.charCodeAt(at))) at++;
    const dot = text.charCodeAt(at);
    if (at >= end || (dot !== 0x2e && dot !== 0x29)) return undefined;
    interrupts = at === textStart + 1 && code === 0x31;
    at++;
  } else if (code !== 0x2d && code !== 0x2a && code !== 0x2b && code !== 0x2022) return undefined;
  if (at < end && !isWhiteSpace(text.charCodeAt(at))) return undefined;
  return { width: at - textStart + 1, interrupts: interrupts && at < end };
}

/** Checks for the line between a table's header and its body: `| --- | :-: |`. */
export function isDelimiterRow(text: string, textStart: number, end: number): boolean {
  let dashes = 0;
  let bars = 0;
  for (let at = textStart; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2d) dashes++;
    else if (code === 0x7c) bars++;
    else if (code !== 0x3a && !isWhiteSpace(code)) return false;
  }
  return dashes > 0 && bars > 0;
}

/** Checks whether the line is a single HTML comment, e.g. a page marker in an extracted file. */
export function isCommentLine(text: string, textStart: number, end: number): boolean {
  return text.startsWith("<!--", textStart) &&
    text.slice(Math.max(textStart + 4, end - 8), end).trimEnd()
      .endsWith("-->");
}

/** Checks whether the line announces the next block, i.e. ends with a colon or is entirely bold. */
export function announces(text: string, textStart: number, end: number): boolean {
  let last = end - 1;
  while (last > textStart && isWhiteSpace(text.charCodeAt(last))) last--;
  const code = text.charCodeAt(last);
  if (code === 0x3a || code === 0xff1a) return true;
  const bold = text.startsWith("**", textStart) || text.startsWith("__", textStart);
  if (!bold || last - textStart < 4 || code !== text.charCodeAt(textStart)) return false;
  return text.charCodeAt(last - 1) === code || text.charCodeAt(last - 1) === 0x3a;
}

function runOf(text: string, from: number, end: number, mark: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === mark) at++;
  return at - from;
}

function onlyMarks(
  text: string,
  textStart: number,
  end: number,
  mark: number,
  spaced: boolean,
): boolean {
  let marks = 0;
  let space = false;
  for (let at = textStart; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isWhiteSpace(code)) space = true;
    else if (code !== mark || (space && !spaced)) return false;
    else marks++;
  }
  return spaced ? marks >= 3 : marks >= 1;
}
