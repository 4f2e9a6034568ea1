/**
 * Converts raw lines to the pieces layout works with. Each piece belongs to a single column or
 * cell.
 */
import { withSmallCapitals } from "./small_capitals.ts";
import { toLogicalOrder } from "./bidi.ts";
import { MARK_TOLERANCE_EM, RTL_LETTER } from "./bidi_clusters.ts";
import { boundingBox, type Box, containsCentre, verticalOverlap } from "../geometry.ts";
import type { BlockTag, Glyph, RawLine } from "../page.ts";

/** Part of a line without wide gaps. The glyphs are in logical order. */
export interface LinePiece extends Box {
  readonly glyphs: readonly Glyph[];
  readonly baseline: number;
  readonly size: number;
  readonly bold: boolean;
  /** Font of most letters, and whether the piece is neither italic nor monospaced. */
  readonly font: string;
  readonly upright: boolean;
  readonly italic: boolean;
  readonly smallCapitals: boolean;
  /** Colour of most letters. */
  readonly color: number;
  /** Tag of the first letter. Lines are cut where the tag changes. */
  readonly tag?: BlockTag;
  /** Depth of the bookmark that leads to this line, from 1. */
  readonly bookmark?: number;
  readonly text: string;
  readonly rightToLeft: boolean;
}

/**
 * Splits raw lines at gaps wider than `gapEm` font sizes, and joins touching pieces on the same
 * line.
 */
export function splitIntoPieces(lines: readonly RawLine[], gapEm: number): LinePiece[] {
  return joinMarkers(
    joinNeighbours(lines.map(withSmallCapitals).flatMap((line) => splitAtGaps(line, gapEm))),
  );
}

const LIST_MARKER =
  /^(?:[•●○◦▪■□‣∙·➢➤✓❖►▶–o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,4}\.?)$/;
/** A number with its dot on the left, as displayed in front of right-to-left text. */
const RTL_LIST_MARKER = /^[.(]\d{1,3}$/;

/** Joins list markers with their text. They're a single line despite the gap in between. */
function joinMarkers(pieces: readonly LinePiece[]): LinePiece[] {
  const joined = [...pieces];
  for (const marker of pieces) {
    if (!LIST_MARKER.test(marker.text) && !RTL_LIST_MARKER.test(marker.text)) continue;
    const row = pieces.filter((piece) => piece !== marker && verticalOverlap(piece, marker) > 0.6);
    const [next] = row;
    if (next === undefined || row.length !== 1 || !joined.includes(next)) continue;
    if (!LIST_MARKER.test(marker.text) && !next.rightToLeft) continue;
    const gap = next.rightToLeft ? marker.left - next.right : next.left - marker.right;
    if (gap < 0 || gap > 4.5 * next.size) continue;
    const space = { ...(marker.glyphs.at(-1) as Glyph), text: " ", left: marker.right };
    const joinedPiece = createPiece([...marker.glyphs, space, ...next.glyphs]);
    if (joinedPiece === undefined) continue;
    joined.splice(joined.indexOf(marker), 1);
    joined[joined.indexOf(next)] = joinedPiece;
  }
  return joined;
}

/** Creates a piece from glyphs. Returns undefined if none are visible. */
export function createPiece(glyphs: readonly Glyph[]): LinePiece | undefined {
  let visible = trimSpaces(glyphs);
  const solid = visible.filter((glyph) => glyph.text.trim() !== "");
  if (solid.length === 0) return undefined;
  const sizes = new Map<number, number>();
  const baselines = new Map<number, number>();
  const fonts = new Map<string, number>();
  const colors = new Map<number, number>();
  let [boldCount, letterCount, otherCount, italicCount, smallCount] = [0, 0, 0, 0, 0];
  for (const glyph of solid) {
    const weight = glyph.text.length;
    addWeight(sizes, Math.round(glyph.size * 2) / 2, weight);
    addWeight(baselines, glyph.baseline, weight * glyph.size);
    letterCount += weight;
    fonts.set(glyph.face.font, (fonts.get(glyph.face.font) ?? 0) + weight);
    if (glyph.face.bold) boldCount += weight;
    if (glyph.face.italic || glyph.face.mono) otherCount += weight;
    if (glyph.face.italic) italicCount += weight;
    if (glyph.face.smallCapitals === true) smallCount += weight;
    addWeight(colors, glyph.face.color ?? 0, weight);
  }
  let text = glyphText(visible);
  const rightToLeft = isRightToLeft(text);
  if (rightToLeft) {
    visible = trimSpaces(toLogicalOrder(visible));
    text = glyphText(visible);
  }
  return {
    ...boundingBox(solid),
    glyphs: visible,
    baseline: heaviest(baselines, 0),
    size: heaviest(sizes, 0),
    bold: boldCount > 0.8 * letterCount && !endsPlain(solid),
    font: heaviest(fonts, ""),
    upright: otherCount === 0,
    italic: italicCount > 0.8 * letterCount,
    smallCapitals: smallCount > 0.5 * letterCount,
    color: heaviest(colors, 0),
    text,
    rightToLeft,
    ...solid[0]!.tag === undefined ? {} : { tag: solid[0]!.tag },
  };
}

/**
 * Checks whether the last letters aren't bold. Bold words at the start of a paragraph may reach almost
 * to the end of the line.
 */
function endsPlain(glyphs: readonly Glyph[]): boolean {
  const isLetter = (glyph: Glyph) => /\p{L}/u.test(glyph.text);
  const last = glyphs.findLastIndex(isLetter);
  const before = glyphs.findLastIndex((glyph, index) => index < last && isLetter(glyph));
  return before >= 0 && !glyphs[last]!.face.bold && !glyphs[before]!.face.bold;
}

function addWeight(weights: Map<number, number>, key: number, weight: number): void {
  weights.set(key, (weights.get(key) ?? 0) + weight);
}

function heaviest<K>(weights: ReadonlyMap<K, number>, fallback: K): K {
  let [best, maxWeight] = [fallback, -1];
  for (const [key, weight] of weights) if (weight > maxWeight) [best, maxWeight] = [key, weight];
  return best;
}

function trimSpaces(glyphs: readonly Glyph[]): readonly Glyph[] {
  let [from, to] = [0, glyphs.length];
  while (from < to && glyphs[from]?.text.trim() === "") from++;
  while (to > from && glyphs[to - 1]?.text.trim() === "") to--;
  return glyphs.slice(from, to);
}

/** Returns the glyphs as text. Adds missing spaces where glyphs are apart from each other. */
export function glyphText(glyphs: readonly Glyph[]): string {
  return insertSpaces(glyphs).map((glyph) => glyph.text).join("").replace(/ {2,}/g, " ");
}

/** Returns the glyphs in logical order, with missing spaces inserted. */
export function insertSpaces(glyphs: readonly Glyph[]): Glyph[] {
  const result: Glyph[] = [];
  for (const glyph of glyphs) {
    const previous = result.at(-1);
    if (previous !== undefined && previous.text.trim() !== "" && glyph.text.trim() !== "") {
      if (isSplitLigature(previous, glyph)) {
        result[result.length - 1] = glyph;
        result.push(previous);
        continue;
      }
      if (isMarkOf(previous, glyph, result.at(-2))) {
        result.pop();
        if (isGapOfMark(result.at(-2), result.at(-1), glyph)) result.pop();
        result.push(glyph, previous);
        continue;
      }
      const isRtl = RTL_LETTER.test(previous.text) || RTL_LETTER.test(glyph.text);
      const isApart = isRtl
        ? scriptChanges(previous.text, glyph.text)
        : glyph.left - previous.right > minSpaceEm(previous.text, glyph.text) * glyph.size;
      if (isApart) {
        result.push({ ...previous, text: " ", left: previous.right, right: previous.right });
      }
    }
    result.push(glyph);
  }
  return result;
}

/** Returns the minimum gap between two words, in font sizes. Marks like "。" include a gap. */
function minSpaceEm(before: string, after: string): number {
  const isCjk = (text: string) => /^[\u3000-\u9fff\uff00-\uffef]/.test(text);
  return isCjk(before) && isCjk(after) ? 0.9 : 0.2;
}

/**
 * Checks for a reversed lam-alef. PDFium reverses right-to-left lines letter by letter, including
 * the letters in this ligature.
 */
function isSplitLigature(last: Glyph, next: Glyph): boolean {
  return /^[\u0622\u0623\u0625\u0627]$/.test(last.text) && next.text === "\u0644" &&
    Math.abs(last.left - next.left) < 0.05 && Math.abs(last.right - next.right) < 0.05;
}

/**
 * Checks whether a mark belongs to the letter after it. PDFium's reversal moves marks in front of
 * their letter. A mark that's near the letter before it is in its place already.
 */
function isMarkOf(mark: Glyph, letter: Glyph, before: Glyph | undefined): boolean {
  if (!/^[\u064b-\u065f\u0670]$/.test(mark.text) || !RTL_LETTER.test(letter.text)) return false;
  const middle = (mark.left + mark.right) / 2;
  if (middle <= letter.left || middle >= letter.right) return false;
  const tolerance = MARK_TOLERANCE_EM * mark.size;
  return before === undefined || !RTL_LETTER.test(before.text) ||
    middle < before.left - tolerance || middle > before.right + tolerance;
}

/**
 * Checks whether a space is due to a mark. PDFium takes the distance to a mark for a gap between
 * words. The spaces it inserts have no width.
 */
function isGapOfMark(before: Glyph | undefined, space: Glyph | undefined, letter: Glyph): boolean {
  return before !== undefined && space?.text === " " && space.left === space.right &&
    before.left - letter.right < 0.15 * letter.size;
}

function scriptChanges(a: string, b: string): boolean {
  const isRtl = (text: string) => RTL_LETTER.test(text) && /\p{L}/u.test(text);
  return (isRtl(a) && /^[A-Za-z\d]/.test(b)) || (isRtl(b) && /[A-Za-z\d]$/.test(a));
}

/**
 * Checks whether most words in a text run from right to left. In a tie, the majority of letters
 * decides. Addresses don't count, since they're written from left to right in any text.
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

/** Splits a line at gaps wider than `gapEm` font sizes. */
export function splitAtGaps(line: RawLine, gapEm: number): LinePiece[] {
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

/** Joins pieces separated by PDFium for no visible reason, e.g. superscript footnote numbers. */
function joinNeighbours(pieces: readonly LinePiece[]): LinePiece[] {
  const sorted = [...pieces].sort((a, b) =>
    Number(isOnlyMarks(a)) - Number(isOnlyMarks(b)) || a.baseline - b.baseline || a.left - b.left
  );
  const joined: LinePiece[] = [];
  for (const piece of sorted) {
    const index = joined.findLastIndex((other) =>
      other.tag?.id === piece.tag?.id &&
      Math.abs(other.baseline - piece.baseline) < 0.6 * Math.max(other.size, piece.size) &&
      verticalOverlap(other, piece) > 0.5 &&
      (touches(other, piece) || (isOnlyMarks(piece) && containsCentre(other, piece)))
    );
    const other = joined[index];
    const joinedPiece = other === undefined ? undefined : createPiece(orderedGlyphs(other, piece));
    if (joinedPiece === undefined) joined.push(piece);
    else joined[index] = joinedPiece;
  }
  return joined;
}

function touches(a: LinePiece, b: LinePiece): boolean {
  const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  const size = Math.max(a.size, b.size);
  return gap > -0.5 * size && gap < 0.45 * size;
}

/** Checks whether a piece only contains marks. PDFium separates some marks from their line. */
function isOnlyMarks({ text }: LinePiece): boolean {
  return /^\p{M}+$/u.test(text);
}

function orderedGlyphs(a: LinePiece, b: LinePiece): Glyph[] {
  const [first, second] = (a.left < b.left) !== (a.rightToLeft || b.rightToLeft) ? [a, b] : [b, a];
  return [...first.glyphs, ...second.glyphs];
}
