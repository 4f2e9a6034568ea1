/**
 * Determines a page's reading order by cutting it at column gutters and reading column by column.
 */
import { boundingBox, type Box, median } from "./geometry.ts";

/** A box to be ordered: a piece of text or a table. */
export interface LayoutBox extends Box {
  readonly size: number;
  readonly rightToLeft: boolean;
}

/** The boxes in one column, from top to bottom. */
export type Column<T> = readonly T[];

/**
 * Maximum number of boxes on a page. A page with more is a drawing and is read from top to bottom.
 */
const MAX_BOXES = 800;

/** Give up looking for a second column after this many consecutive bands without one. */
const MAX_THIN_BANDS = 60;

/** Options for `splitIntoColumns()`. */
export interface OrderOptions {
  /**
   * Whether to read row by row if boxes are further apart vertically than horizontally. Defaults to
   * `false`.
   */
  readonly keepRows?: boolean;
}

/** Groups `boxes` into columns in reading order. */
export function splitIntoColumns<T extends LayoutBox>(
  boxes: readonly T[],
  { keepRows = false }: OrderOptions = {},
): Column<T>[] {
  if (boxes.length === 0) return [];
  if (boxes.length > MAX_BOXES) return [sortTopToBottom(boxes)];
  return cutRegion(boxes, { keepRows, depth: 0 });
}

/** The options, plus the nesting depth of the cuts. */
type CutOptions = Required<OrderOptions> & { readonly depth: number };

function cutRegion<T extends LayoutBox>(
  boxes: readonly T[],
  { keepRows, depth }: CutOptions,
): Column<T>[] {
  if (boxes.length < 2 || depth > 8) return [sortTopToBottom(boxes)];
  const bands = splitIntoBands(boxes);
  const result: Column<T>[] = [];
  let uncut: T[] = [];
  const flush = () => {
    if (uncut.length > 0) result.push(sortTopToBottom(uncut));
    uncut = [];
  };
  for (let from = 0; from < bands.length;) {
    const { to, sides } = findLongestCut(bands, from, keepRows);
    if (sides === undefined) {
      uncut.push(...bands[from] ?? []);
      from++;
      continue;
    }
    flush();
    for (const side of sides) result.push(...cutRegion(side, { keepRows, depth: depth + 1 }));
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
 * run.
 */
function findLongestCut<T extends LayoutBox>(
  bands: readonly T[][],
  from: number,
  keepRows: boolean,
) {
  let best: { to: number; sides: T[][] | undefined } = { to: from + 1, sides: undefined };
  const run: T[] = [];
  let [bottom, maxRowGap] = [Infinity, 0];
  for (let to = from; to < Math.min(bands.length, best.to + MAX_THIN_BANDS); to++) {
    const band = bands[to] ?? [];
    maxRowGap = Math.max(maxRowGap, Math.min(...band.map((box) => box.top)) - bottom);
    bottom = Math.max(...band.map((box) => box.bottom));
    run.push(...band);
    if (run.length < 2) continue;
    const gutter = findGutter(run);
    if (gutter === "none" || (keepRows && gutter !== "thin" && maxRowGap > 0.99 * gutter.width)) {
      break;
    }
    if (gutter !== "thin") best = { to: to + 1, sides: gutter.sides };
  }
  return best;
}

interface Gutter<T> {
  readonly width: number;
  /** Boxes on either side, in reading order. */
  readonly sides: T[][];
}

/**
 * Returns the widest gutter. Returns `thin` if one side isn't a column yet, and `none` if nothing
 * divides the boxes, in which case adding more won't help.
 */
function findGutter<T extends LayoutBox>(boxes: readonly T[]): Gutter<T> | "thin" | "none" {
  const size = median(boxes.map((box) => box.size));
  const sorted = [...boxes].sort((a, b) => a.left - b.left);
  let right = sorted[0]?.right ?? 0;
  let [isThin, widest] = [false, 0];
  let sides: T[][] | undefined;
  const isRtl = boxes.filter((box) => box.rightToLeft).length > boxes.length / 2;
  sorted.forEach((box, index) => {
    const gap = box.left - right;
    right = Math.max(right, box.right);
    if (index === 0 || gap < 0.9 * size) return;
    const [left, rest] = [sorted.slice(0, index), sorted.slice(index)];
    // Two adjacent boxes aren't columns. The one that starts higher up is read first.
    if (sorted.length === 2 || !isColumn(left, size) || !isColumn(rest, size)) isThin = true;
    else if (gap > widest) {
      widest = gap;
      sides = isRtl ? [rest, left] : [left, rest];
    }
  });
  if (sides !== undefined) return { width: widest, sides };
  return isThin ? "thin" : "none";
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
