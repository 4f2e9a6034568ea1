/** Joins the lines of a column into paragraphs and list items. */
import { median } from "../geometry.ts";
import { isRightToLeft, type LinePiece } from "../lines/lines.ts";

/** Lines in a single paragraph or list item. */
export interface Paragraph {
  readonly lines: LinePiece[];
  /** List item marker, such as `•` or `2.`. */
  readonly marker: string | undefined;
  /**
   * Distance to the line above, relative to that of the column's lines. Infinity for the first one.
   */
  readonly gapAbove: number;
  /** Whether its number continues that of the paragraph above, or is continued below. */
  readonly isInList: boolean;
}

type OpenParagraph = Omit<Paragraph, "gapAbove" | "isInList">;

/** Minimum number of lines that can be an address. Two lines may be a wrapped title. */
const MIN_RAGGED_LINES = 3;

const BULLET = /^[•●○◦▪■□▫–—‣∙·⁃➢➤✓✔❖◆◇►▶※＊\u2610-\u2612\uf0b7*-](?=\s|\p{L}{2})/u;
const NUMBER_MARKER = /^(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)])(?=\s)/;
const BARE_O = /^o(?=\s\p{Lu})/u;

/** A multi-level number, then text that may start a sentence: `2.1 Scope`, `2.1.3. Terms`. */
const COMPOUND_NUMBER = /^\d{1,3}(?:\.\d{1,3})+[.)]?(?=\s+(?!\p{Ll})\p{L})/u;

/** A single capital or a Roman numeral. No other marker can double as the start of a name. */
const CAPITAL_MARKER = /^[A-Z]+\.$/;

/**
 * Returns the list markers for the lines in a column. `E.` is an initial unless the next or
 * previous such marker at the same edge is `D.` or `F.`. `2.1` is a quantity unless the next or
 * previous number is consecutive to it.
 */
function listMarkers(lines: readonly LinePiece[]): Map<LinePiece, string | undefined> {
  const markers = new Map(lines.map((line) => [line, listMarker(line.text)]));
  for (const [line, marker] of compoundMarkers(lines)) markers.set(line, marker);
  const capitals = lines.filter((line) => CAPITAL_MARKER.test(markers.get(line) ?? ""));
  for (const line of capitals) {
    const marker = markers.get(line) ?? "";
    if (marker.length > 2) continue;
    const sameEdge = capitals.filter((other) => Math.abs(other.left - line.left) < 1.5 * line.size);
    const index = sameEdge.indexOf(line);
    const isConsecutive = [sameEdge[index - 1], sameEdge[index + 1]].some((next) =>
      next !== undefined && areConsecutive(marker, listMarker(next.text) ?? "")
    );
    if (!isConsecutive) markers.delete(line);
  }
  return markers;
}

function compoundMarkers(lines: readonly LinePiece[]): Map<LinePiece, string> {
  const numbered = lines.flatMap((line) => {
    const marker = COMPOUND_NUMBER.exec(line.text)?.[0] ??
      /^\d{1,3}[.)](?=\s)/.exec(line.text)?.[0];
    return marker === undefined
      ? []
      : [{ line, marker, levels: marker.match(/\d+/g)?.map(Number) ?? [] }];
  });
  const markers = new Map<LinePiece, string>();
  numbered.forEach(({ line, marker, levels }, index) => {
    const [before, after] = [numbered[index - 1]?.levels ?? [], numbered[index + 1]?.levels ?? []];
    if (levels.length > 1 && (isNextNumber(before, levels) || isNextNumber(levels, after))) {
      markers.set(line, marker);
    }
  });
  return markers;
}

/**
 * Checks whether `b` is the number after `a`, i.e. the next number on the same or a higher level,
 * or the first one on the level below.
 */
function isNextNumber(a: readonly number[], b: readonly number[]): boolean {
  const last = b.length - 1;
  if (last < 0 || a.length === 0 || b.length > a.length + 1) return false;
  const isBelow = b.length === a.length + 1;
  return b.every((number, level) =>
    level < last ? number === a[level] : number === (isBelow ? 1 : (a[level] ?? 0) + 1)
  );
}

function areConsecutive(a: string, b: string): boolean {
  const areLetters = a.length === 2 && b.length === 2 &&
    Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) === 1;
  const [first, second] = [ROMAN_MARKERS.indexOf(a), ROMAN_MARKERS.indexOf(b)];
  return areLetters || (first >= 0 && second >= 0 && Math.abs(first - second) === 1);
}

const ROMAN_MARKERS = [
  "I.",
  "II.",
  "III.",
  "IV.",
  "V.",
  "VI.",
  "VII.",
  "VIII.",
  "IX.",
  "X.",
  "XI.",
  "XII.",
];

/** Returns the list marker at the start of a text, or undefined if there is none. */
function listMarker(text: string): string | undefined {
  const bullet = BULLET.exec(text)?.[0] ?? BARE_O.exec(text)?.[0];
  if (bullet !== undefined) {
    return /^[-–—*]$/.test(bullet) && !/^.\s/.test(text) ? undefined : bullet;
  }
  return NUMBER_MARKER.exec(text)?.[0];
}

/** Groups the lines in a column into paragraphs. Expects them in order, from top to bottom. */
export function groupIntoParagraphs(lines: readonly LinePiece[]): Paragraph[] {
  const pitch = linePitch(lines);
  const paragraphs: OpenParagraph[] = [];
  const markers = listMarkers(lines);
  const columnRight = Math.max(...lines.map((line) => line.right));
  for (const run of splitIntoRuns(lines, pitch)) {
    const right = isRagged(run) ? columnRight : Math.max(...run.map((line) => line.right));
    joinRun(
      run,
      markers,
      { left: Math.min(...run.map((line) => line.left)), right, pitch },
      paragraphs,
    );
  }
  return paragraphs.map((paragraph, index) => {
    const [before, after] = [paragraphs[index - 1], paragraphs[index + 1]];
    return {
      ...paragraph,
      gapAbove: gapBetween(before?.lines.at(-1), paragraph.lines[0], pitch),
      isInList: isNextMarker(before?.marker, paragraph.marker) ||
        isNextMarker(paragraph.marker, after?.marker),
    };
  });
}

function isNextMarker(marker: string | undefined, next: string | undefined): boolean {
  const levels = (text: string | undefined) => text?.match(/\d+/g)?.map(Number) ?? [];
  return isNextNumber(levels(marker), levels(next));
}

function gapBetween(
  above: LinePiece | undefined,
  below: LinePiece | undefined,
  pitch: number,
): number {
  if (above === undefined || below === undefined) return Infinity;
  const gap = (below.baseline - above.baseline) / (pitch * below.size);
  // After a line further down the page, this one is at the top of a column.
  return gap < 0 ? Infinity : gap;
}

/** Splits lines at wide gaps. A run's edges are those of its text. */
function splitIntoRuns(lines: readonly LinePiece[], pitch: number): LinePiece[][] {
  const runs: LinePiece[][] = [];
  for (const line of lines) {
    const last = runs.at(-1)?.at(-1);
    const step = last === undefined ? Infinity : line.baseline - last.baseline;
    if (last !== undefined && step < 1.4 * pitch * Math.max(line.size, last.size) + 1) {
      runs.at(-1)?.push(line);
    } else runs.push([line]);
  }
  return runs;
}

/**
 * Checks whether lines end where they please, like those of an address. Otherwise, the longest of
 * them shows how much room there is.
 */
function isRagged(lines: readonly LinePiece[]): boolean {
  const longest = Math.max(...lines.map((line) => line.right));
  return lines.length >= MIN_RAGGED_LINES &&
    lines.filter((line) => longest - line.right < 2 * line.size).length === 1;
}

function joinRun(
  lines: readonly LinePiece[],
  markers: ReadonlyMap<LinePiece, string | undefined>,
  column: ColumnShape,
  paragraphs: OpenParagraph[],
): void {
  for (const line of lines) {
    const marker = markers.get(line) ?? (line.tag?.kind === "item" ? "" : undefined);
    const open = paragraphs.at(-1);
    const openTag = open?.lines.at(-1)?.tag;
    if (open !== undefined && line.tag !== undefined && openTag !== undefined) {
      if (openTag.id === line.tag.id) open.lines.push(line);
      else paragraphs.push({ lines: [line], marker });
    } else if (
      open !== undefined && marker === undefined &&
      continuesParagraph(open, line, column)
    ) {
      open.lines.push(line);
    } else if (
      open !== undefined && marker !== undefined && isMidSentence(open, line, column.pitch)
    ) {
      open.lines.push(line);
    } else paragraphs.push({ lines: [line], marker });
  }
}

interface ColumnShape {
  readonly left: number;
  readonly right: number;
  readonly pitch: number;
}

/** Returns the usual distance between baselines, in font sizes. At most 2; defaults to 1.25. */
function linePitch(lines: readonly LinePiece[]): number {
  const steps: number[] = [];
  lines.forEach((line, index) => {
    const step = line.baseline - (lines[index - 1]?.baseline ?? Infinity);
    if (step > 0.9 * line.size && step < 2.1 * line.size) steps.push(step / line.size);
  });
  return steps.length === 0 ? 1.25 : Math.min(median(steps), 2);
}

function continuesParagraph(open: OpenParagraph, line: LinePiece, column: ColumnShape): boolean {
  const last = open.lines.at(-1);
  const first = open.lines[0];
  if (last === undefined || first === undefined) return false;
  if (last.bookmark !== undefined || line.bookmark !== undefined) return false;
  const size = Math.max(last.size, line.size);
  if (Math.abs(last.size - line.size) > 0.12 * size) return false;
  // Bold words at the start of a paragraph may continue on the next line.
  const isSameRun = last.bold && line.glyphs[0]?.face.bold === true;
  if (last.bold !== line.bold && !isSameRun) return false;
  if (last.font !== line.font && Math.abs(last.size - line.size) > 0.04 * size) return false;
  const step = line.baseline - last.baseline;
  if (step < 0.3 * size) return Math.abs(step) <= 0.3 * size;
  // An item's bullet is often in a taller font, which adds to the distance to the next line.
  const isHanging = open.marker !== undefined && open.lines.length === 1 &&
    Math.abs(line.left - first.left) > 0.8 * size;
  const maxStep = isHanging ? 1.7 : paragraphPitch(open, column.pitch) * 1.22;
  if (step > maxStep * size + 0.8) return false;
  if (open.marker !== undefined) return continuesItem(open, line, column);
  return !startsParagraph(open, last, line, column);
}

/** Returns a paragraph's line distance, or the usual one if there's only one line so far. */
function paragraphPitch(open: OpenParagraph, usual: number): number {
  const [first, second] = open.lines;
  if (first === undefined || second === undefined) return usual;
  return Math.max(0.9, (second.baseline - first.baseline) / second.size);
}

/**
 * Checks whether a line continues a list item, i.e. it's indented to the item's text or the
 * previous line is full.
 */
function continuesItem(open: OpenParagraph, line: LinePiece, column: ColumnShape): boolean {
  const first = open.lines[0];
  const last = open.lines.at(-1);
  if (first === undefined || last === undefined) return false;
  const indent = line.rightToLeft ? first.right - line.right : line.left - first.left;
  if (indent > 0.4 * line.size) return indent < 5 * line.size;
  return indent > -0.5 * line.size && !wouldFit(last, line, column);
}

function startsParagraph(
  open: OpenParagraph,
  last: LinePiece,
  line: LinePiece,
  column: ColumnShape,
): boolean {
  const isRtl = line.rightToLeft;
  const indent = isRtl ? last.right - line.right : line.left - last.left;
  const edgeDistance = isRtl ? column.right - last.right : last.left - column.left;
  const isIndented = indent > 0.8 * line.size && indent < 5 * line.size &&
    edgeDistance < 1.5 * line.size;
  const isCentred = Math.abs(last.left + last.right - line.left - line.right) < line.size;
  if (isIndented && !isCentred && open.lines.length > 1) return true;
  if (isIndented && !isCentred && /[.!?:。]["”’)]*$/.test(last.text)) return true;
  return wouldFit(last, line, column) && !isCentred;
}

/**
 * Checks whether the first word of `line` would fit on `last`. If so, the line break is
 * intentional.
 */
function wouldFit(last: LinePiece, line: LinePiece, column: ColumnShape): boolean {
  const width = last.rightToLeft ? last.left - column.left : column.right - last.right;
  const word = /^\S+/.exec(line.text)?.[0] ?? "";
  const letterWidth = (line.right - line.left) / Math.max(1, line.text.length);
  const isCjk = /^[\u3000-\u9fff\uac00-\ud7af]/.test(word);
  return width > (isCjk ? 2 : word.length + 1) * letterWidth + 1.5 * line.size;
}

/**
 * Checks whether a wrapped line starts with something that looks like a marker: `… see section` /
 * `2. The …`.
 */
function isMidSentence(open: OpenParagraph, line: LinePiece, pitch: number): boolean {
  const last = open.lines.at(-1);
  if (last === undefined || open.marker !== undefined) return false;
  const step = line.baseline - last.baseline;
  return /\p{Ll}$|,$/u.test(last.text) && Math.abs(line.left - last.left) < 0.5 * line.size &&
    step < pitch * line.size * 1.1 && /^\(?[\w]{1,3}[.)]\s+\p{Ll}/u.test(line.text) &&
    !isRightToLeft(line.text) && last.size === line.size;
}
