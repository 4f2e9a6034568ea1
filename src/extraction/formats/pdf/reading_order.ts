/** Reading order: a page is cut at its column gutters and read column by column. */
import { boundingBox, type Box, median } from "./geometry.ts";

/** What is ordered: a piece of text or a table. */
export interface LayoutBox extends Box {
  readonly size: number;
  readonly rightToLeft: boolean;
}

/** Boxes of one column, top to bottom. */
export type Column<T> = readonly T[];

/** Above this many boxes a page is a drawing, and its boxes are read top to bottom. */
const MAX_BOXES = 800;

/** Bands without a column beside them, one after the other, behind which none is looked for. */
const MAX_THIN_BANDS = 60;

/** How boxes are grouped. */
export interface OrderOptions {
  /** What lies further apart than the columns beside each other is read row by row. */
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

/** The options, and how deep the cuts nest. */
type CutOptions = Required<OrderOptions> & { readonly depth: number };

function cutRegion<T extends LayoutBox>(
  boxes: readonly T[],
  { keepRows, depth }: CutOptions,
): Column<T>[] {
  if (boxes.length < 2 || depth > 8) return [sortTopToBottom(boxes)];
  const bands = splitIntoBands(boxes);
  const result: Column<T>[] = [];
  let plain: T[] = [];
  const flush = () => {
    if (plain.length > 0) result.push(sortTopToBottom(plain));
    plain = [];
  };
  for (let from = 0; from < bands.length;) {
    const { to, sides } = findLongestCut(bands, from, keepRows);
    if (sides === undefined) {
      plain.push(...bands[from] ?? []);
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

/** Boxes by the horizontal gaps that cross the whole region. */
function splitIntoBands<T extends LayoutBox>(boxes: readonly T[]): T[][] {
  const bands: T[][] = [];
  let bottom = -Infinity;
  for (const box of [...boxes].sort((a, b) => a.top - b.top)) {
    // Line boxes of one column may overlap by a hair; they are still two lines.
    if (box.top > bottom - 0.25 * box.size) bands.push([box]);
    else bands.at(-1)?.push(box);
    bottom = Math.max(bottom, box.bottom);
  }
  return bands;
}

/** The longest run of bands from `from` that one gutter divides, and its two sides. */
function findLongestCut<T extends LayoutBox>(
  bands: readonly T[][],
  from: number,
  keepRows: boolean,
) {
  let best: { to: number; sides: T[][] | undefined } = { to: from + 1, sides: undefined };
  const run: T[] = [];
  let [bottom, between] = [Infinity, 0];
  for (let to = from; to < Math.min(bands.length, best.to + MAX_THIN_BANDS); to++) {
    const band = bands[to] ?? [];
    between = Math.max(between, Math.min(...band.map((box) => box.top)) - bottom);
    bottom = Math.max(...band.map((box) => box.bottom));
    run.push(...band);
    if (run.length < 2) continue;
    const gap = findGutter(run);
    if (gap === "none" || (keepRows && gap !== "thin" && between > 0.99 * gap.width)) break;
    if (gap !== "thin") best = { to: to + 1, sides: gap.sides };
  }
  return best;
}

interface Gutter<T> {
  readonly width: number;
  /** What lies on its two sides, in reading order. */
  readonly sides: T[][];
}

/**
 * The two sides of the widest gutter in reading order; `thin` while a side is no column yet, and
 * `none` where nothing divides the boxes: more boxes cannot change that.
 */
function findGutter<T extends LayoutBox>(boxes: readonly T[]): Gutter<T> | "thin" | "none" {
  const size = median(boxes.map((box) => box.size));
  const sorted = [...boxes].sort((a, b) => a.left - b.left);
  let right = sorted[0]?.right ?? 0;
  let [thin, widest] = [false, 0];
  let sides: T[][] | undefined;
  const rtl = boxes.filter((box) => box.rightToLeft).length > boxes.length / 2;
  sorted.forEach((box, index) => {
    const gap = box.left - right;
    right = Math.max(right, box.right);
    if (index === 0 || gap < 0.9 * size) return;
    const [left, rest] = [sorted.slice(0, index), sorted.slice(index)];
    // Of two things side by side, the one that begins higher is read first.
    if (sorted.length === 2 || !isColumn(left, size) || !isColumn(rest, size)) thin = true;
    else if (gap > widest) {
      widest = gap;
      sides = rtl ? [rest, left] : [left, rest];
    }
  });
  if (sides !== undefined) return { width: widest, sides };
  return thin ? "thin" : "none";
}

/** A column holds several lines and is wide enough to read; a margin of markers isn't one. */
function isColumn(boxes: readonly LayoutBox[], size: number): boolean {
  const box = boundingBox(boxes);
  const lines = splitIntoBands(boxes).length;
  return (lines >= 3 || box.bottom - box.top > 8 * size) && box.right - box.left > 7 * size;
}

function sortTopToBottom<T extends LayoutBox>(boxes: readonly T[]): T[] {
  const sorted = [...boxes].sort((a, b) => a.top - b.top);
  const out: T[] = [];
  for (let from = 0; from < sorted.length;) {
    const first = sorted[from];
    if (first === undefined) break;
    let to = from + 1;
    while (to < sorted.length && (sorted[to]?.top ?? 0) < first.top + 0.5 * first.size) to++;
    const row = sorted.slice(from, to);
    const rtl = row.filter((box) => box.rightToLeft).length > row.length / 2;
    out.push(...row.sort((a, b) => rtl ? b.right - a.right : a.left - b.left));
    from = to;
  }
  return out;
}
