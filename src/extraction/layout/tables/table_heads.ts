/**
 * Finds the header of a table that only alignment gives away. Its lines are often set apart from the
 * rows, or go across several columns.
 */
import type { Cell } from "../../model.ts";
import { textCell } from "../../model.ts";
import { boundingBox, type Box, median, verticalOverlap } from "../geometry.ts";
import type { LinePiece } from "../lines/lines.ts";
import type { Rule } from "../page.ts";

/** Maximum number of lines in a table's header. */
const MAX_HEAD_LINES = 4;
/** Maximum number of lines above the rows that belong to the header, and the distance between them. */
const MAX_LINES_ABOVE = 6;
const MAX_GAP_EM = 3;
/** Maximum width by which a header reaches beyond the rows, in font sizes. */
const MAX_OVERHANG_EM = 4;
/** Maximum size of a header's words relative to the rows, and maximum width relative to the table. */
const MAX_SIZE_RATIO = 1.2;
const MAX_HEAD_SHARE = 0.5;
/** Minimum share of a table's width that the lines above and below its header cover. */
const MIN_RULE_SHARE = 0.7;
/** Minimum share of the columns that a header without such a line above fills. */
const MIN_FILLED_SHARE = 0.6;

/** Pieces on a line, from left to right. */
export interface Row {
  readonly pieces: readonly LinePiece[];
  readonly top: number;
  readonly bottom: number;
}

/** Where a column is. */
export interface ColumnRange {
  left: number;
  right: number;
}

/**
 * Returns the lines above a table that belong to its header. Above them is another line drawn across
 * the table, or there's a single line that fills the columns.
 *
 * @param first first row of the table
 */
export function headAbove(
  above: readonly Row[],
  table: Box,
  first: Row,
  columns: readonly ColumnRange[],
  rules: readonly Rule[],
): readonly Row[] {
  const wide = rules.filter((rule) => isAcross(rule, table));
  let [count, top] = [0, table.top];
  for (let lines = 1; lines <= Math.min(MAX_LINES_ABOVE, above.length); lines++) {
    const row = above[above.length - lines]!;
    const size = median(row.pieces.map((piece) => piece.size));
    if (!mayBeHead(row, table, first) || top - row.bottom > MAX_GAP_EM * size) break;
    const isDivided = wide.some((rule) => rule.top > row.bottom - 2 && rule.top < top + 2);
    // A line on its own at the left may as well be a heading.
    const isAtLeft = row.pieces.length === 1 && columnIndex(columns, row.pieces[0]!) === 0;
    if (isAtLeft && (isDivided || top - row.bottom > size)) break;
    if (wide.some((rule) => rule.top < row.top + 2 && rule.top > row.top - 2 * size)) count = lines;
    top = row.top;
  }
  const last = above.at(-1);
  if (
    count === 0 && last !== undefined && mayBeHead(last, table, first) &&
    fillsColumns(last, table, columns)
  ) count = 1;
  return count === 0 ? [] : above.slice(-count);
}

/** Checks whether a row directly above a table has a word for most of its columns. */
function fillsColumns(row: Row, table: Box, columns: readonly ColumnRange[]): boolean {
  const size = median(row.pieces.map((piece) => piece.size));
  const filled = new Set(row.pieces.map((piece) => columnIndex(columns, piece)));
  return table.top - row.bottom < MAX_GAP_EM * size && filled.size === row.pieces.length &&
    filled.size >= Math.max(2, MIN_FILLED_SHARE * columns.length) &&
    row.pieces.every((piece) => /\p{L}/u.test(piece.text));
}

/**
 * Checks whether a row consists of words that are as large as the first row of the table. A title is
 * larger, and text goes across the table or beyond it.
 */
function mayBeHead({ pieces }: Row, table: Box, first: Row): boolean {
  const size = median(first.pieces.map((piece) => piece.size));
  return pieces.every((piece) =>
    piece.size < MAX_SIZE_RATIO * size &&
    piece.right - piece.left < MAX_HEAD_SHARE * (table.right - table.left) &&
    piece.left > table.left - MAX_OVERHANG_EM * size &&
    piece.right < table.right + MAX_OVERHANG_EM * size
  );
}

/**
 * Returns how many lines at the top of a table are its header, going by the rule below the header.
 * Returns 0 if there's no such rule, or if most rows have one.
 */
export function countHeadRows(rows: readonly Row[], box: Box, rules: readonly Rule[]): number {
  const isBelow = (row: Row, next: Row | undefined) =>
    next !== undefined &&
    rules.some((rule) =>
      rule.top > middleOf(row) && rule.top < middleOf(next) && isAcross(rule, box)
    );
  const ruled = rows.flatMap((row, index) => isBelow(row, rows[index + 1]) ? [index + 1] : []);
  const [first = 0] = ruled;
  return ruled.length > 2 || first > MAX_HEAD_LINES ? 0 : first;
}

/**
 * Returns a table's header. Lines without a rule in between are a single row. A word with a rule below
 * it spans the columns above which the rule is.
 *
 * @param body first row below the header
 */
export function headCells(
  rows: readonly Row[],
  body: Row | undefined,
  columns: readonly ColumnRange[],
  rules: readonly Rule[],
): Cell[][] {
  const levels: LinePiece[][] = [];
  let below: readonly Rule[] = [];
  const spans = new Map<LinePiece, Rule>();
  rows.forEach((row, index) => {
    if (index === 0 || below.length > 0) levels.push([...row.pieces]);
    else levels.at(-1)!.push(...row.pieces);
    const next = rows[index + 1] ?? body;
    below = next === undefined
      ? []
      : rules.filter((rule) =>
        rule.top > middleOf(row) && rule.top < middleOf(next) &&
        row.pieces.some((piece) => isOver(piece, rule))
      );
    for (const rule of below) {
      const over = row.pieces.filter((piece) => isOver(piece, rule));
      if (over.length === 1) spans.set(over[0]!, rule);
    }
  });
  return levels.map((pieces) => levelCells(pieces, columns, spans));
}

function levelCells(
  pieces: readonly LinePiece[],
  columns: readonly ColumnRange[],
  spans: ReadonlyMap<LinePiece, Rule>,
): Cell[] {
  const byColumn = Map.groupBy(pieces, (piece) => {
    const rule = spans.get(piece);
    const first = rule === undefined ? -1 : columns.findIndex((column) => isWithin(column, rule));
    return first < 0 ? columnIndex(columns, piece) : first;
  });
  const cells: Cell[] = [];
  for (let column = 0; column < columns.length;) {
    const inColumn = byColumn.get(column) ?? [];
    const rule = inColumn.length === 1 ? spans.get(inColumn[0]!) : undefined;
    let end = column + 1;
    while (
      rule !== undefined && end < columns.length && !byColumn.has(end) &&
      isWithin(columns[end]!, rule)
    ) end++;
    cells.push(textCell(cellText(inColumn), end - column));
    column = end;
  }
  return cells;
}

function isOver(piece: LinePiece, rule: Rule): boolean {
  return rule.horizontal && rule.left < piece.left + 2 && rule.right > piece.right - 2;
}

function isWithin(column: ColumnRange, rule: Rule): boolean {
  const middle = (column.left + column.right) / 2;
  return middle > rule.left && middle < rule.right;
}

function isAcross(rule: Rule, box: Box): boolean {
  return rule.horizontal &&
    Math.min(rule.right, box.right) - Math.max(rule.left, box.left) >
      MIN_RULE_SHARE * (box.right - box.left);
}

function middleOf({ top, bottom }: Row): number {
  return (top + bottom) / 2;
}

/** Returns the text of the pieces in a cell, line by line. */
export function cellText(pieces: readonly LinePiece[]): string {
  return pieces.toSorted((a, b) =>
    verticalOverlap(a, b) > 0.6 ? a.left - b.left : a.baseline - b.baseline
  ).map((piece) => piece.text).join(" ");
}

/** Returns the index of the column that a piece is in, or of the nearest one. */
export function columnIndex(columns: readonly ColumnRange[], piece: LinePiece): number {
  let best = 0;
  let minDistance = Infinity;
  columns.forEach((column, index) => {
    const gap = Math.max(
      0,
      Math.max(column.left, piece.left) - Math.min(column.right, piece.right),
    );
    const centreDistance = Math.abs(column.left + column.right - piece.left - piece.right) / 1000;
    if (gap + centreDistance < minDistance) [best, minDistance] = [index, gap + centreDistance];
  });
  return best;
}

/** Returns the box of rows. */
export function rowsBox(rows: readonly Row[]): Box {
  return boundingBox(rows.flatMap((row) => row.pieces));
}
