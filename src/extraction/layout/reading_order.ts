/**
 * Determines a page's reading order by cutting it at column gutters and reading column by column.
 */
import { boundingBox, type Box, median } from "./geometry.ts";
import type { Rule } from "./page.ts";

/** A box to be ordered: a piece of text or a table. */
export interface LayoutBox extends Box {
  readonly size: number;
  readonly rightToLeft: boolean;
  /** Whether it's made of numbers, which aren't running text. Defaults to `false`. */
  readonly numeric?: boolean;
}

/** The boxes in one column, from top to bottom. */
export type Column<T> = readonly T[];

/**
 * Maximum number of boxes on a page. A page with more is a drawing and is read from top to bottom.
 */
const MAX_BOXES = 800;

/** Minimum width of a column of running text, in font sizes, and its minimum number of full lines. */
const MIN_PROSE_WIDTH_EM = 12;
const MIN_PROSE_LINES = 4;

/** Minimum share of numbers in a column that's part of a table, or of numbers on the same lines. */
const MIN_NUMBER_SHARE = 0.9;

/** Minimum width of a gutter, in font sizes. */
const MIN_GUTTER_EM = 0.75;

/** Give up looking for a second column after this many consecutive bands without one. */
const MAX_THIN_BANDS = 60;

/** Maximum distance, in points, between parts of a line that count as one, and between line and text. */
const RULE_TOLERANCE_POINTS = 3;
/** Minimum share of the width of both columns that a line covers to separate what's above and below. */
const MIN_SEPARATOR_SHARE = 0.5;

/** Options for `splitIntoColumns()`. */
export interface OrderOptions {
  /**
   * Whether to read row by row if boxes are further apart vertically than horizontally. Defaults to
   * `false`.
   */
  readonly keepRows?: boolean;
  /**
   * If set, only columns of running text count, so that the columns of a table stay together.
   * Contains the gutters found so far in the document. Gutters that are found are added.
   */
  readonly proseGutters?: ProseGutters;
  /** Lines drawn on the page. Columns end at a line across them. */
  readonly rules?: readonly Rule[];
}

/** Positions of the gutters between columns of running text, which pages of a document share. */
export class ProseGutters {
  readonly #positions: number[] = [];

  /** Adds the middle of the gap between `left` and `right`. */
  add(left: number, right: number): void {
    this.#positions.push((left + right) / 2);
  }

  /** Checks whether another page has a gutter between `left` and `right`. */
  has(left: number, right: number): boolean {
    return this.#positions.some((position) => position > left && position < right);
  }
}

/** Groups `boxes` into columns in reading order. */
export function splitIntoColumns<T extends LayoutBox>(
  boxes: readonly T[],
  { keepRows = false, proseGutters, rules = [] }: OrderOptions = {},
): Column<T>[] {
  if (boxes.length === 0) return [];
  if (boxes.length > MAX_BOXES) return [sortTopToBottom(boxes)];
  return cutRegion(boxes, {
    keepRows,
    proseGutters,
    rules: joinParts(rules.filter((rule) => rule.horizontal)),
    depth: 0,
  });
}

/** Joins the parts of horizontal lines that are drawn cell by cell. */
function joinParts(rules: readonly Rule[]): Box[] {
  const joined: Box[] = [];
  for (const rule of [...rules].sort((a, b) => a.left - b.left)) {
    const index = joined.findIndex((other) =>
      Math.abs(other.top - rule.top) <= RULE_TOLERANCE_POINTS &&
      rule.left <= other.right + RULE_TOLERANCE_POINTS
    );
    const other = joined[index];
    if (other === undefined) joined.push(rule);
    else joined[index] = { ...other, right: Math.max(other.right, rule.right) };
  }
  return joined;
}

/** The options, plus the nesting depth of the cuts. */
interface CutOptions {
  readonly keepRows: boolean;
  readonly proseGutters: ProseGutters | undefined;
  readonly rules: readonly Box[];
  readonly depth: number;
}

function cutRegion<T extends LayoutBox>(
  boxes: readonly T[],
  options: CutOptions,
): Column<T>[] {
  if (boxes.length < 2 || options.depth > 8) return [sortTopToBottom(boxes)];
  const bands = splitIntoBands(boxes);
  const result: Column<T>[] = [];
  let uncut: T[] = [];
  const flush = () => {
    if (uncut.length > 0) result.push(sortTopToBottom(uncut));
    uncut = [];
  };
  for (let from = 0; from < bands.length;) {
    const { to, gutter } = findLongestCut(bands, from, options);
    if (gutter === undefined) {
      uncut.push(...bands[from] ?? []);
      from++;
      continue;
    }
    flush();
    options.proseGutters?.add(gutter.left, gutter.right);
    for (const side of gutter.sides) {
      result.push(...cutRegion(side, { ...options, depth: options.depth + 1 }));
    }
    from = to;
  }
  flush();
  return result;
}

/** Splits boxes at horizontal gaps across the whole region. */
function splitIntoBands<T extends LayoutBox>(boxes: readonly T[]): T[][] {
  const bands: T[][] = [];
  let bottom = -Infinity;
  for (const box of [...boxes].sort((a, b) => a.top - b.top)) {
    // In one column, the boxes of two lines may overlap slightly.
    if (box.top > bottom - 0.25 * box.size) bands.push([box]);
    else bands.at(-1)?.push(box);
    bottom = Math.max(bottom, box.bottom);
  }
  return bands;
}

/**
 * Returns the longest run of bands from `from` divided by a single gutter, and the two sides of the
 * run. It ends at a line across the gutter.
 */
function findLongestCut<T extends LayoutBox>(
  bands: readonly T[][],
  from: number,
  { keepRows, proseGutters, rules }: CutOptions,
) {
  let best: { to: number; gutter: Gutter<T> | undefined } = { to: from + 1, gutter: undefined };
  const run: T[] = [];
  const separators: Box[] = [];
  let [bottom, maxRowGap] = [Infinity, 0];
  for (let to = from; to < Math.min(bands.length, best.to + MAX_THIN_BANDS); to++) {
    const band = bands[to] ?? [];
    const top = Math.min(...band.map((box) => box.top));
    maxRowGap = Math.max(maxRowGap, top - bottom);
    separators.push(
      ...rules.filter((rule) =>
        rule.top > bottom - RULE_TOLERANCE_POINTS && rule.top < top + RULE_TOLERANCE_POINTS
      ),
    );
    bottom = Math.max(...band.map((box) => box.bottom));
    run.push(...band);
    if (run.length < 2) continue;
    const gutter = findGutter(run, proseGutters);
    if (gutter === "none") break;
    if (gutter === "thin") continue;
    if (separators.some((rule) => crosses(rule, gutter))) break;
    if (keepRows && maxRowGap > 0.99 * (gutter.right - gutter.left)) break;
    best = { to: to + 1, gutter };
  }
  return best;
}

/** Checks whether a line goes across a gutter and much of the columns on both sides. */
function crosses(rule: Box, gutter: Gutter<LayoutBox>): boolean {
  return rule.left < gutter.left && rule.right > gutter.right && gutter.sides.every((side) => {
    const { left, right } = boundingBox(side);
    return Math.min(rule.right, right) - Math.max(rule.left, left) >
      MIN_SEPARATOR_SHARE * (right - left);
  });
}

interface Gutter<T> {
  readonly left: number;
  readonly right: number;
  /** Boxes on either side, in reading order. */
  readonly sides: T[][];
}

/**
 * Returns the widest gutter. Returns `thin` if one side isn't a column yet, and `none` if nothing
 * divides the boxes, in which case adding more won't help.
 */
function findGutter<T extends LayoutBox>(
  boxes: readonly T[],
  proseGutters: ProseGutters | undefined,
): Gutter<T> | "thin" | "none" {
  const size = median(boxes.map((box) => box.size));
  const sorted = [...boxes].sort((a, b) => a.left - b.left);
  let right = sorted[0]?.right ?? 0;
  let isThin = false;
  let widest: Gutter<T> | undefined;
  const isRtl = boxes.filter((box) => box.rightToLeft).length > boxes.length / 2;
  sorted.forEach((box, index) => {
    const gap = { left: right, right: box.left };
    const width = gap.right - gap.left;
    right = Math.max(right, box.right);
    if (index === 0 || width < MIN_GUTTER_EM * size) return;
    const [left, rest] = [sorted.slice(0, index), sorted.slice(index)];
    const areColumns = proseGutters === undefined
      ? isColumn(left, size) && isColumn(rest, size)
      : areProseColumns(left, rest, size, proseGutters.has(gap.left, gap.right));
    // Two adjacent boxes aren't columns. The one that starts higher up is read first.
    if (sorted.length === 2 || !areColumns) isThin = true;
    else if (widest === undefined || width > widest.right - widest.left) {
      widest = { ...gap, sides: isRtl ? [rest, left] : [left, rest] };
    }
  });
  return widest ?? (isThin ? "thin" : "none");
}

/**
 * Checks whether boxes form a column, i.e. have several lines and are wide enough to read. A margin
 * with markers isn't one.
 */
function isColumn(boxes: readonly LayoutBox[], size: number): boolean {
  const box = boundingBox(boxes);
  const lines = splitIntoBands(boxes).length;
  return (lines >= 3 || box.bottom - box.top > 8 * size) && box.right - box.left > 7 * size;
}

/**
 * Checks whether both sides of a gap are columns of running text. At a gutter known from elsewhere
 * in the document, a few lines on one side are enough, unless the other side is only numbers, which
 * are part of a table with the lines.
 */
function areProseColumns(
  left: readonly LayoutBox[],
  right: readonly LayoutBox[],
  size: number,
  isKnown: boolean,
): boolean {
  if (isKnown && !areNumbersOf(left, right) && !areNumbersOf(right, left)) {
    return isProseColumn(left, size, 2) || isProseColumn(right, size, 2);
  }
  return isProseColumn(left, size, MIN_PROSE_LINES) && isProseColumn(right, size, MIN_PROSE_LINES);
}

/**
 * Checks whether boxes are the numbers in a table with `lines`. There's hardly anything else among
 * them, or they're on the same lines.
 */
function areNumbersOf(lines: readonly LayoutBox[], boxes: readonly LayoutBox[]): boolean {
  const numbers = boxes.filter((box) => box.numeric === true);
  const share = numbers.length / boxes.length;
  if (share > MIN_NUMBER_SHARE) return true;
  return share > 0.5 &&
    numbers.filter((box) =>
        lines.some((line) => Math.abs(line.bottom - box.bottom) < 0.2 * box.size)
      ).length > MIN_NUMBER_SHARE * numbers.length;
}

/**
 * Checks whether boxes form a column of running text, i.e. most lines reach across a column that's
 * wide enough to read.
 */
function isProseColumn(boxes: readonly LayoutBox[], size: number, minLines: number): boolean {
  const { left, right } = boundingBox(boxes);
  const width = right - left;
  if (width < MIN_PROSE_WIDTH_EM * size || boxes.length < minLines) return false;
  // Neither numbers nor the gaps in the rows of a table count, so a table isn't taken for running
  // text.
  const lines = splitIntoBands(boxes).map((band) =>
    band.reduce((sum, box) => box.numeric === true ? sum : sum + box.right - box.left, 0)
  );
  const full = lines.filter((length) => length > 0.6 * width).length;
  return full >= minLines && full > 0.5 * lines.length;
}

function sortTopToBottom<T extends LayoutBox>(boxes: readonly T[]): T[] {
  const sorted = [...boxes].sort((a, b) => a.top - b.top);
  const result: T[] = [];
  for (let from = 0; from < sorted.length;) {
    const first = sorted[from];
    if (first === undefined) break;
    let to = from + 1;
    while (to < sorted.length && (sorted[to]?.top ?? 0) < first.top + 0.5 * first.size) to++;
    const row = sorted.slice(from, to);
    const isRtl = row.filter((box) => box.rightToLeft).length > row.length / 2;
    result.push(...row.sort((a, b) => isRtl ? b.right - a.right : a.left - b.left));
    from = to;
  }
  return result;
}
