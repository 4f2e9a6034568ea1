/**
 * The logical order of lines that run from right to left. PDFium turns such lines around letter by
 * letter, in the order the file draws them; where a file draws the marks of a line after its words,
 * or words of another font, they end up anywhere in it. The places of the glyphs tell the order.
 */
import type { Glyph } from "./page.ts";

/** Letters that run from right to left, with their marks and signs. */
export const RTL_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const ARABIC_LETTER = /[\u0620-\u064a\u066e-\u06d3\u0750-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
const DIGIT = /^[\d\u0660-\u0669\u06f0-\u06f9]/;
/** What belongs to the number beside it. */
const NUMBER_AFFIX = /^[%‰°$€£¥₪#]$/;
/** What stands within a number or an address, alone between two of its characters. */
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

/** Glyphs of a line; one of more is no line, and would take the square of their number. */
const MAX_LINE_GLYPHS = 2_000;

/** A glyph with the marks on it, or the letters of one ligature. */
interface Cluster {
  readonly glyphs: Glyph[];
  readonly left: number;
  readonly right: number;
  readonly kind: "rtl" | "ltr" | "digit" | "space" | "other";
}

/** The glyphs of a right-to-left line in logical order. */
export function toLogicalOrder(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length > MAX_LINE_GLYPHS) return glyphs;
  const visual = insertSpaceClusters(buildClusters(glyphs));
  const marker = findMarkerStart(visual);
  const logical = [
    ...visualToLogical(visual.slice(marker)),
    ...visualToLogical(visual.slice(0, marker)),
  ];
  return correctBrackets(logical.flatMap((one) => one.glyphs));
}

/** Where the number of an item begins at the right end of a line, seen with its dot to the left. */
function findMarkerStart(visual: readonly Cluster[]): number {
  let at = visual.length;
  while (visual[at - 1]?.kind === "digit") at--;
  const isMarker = at < visual.length && visual[at - 1]?.glyphs[0]?.text === "." &&
    visual[at - 2]?.kind === "space";
  return isMarker ? at - 1 : visual.length;
}

/** What is seen from left to right, as it is read. */
function visualToLogical(visual: readonly Cluster[]): Cluster[] {
  const islands = leftToRightRuns(visual);
  const logical: Cluster[] = [];
  for (let at = visual.length - 1; at >= 0;) {
    const from = islands.get(at) ?? at;
    logical.push(...visual.slice(from, at + 1));
    at = from - 1;
  }
  return logical;
}

/** Spaces that PDFium puts in have no width, and no place of their own. */
function isGeneratedSpace(glyph: Glyph): boolean {
  return glyph.text.trim() === "" && glyph.right - glyph.left < 0.01;
}

/** What the line shows, from left to right. */
function buildClusters(glyphs: readonly Glyph[]): Cluster[] {
  const found: Cluster[] = [];
  const marks: Glyph[] = [];
  for (const glyph of glyphs) {
    if (isGeneratedSpace(glyph)) continue;
    const last = found.at(-1);
    const isSameForm = last !== undefined && isSameEdge(last.left, glyph.left) &&
      isSameEdge(last.right, glyph.right);
    if (/^\p{M}/u.test(glyph.text)) {
      if (isSameForm) last.glyphs.push(glyph);
      else marks.push(glyph);
    } else if (isSameForm && RTL_LETTER.test(glyph.text)) last.glyphs.unshift(glyph);
    else found.push(createCluster(glyph, marks));
  }
  found.sort((a, b) => a.left + a.right - b.left - b.right);
  for (const mark of marks) {
    const owner = nearestCluster(found, (mark.left + mark.right) / 2);
    if (owner === undefined) {
      found.push({ glyphs: [mark], left: mark.left, right: mark.right, kind: "other" });
    } else owner.glyphs.push(mark);
  }
  return found;
}

/** Whether two edges, in points, are one. */
function isSameEdge(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.05;
}

/**
 * A glyph with those of `marks` that are one form with it, which it takes. Browsers write a letter
 * and its marks as one form; PDFium puts the marks first and shares the form's width out among them.
 */
function createCluster(glyph: Glyph, marks: Glyph[]): Cluster {
  const kind = clusterKind(glyph);
  const form = [glyph];
  let { left, right } = glyph;
  const isNext = (mark: Glyph) => isSameEdge(mark.left, right) || isSameEdge(mark.right, left);
  for (let at = 0; kind === "rtl" && (at = marks.findLastIndex(isNext)) >= 0;) {
    for (const mark of marks.splice(at, 1)) {
      form.push(mark);
      [left, right] = [Math.min(left, mark.left), Math.max(right, mark.right)];
    }
  }
  return { glyphs: form.map((one) => ({ ...one, left, right })), left, right, kind };
}

/** The cluster above or below a place of the line, or next to it. */
function nearestCluster(found: readonly Cluster[], position: number): Cluster | undefined {
  let [best, least]: [Cluster | undefined, number] = [undefined, Infinity];
  for (const one of found) {
    const distance = Math.max(one.left - position, position - one.right, 0);
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

function clusterKind({ text }: Glyph): Cluster["kind"] {
  if (text.trim() === "") return "space";
  if (DIGIT.test(text)) return "digit";
  if (!/\p{L}/u.test(text)) return "other";
  return RTL_LETTER.test(text) ? "rtl" : "ltr";
}

/** Runs that read from left to right, by their last cluster: numbers, and words of other scripts. */
function leftToRightRuns(visual: readonly Cluster[]): Map<number, number> {
  const islands = new Map<number, number>();
  const after = afterArabic(visual);
  for (let from = 0; from < visual.length; from++) {
    if (!isStrong(visual[from])) continue;
    let [to, hasLetters] = [from, visual[from]?.kind === "ltr"];
    for (let next = nextStrong(visual, to); next !== undefined; next = nextStrong(visual, to)) {
      const letters = visual[next]?.kind === "ltr";
      const isOne = isSameNumber(visual.slice(to, next + 1), after[next] === true);
      if (!hasLetters && !letters && !isOne) break;
      hasLetters ||= letters;
      to = next;
    }
    let start = from;
    const takesSigns = hasLetters || after[to] !== true;
    if (takesSigns && isNumberAffix(visual[start - 1])) start--;
    if ((takesSigns && isNumberAffix(visual[to + 1])) || isClosingBracketNext(visual, start, to)) {
      to++;
    }
    islands.set(to, start);
    from = to;
  }
  return islands;
}

function isStrong(cluster: Cluster | undefined): boolean {
  return cluster?.kind === "ltr" || cluster?.kind === "digit";
}

function isNumberAffix(cluster: Cluster | undefined): boolean {
  return NUMBER_AFFIX.test(cluster?.glyphs[0]?.text ?? "");
}

/** The next number or letter behind `at`, if no right-to-left letter stands before it. */
function nextStrong(visual: readonly Cluster[], at: number): number | undefined {
  for (let next = at + 1; next < visual.length; next++) {
    if (isStrong(visual[next])) return next;
    if (visual[next]?.kind === "rtl") return undefined;
  }
  return undefined;
}

/** Whether the digits at both ends of a run are of one number, date or range. */
function isSameNumber(run: readonly Cluster[], isAfterArabic: boolean): boolean {
  if (run.length === 2) return true;
  const between = run[1]?.glyphs[0]?.text ?? "";
  if (run.length > 3 || !NUMBER_SEPARATOR.test(between)) return false;
  return between !== "-" || !isAfterArabic;
}

/**
 * For each cluster, whether it is read after Arabic letters. Then a hyphen or a sign is no part of
 * the number beside it (rules W2, W4 and W5 of Unicode's annex 9): `1998-2005` is seen as
 * `2005-1998`, and `25%` as `%25`.
 */
function afterArabic(visual: readonly Cluster[]): readonly boolean[] {
  const after: boolean[] = [];
  let isAfter = false;
  for (let at = visual.length - 1; at >= 0; at--) {
    const cluster = visual[at];
    if (cluster?.kind === "rtl") isAfter = ARABIC_LETTER.test(cluster.glyphs[0]?.text ?? "");
    after[at] = isAfter;
  }
  return after;
}

/** Whether the cluster behind a run closes a bracket that the run opens. */
function isClosingBracketNext(visual: readonly Cluster[], from: number, to: number): boolean {
  const text = visual.slice(from, to + 1).map((one) => one.glyphs[0]?.text ?? "").join("");
  return text.lastIndexOf("(") > text.lastIndexOf(")") && visual[to + 1]?.glyphs[0]?.text === ")";
}

/**
 * Brackets as they are meant. Files differ in whether they name the bracket that is seen or the one
 * that was typed; where the brackets of a line don't fit each other, what touches them tells.
 */
function correctBrackets(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (hasBalancedBrackets(glyphs)) return glyphs;
  const isFree = (glyph: Glyph | undefined) => glyph === undefined || glyph.text.trim() === "";
  return glyphs.map((glyph, at) => {
    const other = MIRRORED_BRACKETS[glyph.text];
    if (other === undefined) return glyph;
    const [before, after] = [glyphs[at - 1], glyphs[at + 1]];
    const opens = isFree(before) && !isFree(after);
    const shuts = !isFree(before) && (isFree(after) || /^[.,:;!?،؛؟]/.test(after?.text ?? ""));
    return (OPENING_BRACKET.test(glyph.text) ? shuts : opens) ? { ...glyph, text: other } : glyph;
  });
}

function hasBalancedBrackets(glyphs: readonly Glyph[]): boolean {
  const open: string[] = [];
  for (const { text } of glyphs) {
    const other = MIRRORED_BRACKETS[text];
    if (other === undefined) continue;
    if (OPENING_BRACKET.test(text)) open.push(other);
    else if (open.pop() !== text) return false;
  }
  return open.length === 0;
}

/** The clusters with a space where two neighbours stand apart. */
function insertSpaceClusters(visual: readonly Cluster[]): Cluster[] {
  return visual.flatMap((cluster, at) => {
    const last = visual[at - 1];
    const [glyph] = cluster.glyphs;
    const isApart = last !== undefined && glyph !== undefined && last.kind !== "space" &&
      cluster.kind !== "space" && cluster.left - last.right > 0.2 * glyph.size;
    if (!isApart) return [cluster];
    const place = { left: last.right, right: cluster.left };
    return [{ ...place, glyphs: [{ ...glyph, ...place, text: " " }], kind: "space" }, cluster];
  });
}
