/**
 * Finds tables drawn with ruling lines. The lines form a grid; where one is missing, two cells are
 * merged.
 */
import type { Cell } from "../../model.ts";
import { textCell } from "../../model.ts";
import { type Box, containsCentre } from "../geometry.ts";
import { createPiece, glyphText, isRightToLeft, type LinePiece } from "../lines/lines.ts";
import type { Glyph, Rule } from "../page.ts";
import {
  areaBox,
  type CellArea,
  cellIndexes,
  findCellAreas,
  Grid,
  gridBox,
  isCovered,
  LINE_TOLERANCE_POINTS,
} from "./grid.ts";
import { columnEdges, columnJoints, labelEdges, rowEdges } from "./implied_rules.ts";

const MAX_GRID_CELLS = 4_000;
/** Minimum number of rows with a line of text each in a cell that isn't merged. */
const MIN_LABEL_ROWS = 3;

/** A table on a page, and the area its text comes from. */
export interface PageTable {
  readonly box: Box;
  readonly rows: readonly (readonly Cell[])[];
}

/** Returns the tables enclosed by a page's rules, with the text from `pieces` in their cells. */
export function findRuledTables(
  rules: readonly Rule[],
  pieces: readonly LinePiece[],
  fills: readonly Box[] = [],
): PageTable[] {
  return groupTouchingRules(rules).flatMap((drawn) => {
    const cluster = [...drawn, ...columnJoints(drawn, pieces)];
    const horizontal = cluster.filter((rule) => rule.horizontal);
    const vertical = cluster.filter((rule) => !rule.horizontal);
    // Printed tables often lack outer lines, but the other lines show where the table ends.
    let xs = distinctPositions([
      ...vertical.map((rule) => rule.left),
      ...(vertical.length === 0
        ? []
        : outerEnds(horizontal.map((rule) => [rule.left, rule.right]))),
    ]);
    const ys = distinctPositions([
      ...horizontal.map((rule) => rule.top),
      ...(horizontal.length === 0
        ? []
        : outerEnds(vertical.map((rule) => [rule.top, rule.bottom]))),
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
    const inner = columnEdges(xs, ys, pieces);
    xs = distinctPositions([...xs, ...inner.map((edge) => edge.left)]);
    const edges = [...shadeEdges(xs, ys, fills, glyphs), ...rowEdges(xs, ys, pieces)];
    const rows = distinctPositions([...ys, ...edges.map((edge) => edge.top)]);
    if (xs.length * rows.length > MAX_GRID_CELLS) return [];
    const grid = withLabelEdges(new Grid(xs, rows, [...cluster, ...inner, ...edges]), pieces);
    const table = fillTable(grid, pieces);
    return table === undefined ? [] : [table];
  });
}

/**
 * Returns the edges of shaded rows. Printed tables often mark headers, or every other row, with a
 * colour rather than lines. Shading only counts if it fills whole cells across the width of the
 * table and its edges don't cut through a line of text.
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
  const edges = fills.filter((fill) => isNear(xs, fill.left) && isNear(xs, fill.right))
    .flatMap(({ left, right, top, bottom }) =>
      [top, bottom].map((y): Rule => ({ left, right, top: y, bottom: y, horizontal: true }))
    )
    .filter(({ top }) => top > frame.top && top < frame.bottom && !isNear(ys, top));
  return edges.filter(({ top }) => {
    const sameEdge = edges.filter((edge) => Math.abs(edge.top - top) <= LINE_TOLERANCE_POINTS);
    const ranges = sameEdge.map((edge) => [edge.left, edge.right] as const);
    if (!isCovered(frame.left, frame.right, ranges, 0.9)) return false;
    return !glyphs.some((glyph) => {
      const margin = 0.3 * (glyph.bottom - glyph.top);
      return glyph.top + margin < top && glyph.bottom - margin > top;
    });
  });
}

function outerEnds(ranges: readonly (readonly [number, number])[]): number[] {
  if (ranges.length === 0) return [];
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}

/** Removes empty outer rows or columns, which turn up if there's a frame around the table. */
function trimEmptyEdges(bounds: number[], centres: readonly number[]): void {
  const isEmpty = (from = 0, to = 0) => !centres.some((centre) => centre > from && centre < to);
  while (bounds.length > 2 && isEmpty(bounds[0], bounds[1])) bounds.shift();
  while (bounds.length > 2 && isEmpty(bounds.at(-2), bounds.at(-1))) bounds.pop();
}

/** Groups rules that touch each other, directly or via other rules. */
function groupTouchingRules(rules: readonly Rule[]): Rule[][] {
  const remaining = [...rules];
  const clusters: Rule[][] = [];
  for (let seed = remaining.pop(); seed !== undefined; seed = remaining.pop()) {
    const cluster = [seed];
    for (let index = 0; index < cluster.length; index++) {
      const rule = cluster[index];
      if (rule === undefined) break;
      for (let other = remaining.length - 1; other >= 0; other--) {
        const candidate = remaining[other];
        if (candidate !== undefined && touches(rule, candidate)) {
          cluster.push(candidate);
          remaining.splice(other, 1);
        }
      }
    }
    if (cluster.length >= 4) clusters.push(cluster);
  }
  return clusters;
}

function touches(a: Rule, b: Rule): boolean {
  return a.left <= b.right + LINE_TOLERANCE_POINTS && b.left <= a.right + LINE_TOLERANCE_POINTS &&
    a.top <= b.bottom + LINE_TOLERANCE_POINTS && b.top <= a.bottom + LINE_TOLERANCE_POINTS;
}

function distinctPositions(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const positions: number[] = [];
  for (const value of sorted) {
    if (value - (positions.at(-1) ?? -Infinity) > LINE_TOLERANCE_POINTS) positions.push(value);
  }
  return positions;
}

/** Divides merged cells that have a line of text in each row. */
function withLabelEdges(grid: Grid, pieces: readonly LinePiece[]): Grid {
  const merged = findCellAreas(grid).filter(({ rowspan }) => rowspan >= MIN_LABEL_ROWS);
  return grid.withRules(merged.flatMap((area) => {
    const ys = grid.ys.slice(area.row, area.row + area.rowspan + 1);
    return labelEdges(areaBox(grid, area), ys, pieces);
  }));
}

function fillTable(grid: Grid, pieces: readonly LinePiece[]): PageTable | undefined {
  const box = gridBox(grid.xs, grid.ys);
  const inside = pieces.filter((piece) => containsCentre(box, piece) || overlaps(box, piece));
  const rows: Cell[][] = Array.from({ length: grid.rows }, () => []);
  let filledCount = 0;
  const cells = findCellAreas(grid);
  if (cutsThroughText(grid, cells, inside)) return undefined;
  for (const area of cells) {
    const text = readCellText(areaBox(grid, area), inside);
    if (text !== "") filledCount++;
    rows[area.row]?.push(textCell(text, area.colspan, area.rowspan));
  }
  // A frame around text, a page header made of two boxes, and the axes of a plot aren't tables.
  if (grid.rows === 1 && grid.columns <= 2) return undefined;
  if (cells.length < 2 || filledCount < 2 || filledCount * 8 < cells.length) return undefined;
  const rightToLeft = isRightToLeft(inside.map((piece) => piece.text).join(" "));
  return { box, rows: rightToLeft ? rows.map((row) => row.reverse()) : rows };
}

/**
 * Checks whether borders cut through words or the frame cuts through lines, like the arrows and
 * boxes in a flow chart. In a table, that only happens occasionally, when a cell is overfull.
 */
function cutsThroughText(
  grid: Grid,
  cells: readonly CellArea[],
  pieces: readonly LinePiece[],
): boolean {
  const areaByCell = new Map(
    cells.flatMap((area) => cellIndexes(area, grid).map((at) => [at, area])),
  );
  const frame = gridBox(grid.xs, grid.ys);
  const areaOf = (glyph: Glyph) => {
    if (!containsCentre(frame, glyph)) return undefined;
    const row = grid.ys.findLastIndex((y) => y <= (glyph.top + glyph.bottom) / 2);
    const column = grid.xs.findLastIndex((x) => x <= (glyph.left + glyph.right) / 2);
    return areaByCell.get(row * grid.columns + column);
  };
  let [wordCount, cutCount] = [0, 0];
  for (const piece of pieces) {
    const glyphs = piece.glyphs.filter((glyph) => glyph.text.trim() !== "");
    glyphs.forEach((glyph, index) => {
      const previous = glyphs[index - 1];
      const gap = previous === undefined ? Infinity : horizontalGap(previous, glyph) / glyph.size;
      if (gap > 0.2) wordCount++;
      if (previous === undefined || gap > 0.4) return;
      const [from, to] = [areaOf(previous), areaOf(glyph)];
      if (from !== to && (gap < 0.1 || from === undefined || to === undefined)) cutCount++;
    });
  }
  return cutCount >= 2 && cutCount > 0.03 * wordCount;
}

function horizontalGap(a: Glyph, b: Glyph): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right);
}

function overlaps(box: Box, piece: LinePiece): boolean {
  return piece.left < box.right && piece.right > box.left &&
    (piece.top + piece.bottom) / 2 > box.top && (piece.top + piece.bottom) / 2 < box.bottom;
}

/** Returns the text of all glyphs centred in `box`, line by line. */
function readCellText(box: Box, pieces: readonly LinePiece[]): string {
  const lines: { baseline: number; left: number; glyphs: Glyph[]; rtl: boolean }[] = [];
  for (const piece of pieces) {
    const glyphs = piece.glyphs.filter((glyph) => containsCentre(box, glyph));
    const linePiece = createPiece(glyphs);
    if (linePiece === undefined) continue;
    lines.push({
      baseline: linePiece.baseline,
      left: linePiece.left,
      glyphs,
      rtl: linePiece.rightToLeft,
    });
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
