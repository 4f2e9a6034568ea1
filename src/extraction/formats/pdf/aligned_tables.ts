/** Tables without ruling lines: rows of pieces that line up in the same columns. */
import { textCell } from "../../model.ts";
import { boundingBox, median, verticalOverlap } from "./geometry.ts";
import { isRightToLeft, type LinePiece } from "./lines.ts";
import type { PageTable } from "./ruled_tables.ts";
import type { Rule } from "./page.ts";

/** A table needs this many rows of at least two pieces. */
const MIN_TABLE_ROWS = 3;
/** A mean cell wider than this many font sizes is prose in columns. */
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

/** Tables among `pieces` that only their alignment shows. */
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

/** Pieces by line of the page, left to right. */
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

/** Whether row `to` may belong to the table that starts with row `from`. */
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

/** Whether the row lies between two wide horizontal rules: the mark of a table in print. */
function isBetweenRules(row: Row, rules: readonly Rule[]): boolean {
  const wide = rules.filter((rule) =>
    rule.horizontal && rule.left <= (row.pieces[0]?.left ?? 0) + 4 && rule.right - rule.left > 100
  );
  return wide.some((rule) => rule.top < row.top + 2 && row.top - rule.top < 200) &&
    wide.some((rule) => rule.top > row.bottom - 2 && rule.top - row.bottom < 200);
}

function buildTable(rows: readonly Row[]): PageTable | undefined {
  const full = rows.filter((row) => row.pieces.length >= 2);
  if (full.length < MIN_TABLE_ROWS) return undefined;
  const columns = findColumns(rows);
  if (columns.length < 2 || columns.length > 40) return undefined;
  const pieces = rows.flatMap((row) => row.pieces);
  const widths = pieces.map((piece) => (piece.right - piece.left) / piece.size);
  const width = widths.reduce((sum, one) => sum + one, 0) / widths.length;
  if (width > MAX_MEAN_CELL_WIDTH_EM) return undefined;
  const filled = full.map((row) =>
    new Set(row.pieces.map((piece) => nearestColumnIndex(columns, piece))).size
  );
  // Rows must agree on their columns; words that happen to stand apart don't.
  const agreeing = filled.filter((count) => count >= Math.max(2, 0.6 * columns.length)).length;
  if (agreeing < 0.6 * rows.length) return undefined;
  if (columns.length === 2 && isListOrProse(full, columns)) return undefined;
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

/** A row without a first cell, close under the one above, is the rest of its wrapped cells. */
function joinWrappedRows(cells: readonly string[][], rows: readonly Row[]): string[][] {
  const steps = rows.map((row, index) => row.top - (rows[index - 1]?.top ?? row.top));
  const usual = median(steps.filter((_, index) => index > 0 && cells[index]?.[0] !== ""));
  const joined: string[][] = [];
  cells.forEach((row, index) => {
    const last = joined.at(-1);
    const wraps = last !== undefined && row[0] === "" && (steps[index] ?? 0) < 0.95 * usual &&
      row.every((text, column) => text === "" || last[column] !== "");
    if (!wraps) joined.push([...row]);
    else row.forEach((text, column) => last[column] = `${last[column] ?? ""} ${text}`.trim());
  });
  return joined;
}

/** Two columns are a table only when the cells are short; markers beside text are a list. */
function isListOrProse(rows: readonly Row[], columns: readonly ColumnRange[]): boolean {
  const left = rows.flatMap((row) =>
    row.pieces.filter((piece) => nearestColumnIndex(columns, piece) === 0)
  );
  const right = rows.flatMap((row) =>
    row.pieces.filter((piece) => nearestColumnIndex(columns, piece) === 1)
  );
  const markers = left.filter((piece) => /^(?:\W|\(?\w{1,3}[.)]?)$/.test(piece.text.trim())).length;
  const letters = (side: readonly LinePiece[]) => median(side.map((piece) => piece.text.length));
  return markers > 0.5 * left.length || letters(left) > 30 || letters(right) > 35;
}

/** Columns are where the pieces of all rows together leave gaps. */
function findColumns(rows: readonly Row[]): ColumnRange[] {
  const most = Math.max(...rows.map((row) => row.pieces.length));
  const pieces = rows.filter((row) => row.pieces.length >= Math.max(2, most * 0.5))
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
  let least = Infinity;
  columns.forEach((column, index) => {
    const apart = Math.max(
      0,
      Math.max(column.left, piece.left) - Math.min(column.right, piece.right),
    );
    const middles = Math.abs(column.left + column.right - piece.left - piece.right) / 1000;
    if (apart + middles < least) [best, least] = [index, apart + middles];
  });
  return best;
}
