/** From raw lines to the pieces that layout works with: one piece lies in one column or cell. */
import { RTL_LETTER, toLogicalOrder } from "./bidi.ts";
import { boundingBox, type Box, containsCentre, verticalOverlap } from "./geometry.ts";
import type { Glyph, RawLine } from "./page.ts";

/** A piece of a line without wide gaps; its glyphs are in logical order. */
export interface LinePiece extends Box {
  readonly glyphs: readonly Glyph[];
  readonly baseline: number;
  readonly size: number;
  readonly bold: boolean;
  /** The font of most letters, and whether it is upright text type. */
  readonly font: string;
  readonly upright: boolean;
  readonly text: string;
  readonly rightToLeft: boolean;
}

/** Splits raw lines where the gap exceeds `gap` font sizes, and joins what touches on one line. */
export function splitIntoPieces(lines: readonly RawLine[], gapEm: number): LinePiece[] {
  return joinMarkers(joinNeighbours(lines.flatMap((line) => splitAtGaps(line, gapEm))));
}

const LIST_MARKER =
  /^(?:[•●○◦▪■□‣∙·➢➤✓❖►▶–o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,4}\.?)$/;
/** A number with its dot to the left, as it is seen before a text that runs from right to left. */
const RTL_LIST_MARKER = /^[.(]\d{1,3}$/;

/** A list marker stands apart from its text; the two are one line all the same. */
function joinMarkers(found: readonly LinePiece[]): LinePiece[] {
  const joined = [...found];
  for (const marker of found) {
    if (!LIST_MARKER.test(marker.text) && !RTL_LIST_MARKER.test(marker.text)) continue;
    const row = found.filter((piece) => piece !== marker && verticalOverlap(piece, marker) > 0.6);
    const [next] = row;
    if (next === undefined || row.length !== 1 || !joined.includes(next)) continue;
    if (!LIST_MARKER.test(marker.text) && !next.rightToLeft) continue;
    const gap = next.rightToLeft ? marker.left - next.right : next.left - marker.right;
    if (gap < 0 || gap > 4.5 * next.size) continue;
    const space = { ...(marker.glyphs.at(-1) as Glyph), text: " ", left: marker.right };
    const both = createPiece([...marker.glyphs, space, ...next.glyphs]);
    if (both === undefined) continue;
    joined.splice(joined.indexOf(marker), 1);
    joined[joined.indexOf(next)] = both;
  }
  return joined;
}

/** A piece made of glyphs, or undefined when they show nothing. */
export function createPiece(glyphs: readonly Glyph[]): LinePiece | undefined {
  let shown = trimSpaces(glyphs);
  const solid = shown.filter((glyph) => glyph.text.trim() !== "");
  if (solid.length === 0) return undefined;
  const sizes = new Map<number, number>();
  const bases = new Map<number, number>();
  const fonts = new Map<string, number>();
  let [bold, letters, slanted] = [0, 0, 0];
  for (const glyph of solid) {
    const weight = glyph.text.length;
    addWeight(sizes, Math.round(glyph.size * 2) / 2, weight);
    addWeight(bases, glyph.baseline, weight * glyph.size);
    letters += weight;
    fonts.set(glyph.face.font, (fonts.get(glyph.face.font) ?? 0) + weight);
    if (glyph.face.bold) bold += weight;
    if (glyph.face.italic || glyph.face.mono) slanted += weight;
  }
  let text = glyphText(shown);
  const rightToLeft = isRightToLeft(text);
  if (rightToLeft) {
    shown = trimSpaces(toLogicalOrder(shown));
    text = glyphText(shown);
  }
  return {
    ...boundingBox(solid),
    glyphs: shown,
    baseline: heaviest(bases, 0),
    size: heaviest(sizes, 0),
    bold: bold > 0.8 * letters,
    font: heaviest(fonts, ""),
    upright: slanted === 0,
    text,
    rightToLeft,
  };
}

function addWeight(weights: Map<number, number>, key: number, weight: number): void {
  weights.set(key, (weights.get(key) ?? 0) + weight);
}

function heaviest<K>(weights: ReadonlyMap<K, number>, fallback: K): K {
  let [best, most] = [fallback, -1];
  for (const [key, weight] of weights) if (weight > most) [best, most] = [key, weight];
  return best;
}

function trimSpaces(glyphs: readonly Glyph[]): readonly Glyph[] {
  let [from, to] = [0, glyphs.length];
  while (from < to && glyphs[from]?.text.trim() === "") from++;
  while (to > from && glyphs[to - 1]?.text.trim() === "") to--;
  return glyphs.slice(from, to);
}

/** The text of glyphs, with the spaces that only the distances show. */
export function glyphText(glyphs: readonly Glyph[]): string {
  return insertSpaces(glyphs).map((glyph) => glyph.text).join("").replace(/ {2,}/g, " ");
}

/** Glyphs with the missing spaces put in, and what PDFium turns around in their logical order. */
export function insertSpaces(glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = [];
  for (const glyph of glyphs) {
    const last = out.at(-1);
    if (last !== undefined && last.text.trim() !== "" && glyph.text.trim() !== "") {
      if (isSplitLigature(last, glyph)) {
        out[out.length - 1] = glyph;
        out.push(last);
        continue;
      }
      if (isMarkOf(last, glyph)) {
        out.pop();
        if (isGapOfMark(out.at(-2), out.at(-1), glyph)) out.pop();
        out.push(glyph, last);
        continue;
      }
      const rtl = RTL_LETTER.test(last.text) || RTL_LETTER.test(glyph.text);
      const apart = rtl
        ? scriptChanges(last.text, glyph.text)
        : glyph.left - last.right > 0.2 * glyph.size;
      if (apart) out.push({ ...last, text: " ", left: last.right, right: last.right });
    }
    out.push(glyph);
  }
  return out;
}

/** PDFium turns a right-to-left line around letter by letter, which also turns lam-alef around. */
function isSplitLigature(last: Glyph, next: Glyph): boolean {
  return /^[\u0622\u0623\u0625\u0627]$/.test(last.text) && next.text === "\u0644" &&
    Math.abs(last.left - next.left) < 0.05 && Math.abs(last.right - next.right) < 0.05;
}

/** The same turning puts the mark above a letter before it. */
function isMarkOf(mark: Glyph, letter: Glyph): boolean {
  if (!/^[\u064b-\u065f\u0670]$/.test(mark.text) || !RTL_LETTER.test(letter.text)) return false;
  const middle = (mark.left + mark.right) / 2;
  return middle > letter.left && middle < letter.right;
}

/** PDFium takes the way to a mark for a gap between words; its own spaces have no width. */
function isGapOfMark(before: Glyph | undefined, space: Glyph | undefined, letter: Glyph): boolean {
  return before !== undefined && space?.text === " " && space.left === space.right &&
    before.left - letter.right < 0.15 * letter.size;
}

function scriptChanges(a: string, b: string): boolean {
  const isRtl = (text: string) => RTL_LETTER.test(text) && /\p{L}/u.test(text);
  return (isRtl(a) && /^[A-Za-z\d]/.test(b)) || (isRtl(b) && /[A-Za-z\d]$/.test(a));
}

/**
 * Whether most words of a text run from right to left; of as many of both, most letters. Addresses
 * are written alike in every text, and say nothing.
 */
export function isRightToLeft(text: string): boolean {
  let [words, letters] = [0, 0];
  for (const word of text.split(/\s+/)) {
    let balance = 0;
    for (const char of word) {
      if (RTL_LETTER.test(char)) balance++;
      else if (/\p{L}/u.test(char)) balance--;
    }
    if (balance < 0 && /[@/]/.test(word)) continue;
    words += Math.sign(balance);
    letters += balance;
  }
  return words === 0 ? letters > 0 : words > 0;
}

function splitAtGaps(line: RawLine, gapEm: number): LinePiece[] {
  const solid = line.filter((glyph) => glyph.text.trim() !== "").sort((a, b) => a.left - b.left);
  const starts: number[] = [];
  let right = -Infinity;
  for (const glyph of solid) {
    if (glyph.left - right > gapEm * glyph.size) starts.push(glyph.left);
    right = Math.max(right, glyph.right);
  }
  if (starts.length <= 1) return [createPiece(line)].filter((piece) => piece !== undefined);
  const groups: Glyph[][] = starts.map(() => []);
  for (const glyph of line) {
    let index = starts.length - 1;
    while (index > 0 && (glyph.left + glyph.right) / 2 < (starts[index] ?? 0)) index--;
    groups[index]?.push(glyph);
  }
  return groups.map(createPiece).filter((piece) => piece !== undefined);
}

/** Joins pieces that PDFium kept apart although nothing lies between them: raised notes, runs. */
function joinNeighbours(found: readonly LinePiece[]): LinePiece[] {
  const sorted = [...found].sort((a, b) =>
    Number(isOnlyMarks(a)) - Number(isOnlyMarks(b)) || a.baseline - b.baseline || a.left - b.left
  );
  const joined: LinePiece[] = [];
  for (const piece of sorted) {
    const at = joined.findLastIndex((other) =>
      Math.abs(other.baseline - piece.baseline) < 0.6 * Math.max(other.size, piece.size) &&
      verticalOverlap(other, piece) > 0.5 &&
      (touches(other, piece) || (isOnlyMarks(piece) && containsCentre(other, piece)))
    );
    const other = joined[at];
    const both = other === undefined ? undefined : createPiece(orderedGlyphs(other, piece));
    if (both === undefined) joined.push(piece);
    else joined[at] = both;
  }
  return joined;
}

function touches(a: LinePiece, b: LinePiece): boolean {
  const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  const size = Math.max(a.size, b.size);
  return gap > -0.5 * size && gap < 0.45 * size;
}

/** Whether a piece is marks without a letter: PDFium keeps some apart from the line they lie in. */
function isOnlyMarks({ text }: LinePiece): boolean {
  return /^\p{M}+$/u.test(text);
}

function orderedGlyphs(a: LinePiece, b: LinePiece): Glyph[] {
  const [first, second] = (a.left < b.left) !== (a.rightToLeft || b.rightToLeft) ? [a, b] : [b, a];
  return [...first.glyphs, ...second.glyphs];
}
