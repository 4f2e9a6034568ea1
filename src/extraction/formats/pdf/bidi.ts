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
const SIGN = /^[%‰°$€£¥₪#]$/;
/** What stands within a number or an address, alone between two of its characters. */
const SEPARATOR = /^[.,:/'@_&=\u066b\u066c-]$/;
const BRACKETS: Readonly<Record<string, string>> = {
  "(": ")",
  ")": "(",
  "[": "]",
  "]": "[",
  "{": "}",
  "}": "{",
  "«": "»",
  "»": "«",
};

const OPENING = /^[([{«]$/;

/** Glyphs of a line; one of more is no line, and would take the square of their number. */
const MAX_GLYPHS = 2_000;

/** A glyph with the marks on it, or the letters of one ligature. */
interface Cluster {
  readonly glyphs: Glyph[];
  readonly left: number;
  readonly right: number;
  readonly kind: "rtl" | "ltr" | "digit" | "space" | "other";
}

/** The glyphs of a right-to-left line in logical order. */
export function inLogicalOrder(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length > MAX_GLYPHS) return glyphs;
  const visual = withGaps(clusters(glyphs));
  const islands = leftToRight(visual);
  const logical: Cluster[] = [];
  for (let at = visual.length - 1; at >= 0;) {
    const from = islands.get(at) ?? at;
    logical.push(...visual.slice(from, at + 1));
    at = from - 1;
  }
  return withBrackets(logical.flatMap((one) => one.glyphs));
}

/** Spaces that PDFium puts in have no width, and no place of their own. */
function isGenerated(glyph: Glyph): boolean {
  return glyph.text.trim() === "" && glyph.right - glyph.left < 0.01;
}

/** What the line shows, from left to right. */
function clusters(glyphs: readonly Glyph[]): Cluster[] {
  const found: Cluster[] = [];
  const marks: Glyph[] = [];
  for (const glyph of glyphs) {
    if (isGenerated(glyph)) continue;
    if (/^\p{M}/u.test(glyph.text)) {
      marks.push(glyph);
      continue;
    }
    const last = found.at(-1);
    const isLigature = last !== undefined && RTL_LETTER.test(glyph.text) &&
      Math.abs(last.left - glyph.left) < 0.05 && Math.abs(last.right - glyph.right) < 0.05;
    if (isLigature) last.glyphs.unshift(glyph);
    else found.push({ glyphs: [glyph], left: glyph.left, right: glyph.right, kind: kindOf(glyph) });
  }
  found.sort((a, b) => a.left + a.right - b.left - b.right);
  for (const mark of marks) {
    const middle = (mark.left + mark.right) / 2;
    const owner = found.find((one) => middle >= one.left && middle <= one.right) ?? found[0];
    owner?.glyphs.push(mark);
  }
  return found;
}

function kindOf({ text }: Glyph): Cluster["kind"] {
  if (text.trim() === "") return "space";
  if (DIGIT.test(text)) return "digit";
  if (!/\p{L}/u.test(text)) return "other";
  return RTL_LETTER.test(text) ? "rtl" : "ltr";
}

/** Runs that read from left to right, by their last cluster: numbers, and words of other scripts. */
function leftToRight(visual: readonly Cluster[]): Map<number, number> {
  const islands = new Map<number, number>();
  for (let from = 0; from < visual.length; from++) {
    if (!isStrong(visual[from])) continue;
    let [to, hasLetters] = [from, visual[from]?.kind === "ltr"];
    for (let next = nextStrong(visual, to); next !== undefined; next = nextStrong(visual, to)) {
      const letters = visual[next]?.kind === "ltr";
      if (!hasLetters && !letters && !isOneNumber(visual, to, next)) break;
      hasLetters ||= letters;
      to = next;
    }
    let start = from;
    if (isSign(visual[start - 1])) start--;
    if (isSign(visual[to + 1]) || closes(visual, start, to)) to++;
    islands.set(to, start);
    from = to;
  }
  return islands;
}

function isStrong(cluster: Cluster | undefined): boolean {
  return cluster?.kind === "ltr" || cluster?.kind === "digit";
}

function isSign(cluster: Cluster | undefined): boolean {
  return SIGN.test(cluster?.glyphs[0]?.text ?? "");
}

/** The next number or letter behind `at`, if no right-to-left letter stands before it. */
function nextStrong(visual: readonly Cluster[], at: number): number | undefined {
  for (let next = at + 1; next < visual.length; next++) {
    if (isStrong(visual[next])) return next;
    if (visual[next]?.kind === "rtl") return undefined;
  }
  return undefined;
}

/** Whether digits at `at` and `next` are of one number, date or range. */
function isOneNumber(visual: readonly Cluster[], at: number, next: number): boolean {
  if (next === at + 1) return true;
  const between = visual[at + 1]?.glyphs[0]?.text ?? "";
  if (next > at + 2 || !SEPARATOR.test(between)) return false;
  // Numbers after Arabic letters are set one by one where a hyphen stands between them (rule W2 and
  // W4 of Unicode's annex 9), so that `1998-2005` is seen as `2005-1998`.
  if (between !== "-") return true;
  const before = visual.slice(next).find((one) => one.kind === "rtl");
  return before === undefined || !ARABIC_LETTER.test(before.glyphs[0]?.text ?? "");
}

/** Whether the cluster behind a run closes a bracket that the run opens. */
function closes(visual: readonly Cluster[], from: number, to: number): boolean {
  const text = visual.slice(from, to + 1).map((one) => one.glyphs[0]?.text ?? "").join("");
  return text.lastIndexOf("(") > text.lastIndexOf(")") && visual[to + 1]?.glyphs[0]?.text === ")";
}

/**
 * Brackets as they are meant. Files differ in whether they name the bracket that is seen or the one
 * that was typed; where the brackets of a line don't fit each other, what touches them tells.
 */
function withBrackets(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (areBalanced(glyphs)) return glyphs;
  const isFree = (glyph: Glyph | undefined) => glyph === undefined || glyph.text.trim() === "";
  return glyphs.map((glyph, at) => {
    const other = BRACKETS[glyph.text];
    if (other === undefined) return glyph;
    const [before, after] = [glyphs[at - 1], glyphs[at + 1]];
    const opens = isFree(before) && !isFree(after);
    const shuts = !isFree(before) && (isFree(after) || /^[.,:;!?،؛؟]/.test(after?.text ?? ""));
    return (OPENING.test(glyph.text) ? shuts : opens) ? { ...glyph, text: other } : glyph;
  });
}

function areBalanced(glyphs: readonly Glyph[]): boolean {
  const open: string[] = [];
  for (const { text } of glyphs) {
    const other = BRACKETS[text];
    if (other === undefined) continue;
    if (OPENING.test(text)) open.push(other);
    else if (open.pop() !== text) return false;
  }
  return open.length === 0;
}

/** The clusters with a space where two neighbours stand apart. */
function withGaps(visual: readonly Cluster[]): Cluster[] {
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
