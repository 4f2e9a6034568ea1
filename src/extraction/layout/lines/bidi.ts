/**
 * Restores the logical order of right-to-left lines. PDFium reverses them letter by letter, in the
 * order the file draws them. If a file draws a line's marks, or words in a different font, after
 * the other words, they can end up anywhere in the line, so we go by the glyph positions instead.
 */
import type { Glyph } from "../page.ts";

/** Right-to-left letters, along with their marks and signs. */
export const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const ARABIC_LETTER = /[\u0620-\u064a\u066e-\u06d3\u0750-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
const DIGIT = /^[\d\u0660-\u0669\u06f0-\u06f9]/;
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

/** Maximum distance between a letter and a mark after it, in font sizes. */
export const MARK_TOLERANCE_EM = 0.1;
/** Minimum overlap of letters that are above each other, relative to the narrower one. */
const MIN_OVERLAP_SHARE = 0.4;
/** Minimum gap between two words, in font sizes. */
const MIN_SPACE_EM = 0.2;
/** Minimum gap between two words in a line that the file has spaces in. Fonts have smaller gaps. */
const MIN_EXTRA_SPACE_EM = 0.4;

/** A glyph with its marks, or the letters in a single ligature. */
interface Cluster {
  readonly glyphs: Glyph[];
  readonly left: number;
  readonly right: number;
  readonly kind: "rtl" | "ltr" | "digit" | "space" | "other";
  /** Whether PDFium found a space in front of it that the file doesn't have. */
  readonly followsSpace?: boolean;
}

/**
 * Returns the glyphs in a right-to-left line in logical order. Lines that are too long are returned
 * as is.
 */
export function toLogicalOrder(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length > MAX_LINE_GLYPHS) return glyphs;
  const visual = insertSpaceClusters(buildClusters(glyphs));
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

/** Checks whether a space was inserted by PDFium. Those have no width and no position. */
function isGeneratedSpace(glyph: Glyph): boolean {
  return glyph.text.trim() === "" && glyph.right - glyph.left < 0.01;
}

/** Returns the clusters in a line from left to right. */
function buildClusters(glyphs: readonly Glyph[]): Cluster[] {
  const clusters: Cluster[] = [];
  const marks: Glyph[] = [];
  // The letter in front of each mark.
  const letters = new Map<Glyph, Cluster>();
  let followsSpace = false;
  for (const glyph of glyphs) {
    if (isGeneratedSpace(glyph)) {
      followsSpace = true;
      continue;
    }
    const last = clusters.at(-1);
    const isSameForm = last !== undefined && isSameEdge(last.left, glyph.left) &&
      isSameEdge(last.right, glyph.right);
    if (/^\p{M}/u.test(glyph.text)) {
      if (isSameForm) last.glyphs.push(glyph);
      else marks.push(glyph);
      if (last !== undefined) letters.set(glyph, last);
    } else if (isSameForm && RTL_LETTER.test(glyph.text)) last.glyphs.unshift(glyph);
    else {
      clusters.push({ ...createCluster(glyph, marks), followsSpace });
      followsSpace = false;
    }
  }
  const isLogical = isInLogicalOrder(clusters);
  const visual = sortFromLeftToRight(clusters, isLogical);
  for (const mark of marks) {
    const middle = (mark.left + mark.right) / 2;
    const letter = letters.get(mark);
    const owner = isLogical && letter !== undefined && isAbove(letter, middle, mark.size)
      ? letter
      : nearestCluster(visual, middle);
    if (owner === undefined) {
      visual.push({ glyphs: [mark], left: mark.left, right: mark.right, kind: "other" });
    } else owner.glyphs.push(mark);
  }
  return visual;
}

/** Checks whether a mark belongs to the letter in front of it. Some stick out a little. */
function isAbove(letter: Cluster, middle: number, size: number): boolean {
  return distanceTo(letter, middle) <= MARK_TOLERANCE_EM * size;
}

/** Checks whether most right-to-left letters are to the left of the one in front. */
function isInLogicalOrder(clusters: readonly Cluster[]): boolean {
  let balance = 0;
  clusters.forEach((cluster, index) => {
    const previous = clusters[index - 1];
    if (previous?.kind !== "rtl" || cluster.kind !== "rtl" || overlap(previous, cluster)) return;
    balance += cluster.left < previous.left ? 1 : -1;
  });
  return balance > 0;
}

/**
 * Sorts clusters by their position. In calligraphic fonts, the shapes of letters are above each
 * other, so their position doesn't show their order. If the file has the line in logical order,
 * that decides between such letters.
 */
function sortFromLeftToRight(clusters: readonly Cluster[], isLogical: boolean): Cluster[] {
  const order = new Map(clusters.map((cluster, index) => [cluster, index]));
  const sorted = clusters.toSorted((a, b) => a.left + a.right - b.left - b.right);
  if (!isLogical) return sorted;
  for (let at = 1; at < sorted.length; at++) {
    const [left, right] = [sorted[at - 1]!, sorted[at]!];
    const isSwapped = order.get(right) === order.get(left)! + 1;
    if (isSwapped && left.kind === "rtl" && right.kind === "rtl" && overlap(left, right)) {
      [sorted[at - 1], sorted[at]] = [right, left];
    }
  }
  return sorted;
}

/** Checks whether the shapes of two letters are above each other rather than side by side. */
function overlap(a: Cluster, b: Cluster): boolean {
  const shared = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  return shared > MIN_OVERLAP_SHARE * Math.min(a.right - a.left, b.right - b.left);
}

/** Checks whether two edges, in points, are the same. */
function isSameEdge(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.05;
}

/**
 * Creates a glyph's cluster, including any marks that form a single shape with it, which are
 * removed from `marks`. Browsers write a letter and its marks as one shape. PDFium puts the marks
 * first and divides the shape's width among them.
 */
function createCluster(glyph: Glyph, marks: Glyph[]): Cluster {
  const kind = clusterKind(glyph);
  const glyphs = [glyph];
  let { left, right } = glyph;
  const isNext = (mark: Glyph) => isSameEdge(mark.left, right) || isSameEdge(mark.right, left);
  for (let at = 0; kind === "rtl" && (at = marks.findLastIndex(isNext)) >= 0;) {
    for (const mark of marks.splice(at, 1)) {
      glyphs.push(mark);
      [left, right] = [Math.min(left, mark.left), Math.max(right, mark.right)];
    }
  }
  return { glyphs: glyphs.map((glyph) => ({ ...glyph, left, right })), left, right, kind };
}

/** Returns the cluster at a horizontal position, or else the nearest one. */
function nearestCluster(clusters: readonly Cluster[], position: number): Cluster | undefined {
  let [best, minDistance]: [Cluster | undefined, number] = [undefined, Infinity];
  for (const cluster of clusters) {
    const distance = distanceTo(cluster, position);
    if (distance < minDistance) [best, minDistance] = [cluster, distance];
  }
  return best;
}

function distanceTo({ left, right }: Cluster, position: number): number {
  return Math.max(left - position, position - right, 0);
}

function clusterKind({ text }: Glyph): Cluster["kind"] {
  if (text.trim() === "") return "space";
  if (DIGIT.test(text)) return "digit";
  if (!/\p{L}/u.test(text)) return "other";
  return RTL_LETTER.test(text) ? "rtl" : "ltr";
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

/** Inserts a space between neighbouring clusters with a gap between them. */
function insertSpaceClusters(visual: readonly Cluster[]): Cluster[] {
  const hasAllSpaces = visual.some(({ kind }) => kind === "space") &&
    !visual.some(({ followsSpace }) => followsSpace);
  const minGap = hasAllSpaces ? MIN_EXTRA_SPACE_EM : MIN_SPACE_EM;
  return visual.flatMap((cluster, at) => {
    const previous = visual[at - 1];
    const [glyph] = cluster.glyphs;
    const isApart = previous !== undefined && glyph !== undefined && previous.kind !== "space" &&
      cluster.kind !== "space" && cluster.left - previous.right > minGap * glyph.size;
    if (!isApart) return [cluster];
    const position = { left: previous.right, right: cluster.left };
    return [
      { ...position, glyphs: [{ ...glyph, ...position, text: " " }], kind: "space" },
      cluster,
    ];
  });
}
