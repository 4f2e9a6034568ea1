/**
 * Restores the logical order of right-to-left lines. PDFium reverses them letter by letter, in the
 * order the file draws them. If a file draws a line's marks, or words in a different font, after
 * the other words, they can end up anywhere in the line, so we go by the glyph positions instead.
 */
import type { Glyph } from "../page.ts";
import { type Cluster, findClusters } from "./bidi_clusters.ts";

const ARABIC_LETTER = /[\u0620-\u064a\u066e-\u06d3\u0750-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
/** Signs that belong to an adjacent number. */
const NUMBER_AFFIX = /^[%‰°$€£¥₪#]$/;
/**
 * Separators inside a number or an address, as long as there's exactly one between two of its
 * characters.
 */
const NUMBER_SEPARATOR = /^[.,:/'@_&=\u066b\u066c-]$/;
const MIRRORED_BRACKETS: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "«": "»",
  "»": "«",
};

const OPENING_BRACKET = /^[([{«]$/;

/**
 * Maximum number of glyphs in a line. Anything longer isn't a real line, and the running time is
 * quadratic.
 */
const MAX_LINE_GLYPHS = 2_000;

/**
 * Returns the glyphs in a right-to-left line in logical order. Lines that are too long are returned
 * as is.
 */
export function toLogicalOrder(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length > MAX_LINE_GLYPHS) return glyphs;
  const visual = findClusters(glyphs);
  const marker = findMarkerStart(visual);
  const logical = [
    ...visualToLogical(visual.slice(marker)),
    ...visualToLogical(visual.slice(0, marker)),
  ];
  return correctBrackets(logical.flatMap((cluster) => cluster.glyphs));
}

/**
 * Returns the index of the item number at the right end of a line, displayed with its dot on the
 * left. Returns the length of the line if there isn't one.
 */
function findMarkerStart(visual: readonly Cluster[]): number {
  let start = visual.length;
  while (visual[start - 1]?.kind === "digit") start--;
  const isMarker = start < visual.length && visual[start - 1]?.glyphs[0]?.text === "." &&
    visual[start - 2]?.kind === "space";
  return isMarker ? start - 1 : visual.length;
}

/**
 * Returns the clusters in reading order.
 *
 * @param visual clusters from left to right
 */
function visualToLogical(visual: readonly Cluster[]): Cluster[] {
  const runs = leftToRightRuns(visual);
  const logical: Cluster[] = [];
  for (let last = visual.length - 1; last >= 0;) {
    const from = runs.get(last) ?? last;
    logical.push(...visual.slice(from, last + 1));
    last = from - 1;
  }
  return logical;
}

/**
 * Returns the start index of each left-to-right run (numbers, and words in other scripts), keyed by
 * the index of the run's last cluster.
 */
function leftToRightRuns(visual: readonly Cluster[]): Map<number, number> {
  const runs = new Map<number, number>();
  const isAfterArabic = afterArabic(visual);
  for (let from = 0; from < visual.length; from++) {
    if (!isStrong(visual[from])) continue;
    let [to, hasLetters] = [from, visual[from]?.kind === "ltr"];
    for (let next = nextStrong(visual, to); next !== undefined; next = nextStrong(visual, to)) {
      const letters = visual[next]?.kind === "ltr";
      const isSame = isSameNumber(visual.slice(to, next + 1), isAfterArabic[next] === true);
      if (!hasLetters && !letters && !isSame) break;
      hasLetters ||= letters;
      to = next;
    }
    let start = from;
    const includesAffixes = hasLetters || isAfterArabic[to] !== true;
    if (includesAffixes && isNumberAffix(visual[start - 1])) start--;
    if (
      (includesAffixes && isNumberAffix(visual[to + 1])) || isClosingBracketNext(visual, start, to)
    ) {
      to++;
    }
    runs.set(to, start);
    from = to;
  }
  return runs;
}

function isStrong(cluster: Cluster | undefined): boolean {
  return cluster?.kind === "ltr" || cluster?.kind === "digit";
}

function isNumberAffix(cluster: Cluster | undefined): boolean {
  return NUMBER_AFFIX.test(cluster?.glyphs[0]?.text ?? "");
}

/**
 * Returns the index of the next digit or left-to-right letter after `at`, or undefined if a
 * right-to-left letter comes first.
 */
function nextStrong(visual: readonly Cluster[], at: number): number | undefined {
  for (let next = at + 1; next < visual.length; next++) {
    if (isStrong(visual[next])) return next;
    if (visual[next]?.kind === "rtl") return undefined;
  }
  return undefined;
}

/** Checks whether the digits at both ends of a run belong to the same number, date or range. */
function isSameNumber(run: readonly Cluster[], isAfterArabic: boolean): boolean {
  if (run.length === 2) return true;
  const separator = run[1]?.glyphs[0]?.text ?? "";
  if (run.length > 3 || !NUMBER_SEPARATOR.test(separator)) return false;
  return separator !== "-" || !isAfterArabic;
}

/**
 * Returns, for each cluster, whether it follows Arabic letters. After them, a hyphen or a sign
 * isn't part of the adjacent number (rules W2, W4 and W5 of Unicode Standard Annex #9): `1998-2005`
 * is displayed as `2005-1998`, and `25%` as `%25`.
 */
function afterArabic(visual: readonly Cluster[]): readonly boolean[] {
  const result: boolean[] = [];
  let isAfter = false;
  for (let at = visual.length - 1; at >= 0; at--) {
    const cluster = visual[at];
    if (cluster?.kind === "rtl") isAfter = ARABIC_LETTER.test(cluster.glyphs[0]?.text ?? "");
    result[at] = isAfter;
  }
  return result;
}

/** Checks whether the cluster after a run closes a bracket opened inside the run. */
function isClosingBracketNext(visual: readonly Cluster[], from: number, to: number): boolean {
  const text = visual.slice(from, to + 1).map((cluster) => cluster.glyphs[0]?.text ?? "").join("");
  return text.lastIndexOf("(") > text.lastIndexOf(")") && visual[to + 1]?.glyphs[0]?.text === ")";
}

/**
 * Corrects the direction of brackets. Some files store the bracket displayed, others the one typed.
 * If the brackets in a line don't match, we go by the characters next to them.
 */
function correctBrackets(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (hasBalancedBrackets(glyphs)) return glyphs;
  const isBlank = (glyph: Glyph | undefined) => glyph === undefined || glyph.text.trim() === "";
  return glyphs.map((glyph, at) => {
    const mirrored = MIRRORED_BRACKETS[glyph.text];
    if (mirrored === undefined) return glyph;
    const [before, after] = [glyphs[at - 1], glyphs[at + 1]];
    const isOpening = isBlank(before) && !isBlank(after);
    const isClosing = !isBlank(before) &&
      (isBlank(after) || /^[.,:;!?،؛؟]/.test(after?.text ?? ""));
    return (OPENING_BRACKET.test(glyph.text) ? isClosing : isOpening)
      ? { ...glyph, text: mirrored }
      : glyph;
  });
}

function hasBalancedBrackets(glyphs: readonly Glyph[]): boolean {
  const open: string[] = [];
  for (const { text } of glyphs) {
    const mirrored = MIRRORED_BRACKETS[text];
    if (mirrored === undefined) continue;
    if (OPENING_BRACKET.test(text)) open.push(mirrored);
    else if (open.pop() !== text) return false;
  }
  return open.length === 0;
}
