/** Recognizes the lines of Markdown that open a block, one position at a time. */

import { isDigit, isWhiteSpace } from "../characters.ts";

/** The level of the ATX heading at `ink` (1 to 6), or 0. */
export function atxLevel(text: string, ink: number, end: number): number {
  let level = 0;
  while (ink + level < end && level < 7 && text.charCodeAt(ink + level) === 0x23) level++;
  if (level === 0 || level > 6) return 0;
  return ink + level === end || isWhiteSpace(text.charCodeAt(ink + level)) ? level : 0;
}

/** The title of an ATX heading without its marks: `## Title ##` is `Title`. */
export function atxTitle(text: string, ink: number, end: number, level: number): string {
  let last = end;
  while (last > ink + level && isWhiteSpace(text.charCodeAt(last - 1))) last--;
  let mark = last;
  while (mark > ink + level && text.charCodeAt(mark - 1) === 0x23) mark--;
  const closed = mark < last && isWhiteSpace(text.charCodeAt(mark - 1));
  return text.slice(ink + level, closed || mark === ink + level ? mark : last);
}

/** A line of `===` under a title is 1, a line of `---` is 2, anything else 0. */
export function setextLevel(text: string, ink: number, end: number): number {
  const mark = text.charCodeAt(ink);
  if (mark !== 0x3d && mark !== 0x2d) return 0;
  if (runOf(text, ink, end, mark) < 1) return 0;
  return onlyMarks(text, ink, end, mark, false) ? (mark === 0x3d ? 1 : 2) : 0;
}

/** True for `---`, `***`, `___`, also with spaces between. */
export function isThematicBreak(text: string, ink: number, end: number): boolean {
  const mark = text.charCodeAt(ink);
  if (mark !== 0x2d && mark !== 0x2a && mark !== 0x5f) return false;
  return onlyMarks(text, ink, end, mark, true);
}

/** An opening (or closing) fence: its mark and how many of them. */
export interface Fence {
  readonly mark: number;
  readonly length: number;
}

/** The fence that opens at `ink`: three or more backticks or tildes. */
export function fenceAt(text: string, ink: number, end: number): Fence | undefined {
  const mark = text.charCodeAt(ink);
  if (mark !== 0x60 && mark !== 0x7e) return undefined;
  const length = runOf(text, ink, end, mark);
  if (length < 3) return undefined;
  // ``` `code` ``` on one line is inline code: a backtick fence has no backticks in its info.
  if (mark === 0x60) {
    for (let at = ink + length; at < end; at++) if (text.charCodeAt(at) === mark) return undefined;
  }
  return { mark, length };
}

/** True when the line closes `fence`. */
export function closesFence(text: string, ink: number, end: number, fence: Fence): boolean {
  const length = runOf(text, ink, end, fence.mark);
  if (length < fence.length) return false;
  for (let at = ink + length; at < end; at++) {
    if (!isWhiteSpace(text.charCodeAt(at))) return false;
  }
  return true;
}

/** The marker of a list item: its width with the space after it, and whether it counts from 1. */
export interface ListMarker {
  readonly width: number;
  readonly interrupts: boolean;
}

/** The list marker at `ink`. Only bullets and `1.` may interrupt a paragraph, as in CommonMark. */
export function listMarkerAt(text: string, ink: number, end: number): ListMarker | undefined {
  const code = text.charCodeAt(ink);
  let at = ink + 1;
  let interrupts = true;
  if (isDigit(code)) {
    while (at < end && at - ink < 10 && isDigit(text.charCodeAt(at))) at++;
    const dot = text.charCodeAt(at);
    if (at >= end || (dot !== 0x2e && dot !== 0x29)) return undefined;
    interrupts = at === ink + 1 && code === 0x31;
    at++;
  } else if (code !== 0x2d && code !== 0x2a && code !== 0x2b && code !== 0x2022) return undefined;
  if (at < end && !isWhiteSpace(text.charCodeAt(at))) return undefined;
  return { width: at - ink + 1, interrupts: interrupts && at < end };
}

/** True for the line between a table's header and its body: `| --- | :-: |`. */
export function isDelimiterRow(text: string, ink: number, end: number): boolean {
  let dashes = 0;
  let bars = 0;
  for (let at = ink; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2d) dashes++;
    else if (code === 0x7c) bars++;
    else if (code !== 0x3a && !isWhiteSpace(code)) return false;
  }
  return dashes > 0 && bars > 0;
}

/** True for a line that is one HTML comment, such as the page markers of extracted files. */
export function isCommentLine(text: string, ink: number, end: number): boolean {
  return text.startsWith("<!--", ink) && text.slice(Math.max(ink + 4, end - 8), end).trimEnd()
    .endsWith("-->");
}

/** True when the line announces what comes after it: it ends in a colon or is all bold. */
export function announces(text: string, ink: number, end: number): boolean {
  let last = end - 1;
  while (last > ink && isWhiteSpace(text.charCodeAt(last))) last--;
  const code = text.charCodeAt(last);
  if (code === 0x3a || code === 0xff1a) return true;
  const bold = text.startsWith("**", ink) || text.startsWith("__", ink);
  if (!bold || last - ink < 4 || code !== text.charCodeAt(ink)) return false;
  return text.charCodeAt(last - 1) === code || text.charCodeAt(last - 1) === 0x3a;
}

function runOf(text: string, from: number, end: number, mark: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === mark) at++;
  return at - from;
}

function onlyMarks(
  text: string,
  ink: number,
  end: number,
  mark: number,
  spaced: boolean,
): boolean {
  let marks = 0;
  let space = false;
  for (let at = ink; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isWhiteSpace(code)) space = true;
    else if (code !== mark || (space && !spaced)) return false;
    else marks++;
  }
  return spaced ? marks >= 3 : marks >= 1;
}
