/** Finds cuts in text without usable lines or sentences, as a last resort. */

import { extendsCluster, isWhiteSpace, splitsSurrogatePair } from "./characters.ts";

/** How far before the target position a space may be, in UTF-16 code units. */
const MAX_SPACE_DISTANCE = 200;
/** How far before the target position a comma may be and still beat a space. */
const MAX_CLAUSE_DISTANCE = 100;
/** Length of the text passed to the segmenters. Longer segments aren't recognized. */
const WINDOW_BEFORE = 96;
const WINDOW_AFTER = 32;
/**
 * A segment that begins closer than this to the start of the window might actually begin before it.
 */
const MIN_EDGE_DISTANCE = 16;

// The locale is fixed, so that chunks don't depend on the machine. Both segmenters follow the
// runtime's Unicode version. If a new one moves a cut, the golden test fails.
const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" });
const graphemeSegmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

const CLAUSE_ENDS = new Set([...",;:，、；：،؛"].map((end) => end.charCodeAt(0)));

/**
 * Returns the best position for a cut in `(from, target]`, as close to `target` as possible.
 * Prefers positions after a comma, then after white space, then between words as defined by the
 * script, then between grapheme clusters. Only cuts between two code points of the same cluster if
 * it's longer than the window. `from` must itself be a valid cut.
 */
export function cutBetweenWords(text: string, from: number, target: number): number {
  return afterSpace(text, from, target) ?? bySegmenter(text, from, target) ??
    betweenCodePoints(text, from, target);
}

function afterSpace(text: string, from: number, target: number): number | undefined {
  let space: number | undefined;
  for (let at = target; at > from && target - at < MAX_SPACE_DISTANCE; at--) {
    if (space !== undefined && target - at > MAX_CLAUSE_DISTANCE) break;
    const before = text.charCodeAt(at - 1);
    if (!isWhiteSpace(before) && !CLAUSE_ENDS.has(before)) continue;
    if (isWhiteSpace(text.charCodeAt(at)) || extendsCluster(text, at)) continue;
    if (!isWhiteSpace(before)) {
      // "1,200" is one number and "12:30" is one time, but "，" doesn't need a space after it.
      if (before > 0x7f) return at;
      continue;
    }
    if (CLAUSE_ENDS.has(text.charCodeAt(at - 2))) return at;
    space ??= at;
  }
  return space;
}

function bySegmenter(text: string, from: number, target: number): number | undefined {
  const start = windowStart(text, from, target);
  const window = text.slice(start, target + WINDOW_AFTER);
  for (const segmenter of [wordSegmenter, graphemeSegmenter]) {
    const segment = segmenter.segment(window).containing(target - start);
    if (segment !== undefined && segment.index >= MIN_EDGE_DISTANCE) return start + segment.index;
  }
  return undefined;
}

/**
 * Returns where the segmenters' text starts. Flags are pairs of regional indicators, and we need
 * the start of a run to know which two belong together. Searches back no further than `from`.
 */
function windowStart(text: string, from: number, target: number): number {
  let start = Math.max(from, target - WINDOW_BEFORE);
  if (start > from && splitsSurrogatePair(text, start)) start--;
  let run = start;
  while (run - 2 >= from && isRegionalIndicator(text, run - 2)) run -= 2;
  return (start - run) % 4 === 0 ? start : start - 2;
}

function isRegionalIndicator(text: string, at: number): boolean {
  const code = text.codePointAt(at) ?? 0;
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function betweenCodePoints(text: string, from: number, target: number): number {
  const splits = splitsSurrogatePair(text, target) ||
    (text.charCodeAt(target - 1) === 0x0d && text.charCodeAt(target) === 0x0a);
  return splits && target - 1 > from ? target - 1 : target;
}
