/** The last resort: a place to cut in a run that has no lines or sentences of use. */

import { extendsCluster, isWhiteSpace, splitsSurrogatePair } from "./characters.ts";

/** How far before the place asked for a space may be, in UTF-16 units. */
const MAX_SPACE_DISTANCE = 200;
/** How far before it a comma may be to be better than a space. */
const MAX_CLAUSE_DISTANCE = 100;
/** How much text the segmenters see: it decides nothing that is longer than this. */
const WINDOW_BEFORE = 96;
const WINDOW_AFTER = 32;
/** A segment that begins this near to the window's edge may really begin before it. */
const MIN_EDGE_DISTANCE = 16;

// The locale is fixed, so that a chunk doesn't depend on the machine's. Both segmenters follow the
// Unicode version of the runtime; the golden test tells when a new one moves a cut.
const wordSegmenter = new Intl.Segmenter("en", { granularity: "word" });
const graphemeSegmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

const CLAUSE_ENDS = new Set([...",;:，、；：،؛"].map((end) => end.charCodeAt(0)));

/**
 * The best place to cut in `(from, target]`, as near to `target` as may be: after a comma, after
 * white space, between words as the script counts them, between grapheme clusters, and only where
 * one cluster is longer than the window, between code points. `from` must be a sound place itself.
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
      // "1,200" is one number and "12:30" one time, but "，" needs no space after it.
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
 * Where the segmenters begin to read. Flags are pairs of regional indicators, and which two belong
 * together shows only from the beginning of their run; `from` bounds the walk back to it.
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
