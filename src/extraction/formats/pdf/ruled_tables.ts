/** Tables drawn with ruling lines: the lines make a grid, missing lines make merged cells. */
import type { Cell } from "../../model.ts";
import { textCell } from "../../model.ts";
import { type Box, containsCentre } from "./geometry.ts";
import { createPiece, glyphText, isRightToLeft, type LinePiece } from "./lines.ts";
import type { Glyph, Rule } from "./page.ts";

/** Lines this close, in points, are one line. */
const LINE_TOLERANCE_POINTS = 3;
const MAX_GRID_CELLS = 4_000;

/** A table on a page, and the area whose text it has taken. */
export interface PageTable {
  readonly box: Box;
  readonly rows: readonly (readonly Cell[])[];
}

/** Tables that the rules of a page enclose, with the text of `glyphs` in their cells. */
export function findRuledTables(
  rules: readonly Rule[],
  pieces: readonly LinePiece[],
  fills: readonly Box[] = [],
): PageTable[] {
  return groupTouchingRules(rules).flatMap((cluster) => {
    const across = cluster.filter((rule) => rule.horizontal);
    const down = cluster.filter((rule) => !rule.horizontal);
    // Print leaves the outer lines of a table away; the others show how far it reaches.
    const xs = distinctPositions([
      ...down.map((rule) => rule.left),
      ...(down.length === 0 ? [] : outerEnds(across.map((rule) => [rule.left, rule.right]))),
    ]);
    const ys = distinctPositions([
      ...across.map((rule) => rule.top),
      ...(across.length === 0 ? [] : outerEnds(down.map((rule) => [rule.top, rule.bottom]))),
    ]);
    if (xs.length < 2 || ys.length < 2 || xs.length * ys.length > MAX_GRID_CELLS) return [];
    if (xs.length === 2 && ys.length === 2) return [];
    const frame = gridBox(xs, ys);
    const glyphs = pieces.flatMap((piece) => piece.glyphs).filter((glyph) =>
      containsCentre(frame, glyph)
    );
    trimEmptyEdges(xs, glyphs.map((glyph) => (glyph.left + glyph.right) / 2));
    trimEmptyEdges(ys, glyphs.map((glyph) => (glyph.top + glyph.bottom) / 2));
    if (xs.length < 2 || ys.length < 2) return [];
    const edges = shadeEdges(xs, ys, fills, glyphs);
    const rows = distinctPositions([...ys, ...edges.map((edge) => edge.top)]);
    if (xs.length * rows.length > MAX_GRID_CELLS) return [];
    const table = fillTable(new Grid(xs, rows, [...cluster, ...edges]), pieces);
    return table === undefined ? [] : [table];
  });
}

/**
 * Edges of shaded rows: print tells heads, or every other row, by colour instead of by lines. Only
 * shades that fill whole cells over the width of the table count, and that cut no line of text.
 */
function shadeEdges(
  xs: readonly number[],
  ys: readonly number[],
  fills: readonly Box[],
  glyphs: readonly Glyph[],
): Rule[] {
  const frame = gridBox(xs, ys);
  const isNear = (values: readonly number[], at: number) =>
    values.some((value) => Math.abs(value - at) <= LINE_TOLERANCE_POINTS);
  const edges = fills.filter((one) => isNear(xs, one.left) && isNear(xs, one.right))
    .flatMap(({ left, right, top, bottom }) =>
      [top, bottom].map((y): Rule => ({ left, right, top: y, bottom: y, horizontal: true }))
    )
    .filter(({ top }) => top > frame.top && top < frame.bottom && !isNear(ys, top));
  return edges.filter(({ top }) => {
    const own = edges.filter((one) => Math.abs(one.top - top) <= LINE_TOLERANCE_POINTS);
    const ranges = own.map((one) => [one.left, one.right] as const);
    if (!isCovered(frame.left, frame.right, ranges, 0.9)) return false;
    return !glyphs.some((glyph) => {
      const margin = 0.3 * (glyph.bottom - glyph.top);
      return glyph.top + margin < top && glyph.bottom - margin > top;
    });
  });
}

function gridBox(xs: readonly number[], ys: readonly number[]): Box {
  return { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0 };
}

function outerEnds(ranges: readonly (readonly [number, number])[]): number[] {
  if (ranges.length === 0) return [];
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}

/** Drops outer rows or columns that hold nothing: the frame of a table inside a frame. */
function trimEmptyEdges(bounds: number[], centres: readonly number[]): void {
  const isEmpty = (from = 0, to = 0) => !centres.some((at) => at > from && at < to);
  while (bounds.length > 2 && isEmpty(bounds[0], bounds[1])) bounds.shift();
  while (bounds.length > 2 && isEmpty(bounds.at(-2), bounds.at(-1))) bounds.pop();
}

/** Rules that touch, directly or through others. */
function groupTouchingRules(rules: readonly Rule[]): Rule[][] {
  const open = [...rules];
  const found: Rule[][] = [];
  for (let seed = open.pop(); seed !== undefined; seed = open.pop()) {
    const cluster = [seed];
    for (let index = 0; index < cluster.length; index++) {
      const rule = cluster[index];
      if (rule === undefined) break;
      for (let other = open.length - 1; other >= 0; other--) {
        const candidate = open[other];
        if (candidate !== undefined && touches(rule, candidate)) {
          cluster.push(candidate);
          open.splice(other, 1);
        }
      }
    }
    if (cluster.length >= 4) found.push(cluster);
  }
  return found;
}

function touches(a: Rule, b: Rule): boolean {
  return a.left <= b.right + LINE_TOLERANCE_POINTS && b.left <= a.right + LINE_TOLERANCE_POINTS &&
    a.top <= b.bottom + LINE_TOLERANCE_POINTS && b.top <= a.bottom + LINE_TOLERANCE_POINTS;
}

function distinctPositions(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const found: number[] = [];
  for (const value of sorted) {
    if (value - (found.at(-1) ?? -Infinity) > LINE_TOLERANCE_POINTS) found.push(value);
  }
  return found;
}

/** The lines of one table as a grid of elementary cells. */
class Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly #rules: readonly Rule[];

  constructor(xs: readonly number[], ys: readonly number[], rules: readonly Rule[]) {
    this.xs = xs;
    this.ys = ys;
    this.#rules = rules;
  }

  get columns(): number {
    return this.xs.length - 1;
  }

  get rows(): number {
    return this.ys.length - 1;
  }

  /** Whether a line closes elementary cell (row, column) on its right. */
  isClosedRight(row: number, column: number): boolean {
    if (column >= this.columns - 1) return true;
    const x = this.xs[column + 1] ?? 0;
    const [from, to] = [this.ys[row] ?? 0, this.ys[row + 1] ?? 0];
    return isCovered(
      from,
      to,
      this.#rules.filter((rule) =>
        !rule.horizontal && Math.abs(rule.left - x) <= LINE_TOLERANCE_POINTS
      )
        .map((rule) => [rule.top, rule.bottom]),
    );
  }

  /** Whether a line closes elementary cell (row, column) below. */
  isClosedBelow(row: number, column: number): boolean {
    if (row >= this.rows - 1) return true;
    const y = this.ys[row + 1] ?? 0;
    const [from, to] = [this.xs[column] ?? 0, this.xs[column + 1] ?? 0];
    return isCovered(
      from,
      to,
      this.#rules.filter((rule) =>
        rule.horizontal && Math.abs(rule.top - y) <= LINE_TOLERANCE_POINTS
      )
        .map((rule) => [rule.left, rule.right]),
    );
  }
}

/** Whether ranges cover more than a part, half unless told, of `from` to `to`. */
function isCovered(
  from: number,
  to: number,
  ranges: readonly (readonly [number, number])[],
  minShare = 0.5,
): boolean {
  let length = 0;
  let reached = from;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const shown = Math.min(to, end) - Math.max(reached, start);
    if (shown > 0) length += shown;
    reached = Math.max(reached, Math.min(to, end));
  }
  return length > minShare * (to - from);
}

interface CellArea {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
}

/** Elementary cells joined over missing lines, in reading order. */
function findCellAreas(grid: Grid): CellArea[] {
  const taken = new Set<number>();
  const found: CellArea[] = [];
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      if (taken.has(row * grid.columns + column)) continue;
      let [colspan, rowspan] = [1, 1];
      while (!grid.isClosedRight(row, column + colspan - 1)) colspan++;
      while (!grid.isClosedBelow(row + rowspan - 1, column)) rowspan++;
      for (let y = row; y < row + rowspan; y++) {
        for (let x = column; x < column + colspan; x++) taken.add(y * grid.columns + x);
      }
      found.push({ row, column, rowspan, colspan });
    }
  }
  return found;
}

function fillTable(grid: Grid, pieces: readonly LinePiece[]): PageTable | undefined {
  const box = gridBox(grid.xs, grid.ys);
  const inside = pieces.filter((piece) => containsCentre(box, piece) || overlaps(box, piece));
  const rows: Cell[][] = Array.from({ length: grid.rows }, () => []);
  let filled = 0;
  const cells = findCellAreas(grid);
  if (cutsThroughText(grid, cells, inside)) return undefined;
  for (const area of cells) {
    const cellBox = {
      left: grid.xs[area.column] ?? 0,
      right: grid.xs[area.column + area.colspan] ?? 0,
      top: grid.ys[area.row] ?? 0,
      bottom: grid.ys[area.row + area.rowspan] ?? 0,
    };
    const text = readCellText(cellBox, inside);
    if (text !== "") filled++;
    rows[area.row]?.push(textCell(text, area.colspan, area.rowspan));
  }
  // A frame around a piece of text, a page head of two boxes, or a plot's axes, is no table.
  if (grid.rows === 1 && grid.columns <= 2) return undefined;
  if (cells.length < 2 || filled < 2 || filled * 8 < cells.length) return undefined;
  const rightToLeft = isRightToLeft(inside.map((piece) => piece.text).join(" "));
  return { box, rows: rightToLeft ? rows.map((row) => row.reverse()) : rows };
}

/**
 * Whether borders run through words, or the frame through lines, as the arrows and boxes of a flow
 * chart do. A cell that is overfull does the same, here and there.
 */
function cutsThroughText(
  grid: Grid,
  cells: readonly CellArea[],
  pieces: readonly LinePiece[],
): boolean {
  const owner = new Map(cells.flatMap((area) => cellIndexes(area, grid).map((at) => [at, area])));
  const frame = gridBox(grid.xs, grid.ys);
  const areaOf = (glyph: Glyph) => {
    if (!containsCentre(frame, glyph)) return undefined;
    const row = grid.ys.findLastIndex((y) => y <= (glyph.top + glyph.bottom) / 2);
    const column = grid.xs.findLastIndex((x) => x <= (glyph.left + glyph.right) / 2);
    return owner.get(row * grid.columns + column);
  };
  let [words, torn] = [0, 0];
  for (const piece of pieces) {
    const glyphs = piece.glyphs.filter((glyph) => glyph.text.trim() !== "");
    glyphs.forEach((glyph, index) => {
      const last = glyphs[index - 1];
      const gap = last === undefined ? Infinity : horizontalGap(last, glyph) / glyph.size;
      if (gap > 0.2) words++;
      if (last === undefined || gap > 0.4) return;
      const [from, to] = [areaOf(last), areaOf(glyph)];
      if (from !== to && (gap < 0.1 || from === undefined || to === undefined)) torn++;
    });
  }
  return torn >= 2 && torn > 0.03 * words;
}

function cellIndexes({ row, column, rowspan, colspan }: CellArea, grid: Grid): number[] {
  return Array.from(
    { length: rowspan * colspan },
    (_, at) => (row + Math.floor(at / colspan)) * grid.columns + column + at % colspan,
  );
}

function horizontalGap(a: Glyph, b: Glyph): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right);
}

function overlaps(box: Box, piece: LinePiece): boolean {
  return piece.left < box.right && piece.right > box.left &&
    (piece.top + piece.bottom) / 2 > box.top && (piece.top + piece.bottom) / 2 < box.bottom;
}

/** The text whose glyphs have their centres in `box`, line by line. */
function readCellText(box: Box, pieces: readonly LinePiece[]): string {
  const lines: { baseline: number; left: number; glyphs: Glyph[]; rtl: boolean }[] = [];
  for (const piece of pieces) {
    const glyphs = piece.glyphs.filter((glyph) => containsCentre(box, glyph));
    const part = createPiece(glyphs);
    if (part === undefined) continue;
    lines.push({ baseline: part.baseline, left: part.left, glyphs, rtl: part.rightToLeft });
  }
  lines.sort((a, b) =>
    Math.abs(a.baseline - b.baseline) > 2
      ? a.baseline - b.baseline
      : a.rtl
      ? b.left - a.left
      : a.left - b.left
  );
  return lines.map((line) => glyphText(line.glyphs).trim()).join(" ").replace(/\u00ad ?/g, "");
}
