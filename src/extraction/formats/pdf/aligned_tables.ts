/** Finds tables without ruling lines, going by rows of pieces that line up in the same columns. */
import { textCell } from "../../model.ts";
import { boundingBox, median, verticalOverlap } from "./geometry.ts";
import { isRightToLeft, type LinePiece } from "./lines.ts";
import type { PageTable } from "./ruled_tables.ts";
import type { Rule } from "./page.ts";

/** Minimum number of rows with at least two pieces. */
const MIN_TABLE_ROWS = 3;
/** Maximum mean cell width, in font sizes. Wider columns contain prose. */
const MAX_MEAN_CELL_WIDTH_EM = 11;

interface Row {
  readonly pieces: readonly LinePiece[];
  readonly top: number;
  readonly bottom: number;
}

interface ColumnRange {
  left: number;
  right: number;
}

/** Returns the tables among `pieces` that only their alignment gives away. */
export function findAlignedTables(
  pieces: readonly LinePiece[],
  rules: readonly Rule[],
): PageTable[] {
  const rows = groupIntoRows(pieces);
  const tables: PageTable[] = [];
  for (let from = 0; from < rows.length; from++) {
    let best: PageTable | undefined;
    let to = from;
    while (to < rows.length && extendsTable(rows, from, to, rules)) to++;
    for (let end = to; end - from >= MIN_TABLE_ROWS && best === undefined; end--) {
      best = buildTable(rows.slice(from, end));
      if (best !== undefined) from = end - 1;
    }
    if (best !== undefined) tables.push(best);
  }
  return tables;
}

/** Groups pieces by line, from left to right. */
function groupIntoRows(pieces: readonly LinePiece[]): Row[] {
  const rows: { pieces: LinePiece[]; top: number; bottom: number }[] = [];
  for (const piece of [...pieces].sort((a, b) => a.baseline - b.baseline)) {
    const last = rows.at(-1);
    if (last !== undefined && last.pieces.some((other) => verticalOverlap(other, piece) > 0.6)) {
      last.pieces.push(piece);
      last.bottom = Math.max(last.bottom, piece.bottom);
    } else rows.push({ pieces: [piece], top: piece.top, bottom: piece.bottom });
  }
  for (const row of rows) row.pieces.sort((a, b) => a.left - b.left);
  return rows;
}

/** Checks whether row `to` can belong to the table that starts at row `from`. */
function extendsTable(
  rows: readonly Row[],
  from: number,
  to: number,
  rules: readonly Rule[],
): boolean {
  const row = rows[to];
  const above = rows[to - 1];
  if (row === undefined || row.pieces.length < 2) {
    return to > from && row !== undefined && isBetweenRules(row, rules);
  }
  if (to === from || above === undefined) return true;
  const size = median(row.pieces.map((piece) => piece.size));
  return row.top - above.bottom < 1.6 * size || isBetweenRules(row, rules);
}

/** Checks whether a row is between two wide horizontal rules, as is typical of printed tables. */
function isBetweenRules(row: Row, rules: readonly Rule[]): boolean {
  const wide = rules.filter((rule) =>
    rule.horizontal && rule.left <= (row.pieces[0]?.left ?? 0) + 4 && rule.right - rule.left > 100
  );
  return wide.some((rule) => rule.top < row.top + 2 && row.top - rule.top < 200) &&
    wide.some((rule) => rule.top > row.bottom - 2 && rule.top - row.bottom < 200);
}

function buildTable(rows: readonly Row[]): PageTable | undefined {
  const multiCellRows = rows.filter((row) => row.pieces.length >= 2);
  if (multiCellRows.length < MIN_TABLE_ROWS) return undefined;
  const columns = findColumns(rows);
  if (columns.length < 2 || columns.length > 40) return undefined;
  const pieces = rows.flatMap((row) => row.pieces);
  const widths = pieces.map((piece) => (piece.right - piece.left) / piece.size);
  const width = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  if (width > MAX_MEAN_CELL_WIDTH_EM) return undefined;
  const columnCounts = multiCellRows.map((row) =>
    new Set(row.pieces.map((piece) => nearestColumnIndex(columns, piece))).size
  );
  // Most rows must fill the same columns. Words with accidental gaps between them don't.
  const agreeing =
    columnCounts.filter((count) => count >= Math.max(2, 0.6 * columns.length)).length;
  if (agreeing < 0.6 * rows.length) return undefined;
  if (columns.length === 2 && isListOrProse(multiCellRows, columns)) return undefined;
  const rightToLeft = isRightToLeft(pieces.map((piece) => piece.text).join(" "));
  const cells = rows.map((row) =>
    columns.map((_, index) =>
      row.pieces.filter((piece) => nearestColumnIndex(columns, piece) === index).map((piece) =>
        piece.text
      )
        .join(" ")
    )
  );
  const texts = joinWrappedRows(cells, rows);
  if (rightToLeft) { for (const row of texts) row.reverse(); }
  return { box: boundingBox(pieces), rows: texts.map((row) => row.map((text) => textCell(text))) };
}

/**
 * Joins the continuation of wrapped cells with the row above. A row is a continuation if its first
 * cell is empty and it's close to the row above.
 */
function joinWrappedRows(cells: readonly string[][], rows: readonly Row[]): string[][] {
  const steps = rows.map((row, index) => row.top - (rows[index - 1]?.top ?? row.top));
  const usualStep = median(steps.filter((_, index) => index > 0 && cells[index]?.[0] !== ""));
  const joined: string[][] = [];
  cells.forEach((row, index) => {
    const previous = joined.at(-1);
    const isContinuation = previous !== undefined && row[0] === "" &&
      (steps[index] ?? 0) < 0.95 * usualStep &&
      row.every((text, column) => text === "" || previous[column] !== "");
    if (isContinuation) {
      row.forEach((text, column) => {
        previous[column] = `${previous[column] ?? ""} ${text}`.trim();
      });
    } else joined.push([...row]);
  });
  return joined;
}

/**
 * Checks whether two columns are a list or prose rather than a table, i.e. the left column consists
 * of list markers or the cells are long.
 */
function isListOrProse(rows: readonly Row[], columns: readonly ColumnRange[]): boolean {
  const left = rows.flatMap((row) =>
    row.pieces.filter((piece) => nearestColumnIndex(columns, piece) === 0)
  );
  const right = rows.flatMap((row) =>
    row.pieces.filter((piece) => nearestColumnIndex(columns, piece) === 1)
  );
  const markerCount =
    left.filter((piece) => /^(?:\W|\(?\w{1,3}[.)]?)$/.test(piece.text.trim())).length;
  const medianLength = (side: readonly LinePiece[]) =>
    median(side.map((piece) => piece.text.length));
  return markerCount > 0.5 * left.length || medianLength(left) > 30 || medianLength(right) > 35;
}

/** Returns the columns, separated by gaps shared by all rows. */
function findColumns(rows: readonly Row[]): ColumnRange[] {
  const maxPieces = Math.max(...rows.map((row) => row.pieces.length));
  const pieces = rows.filter((row) => row.pieces.length >= Math.max(2, maxPieces * 0.5))
    .flatMap((row) => row.pieces).sort((a, b) => a.left - b.left);
  const columns: ColumnRange[] = [];
  for (const piece of pieces) {
    const last = columns.at(-1);
    if (last !== undefined && piece.left < last.right - 0.5) {
      last.right = Math.max(last.right, piece.right);
    } else columns.push({ left: piece.left, right: piece.right });
  }
  return columns;
}

function nearestColumnIndex(columns: readonly ColumnRange[], piece: LinePiece): number {
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
