/** Finds tables without ruling lines, going by rows of pieces that line up in the same columns. */
import { textCell } from "../../model.ts";
import { boundingBox, median, verticalOverlap } from "../geometry.ts";
import { createPiece, isRightToLeft, type LinePiece, splitAtGaps } from "../lines/lines.ts";
import type { PageTable } from "./ruled_tables.ts";
import type { Rule } from "../page.ts";
import {
  cellText,
  columnIndex,
  type ColumnRange,
  countHeadRows,
  headAbove,
  headCells,
  type Row,
  rowsBox,
} from "./table_heads.ts";

/** Minimum number of rows with at least two pieces. */
const MIN_TABLE_ROWS = 3;
/** Maximum distance between the lines of a cell, relative to the distance between rows. */
const MAX_LINE_STEP_RATIO = 0.78;
/** Maximum distance between the lines of a centred cell and its row, in font sizes. */
const MAX_CENTRED_STEP_EM = 0.8;
/** Minimum gap between two words, in font sizes. */
const MIN_WORD_GAP_EM = 0.15;
/** Maximum ratio between the gaps in a line of justified text. */
const MAX_STRETCH_RATIO = 2;
/** Minimum gap between two cells, in font sizes. Spaces in justified text can be almost as wide. */
const CELL_GAP_EM = 0.8;
/** Maximum mean cell width, in font sizes. Wider columns contain prose. */
const MAX_MEAN_CELL_WIDTH_EM = 11;

const LIST_MARKER = /^(?:\W|\(?\w{1,3}[.)]?|\d{1,3}(?:\.\d{1,3})+[.)]?)$/;

/** Returns the tables among `pieces` that only their alignment gives away. */
export function findAlignedTables(
  pieces: readonly LinePiece[],
  rules: readonly Rule[],
): PageTable[] {
  const rows = joinCentredCells(groupIntoRows(pieces.flatMap(splitIntoCells)));
  const tables: PageTable[] = [];
  let free = 0;
  for (let from = 0; from < rows.length; from++) {
    let best: AlignedTable | undefined;
    let to = from;
    while (to < rows.length && extendsTable(rows, from, to, rules)) to++;
    let size = 0;
    let last = from;
    for (let end = to; end - from >= MIN_TABLE_ROWS; end--) {
      if (rows[end - 1]!.pieces.length < 2 && !isWrappedCell(rows, end - 1)) continue;
      const table = buildTable(rows.slice(from, end), rules);
      // Fewer rows with more columns are better: the text after a table hides its columns.
      const cells = (table?.rows.length ?? 0) * (table?.columns.length ?? 0);
      if (cells > size) [best, size, last] = [table, cells, end - 1];
    }
    if (best !== undefined) {
      tables.push(withHead(best, rows.slice(free, from), rows[from]!, rules));
      free = last + 1;
    }
    from = last;
  }
  return tables;
}

/** The rows of a table and its columns, from left to right. */
interface AlignedTable extends PageTable {
  readonly columns: readonly ColumnRange[];
  readonly rightToLeft: boolean;
}

/** Adds the lines of the header that are above a table. */
function withHead(
  { box, rows, columns, rightToLeft }: AlignedTable,
  above: readonly Row[],
  first: Row,
  rules: readonly Rule[],
): PageTable {
  const head = headAbove(above, box, first, columns, rules);
  if (head.length === 0) return { box, rows };
  const cells = headCells(head, first, columns, rules);
  if (rightToLeft) { for (const row of cells) row.reverse(); }
  return { box: boundingBox([rowsBox(head), box]), rows: [...cells, ...rows] };
}

/**
 * Splits a piece at gaps that may separate two cells. In a justified line, all gaps are wide, so
 * only a gap wider than the others counts.
 */
function splitIntoCells(piece: LinePiece): readonly LinePiece[] {
  if (piece.rightToLeft) return [piece];
  const wordGaps: number[] = [];
  let right = Infinity;
  for (const glyph of piece.glyphs) {
    if (glyph.text.trim() === "") continue;
    const gap = (glyph.left - right) / glyph.size;
    if (gap > MIN_WORD_GAP_EM && gap < CELL_GAP_EM) wordGaps.push(gap);
    right = glyph.right;
  }
  return splitAtGaps(piece.glyphs, Math.max(CELL_GAP_EM, 1.6 * median(wordGaps)));
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
  return rows.map((row) =>
    isStretchedLine(row.pieces) ? { ...row, pieces: [joinPieces(row.pieces)] } : row
  );
}

/**
 * Joins the lines of a cell with the row that they're centred on. They're closer to it than lines of
 * text are to each other, and in columns that the row doesn't fill.
 */
function joinCentredCells(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    for (to = from + 1; to < rows.length && isNextLine(rows[to - 1]!, rows[to]!); to++);
    const cluster = rows.slice(from, to);
    const [main] = cluster.toSorted((a, b) => b.pieces.length - a.pieces.length);
    const others = cluster.filter((row) => row !== main).flatMap((row) => row.pieces);
    const isOneRow = main!.pieces.length > 1 &&
      !others.some((piece) =>
        main!.pieces.some((cell) => cell.left < piece.right && cell.right > piece.left)
      );
    if (!isOneRow) joined.push(...cluster);
    else {
      const pieces = cluster.flatMap((row) => row.pieces);
      joined.push({
        pieces: pieces.toSorted((a, b) => a.left - b.left),
        top: Math.min(...cluster.map((row) => row.top)),
        bottom: Math.max(...cluster.map((row) => row.bottom)),
      });
    }
  }
  return joined;
}

function isNextLine({ pieces: [above] }: Row, { pieces: [below] }: Row): boolean {
  return below!.baseline - above!.baseline < MAX_CENTRED_STEP_EM * below!.size;
}

/**
 * Checks whether a row is a line of text that's stretched to the width of its column. Its gaps are
 * wide but equal, and most of its words start with a small letter.
 */
function isStretchedLine(pieces: readonly LinePiece[]): boolean {
  const words = pieces.flatMap((piece) => piece.text.split(" "));
  const small = words.filter((word) => /^\p{Ll}/u.test(word)).length;
  if (words.length < 4 || small < 0.5 * words.length) return false;
  const gaps: number[] = [];
  let right = Infinity;
  for (const glyph of pieces.flatMap((piece) => piece.glyphs)) {
    if (glyph.text.trim() === "") continue;
    const gap = (glyph.left - right) / glyph.size;
    if (gap > MIN_WORD_GAP_EM) gaps.push(gap);
    right = glyph.right;
  }
  return Math.max(...gaps) < MAX_STRETCH_RATIO * Math.min(...gaps);
}

function joinPieces(pieces: readonly LinePiece[]): LinePiece {
  return createPiece(pieces.flatMap((piece) => piece.glyphs))!;
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
    return to > from && row !== undefined &&
      ((isSectionRow(rows, to) && (isBetweenRules(row, rules) || isBetweenNumbers(rows, to))) ||
        isWrappedCell(rows, to));
  }
  if (to === from || above === undefined) return true;
  const size = median(row.pieces.map((piece) => piece.size));
  return row.top - above.bottom < 1.6 * size || isBetweenRules(row, rules);
}

/** Checks whether a row may be the title of the rows below it: short, and directly above them. */
function isSectionRow(rows: readonly Row[], at: number): boolean {
  const [row, above, below] = [rows[at], rows[at - 1], rows[at + 1]];
  if (row === undefined || above === undefined || below === undefined) return false;
  const [box, table] = [boundingBox(row.pieces), boundingBox(above.pieces)];
  return below.pieces.length > 1 && box.right - box.left < 0.6 * (table.right - table.left);
}

/**
 * Checks whether a row is as close to both of its neighbours as rows are, and the numbers below it
 * are in the columns of those above. A table that begins there would have a header first.
 */
function isBetweenNumbers(rows: readonly Row[], at: number): boolean {
  const [row, above, below] = [rows[at]!, rows[at - 1]!, rows[at + 1]!];
  const size = row.pieces[0]!.size;
  if (row.top - above.bottom > 0.7 * size || below.top - row.bottom > 0.7 * size) return false;
  const [, ...upper] = above.pieces;
  return upper.length > 0 && below.pieces.slice(1).every((cell) =>
    /^[^\p{L}]+$/u.test(cell.text) &&
    upper.some((other) =>
      Math.abs(other.right - cell.right) < 0.5 * size ||
      Math.abs(other.left - cell.left) < 0.5 * size
    )
  );
}

/** Checks whether a row is the next line of a cell in the row above. */
function isWrappedCell(rows: readonly Row[], at: number): boolean {
  const [row, above, below] = [rows[at], rows[at - 1], rows[at + 1]];
  const piece = row?.pieces[0];
  if (piece === undefined || above === undefined || piece.top - above.bottom > 0.5 * piece.size) {
    return false;
  }
  const over = above.pieces.filter((cell) => cell.left < piece.right && cell.right > piece.left);
  if (over.length !== 1 || Math.abs(over[0]!.left - piece.left) > 0.3 * piece.size) return false;
  // Below the first cell, it may as well be the text after the table.
  return over[0] !== above.pieces[0] || (below?.pieces.length ?? 0) > 1;
}

/** Checks whether a row is between two wide horizontal rules, as is typical of printed tables. */
function isBetweenRules(row: Row, rules: readonly Rule[]): boolean {
  const wide = rules.filter((rule) =>
    rule.horizontal && rule.left <= (row.pieces[0]?.left ?? 0) + 4 && rule.right - rule.left > 100
  );
  return wide.some((rule) => rule.top < row.top + 2 && row.top - rule.top < 200) &&
    wide.some((rule) => rule.top > row.bottom - 2 && rule.top - row.bottom < 200);
}

function buildTable(rows: readonly Row[], rules: readonly Rule[]): AlignedTable | undefined {
  const multiCellRows = rows.filter((row) => row.pieces.length >= 2);
  if (multiCellRows.length < MIN_TABLE_ROWS) return undefined;
  const columns = findColumns(rows);
  if (columns.length < 2 || columns.length > 40) return undefined;
  const pieces = rows.flatMap((row) => row.pieces);
  const widths = pieces.map((piece) => (piece.right - piece.left) / piece.size);
  const width = widths.reduce((sum, width) => sum + width, 0) / widths.length;
  if (width > MAX_MEAN_CELL_WIDTH_EM) return undefined;
  const columnCounts = multiCellRows.map((row) =>
    new Set(row.pieces.map((piece) => columnIndex(columns, piece))).size
  );
  // Most rows must fill the same columns. Words with accidental gaps between them don't.
  const agreeing =
    columnCounts.filter((count) => count >= Math.max(2, 0.6 * columns.length)).length;
  if (agreeing < 0.6 * rows.length) return undefined;
  if (columns.length === 2 && isListOrProse(multiCellRows, columns)) return undefined;
  const rightToLeft = isRightToLeft(pieces.map((piece) => piece.text).join(" "));
  const box = boundingBox(pieces);
  const headRows = countHeadRows(rows, box, rules);
  const body = rows.slice(headRows);
  const texts = body.map((row) =>
    columns.map((_, index) =>
      cellText(row.pieces.filter((piece) => columnIndex(columns, piece) === index))
    )
  );
  const cells = [
    ...headCells(rows.slice(0, headRows), body[0], columns, rules),
    ...joinWrappedRows(texts, body).map((row) => row.map((text) => textCell(text))),
  ];
  if (rightToLeft) { for (const row of cells) row.reverse(); }
  return { box, rows: cells, columns, rightToLeft };
}

/**
 * Joins the continuation of wrapped cells with the row above. A row is a continuation if it's closer
 * to the row above than rows are, or if its first cell is empty and it isn't further away.
 */
function joinWrappedRows(cells: readonly string[][], rows: readonly Row[]): string[][] {
  const steps = rows.map((row, index) => row.top - (rows[index - 1]?.top ?? row.top));
  const usualStep = median(steps.filter((_, index) => index > 0 && cells[index]?.[0] !== ""));
  const joined: string[][] = [];
  cells.forEach((row, index) => {
    const previous = joined.at(-1);
    const step = steps[index] ?? 0;
    const isBelowText = previous !== undefined && row[0] === "" && step < 0.95 * usualStep &&
      row.every((text, column) => text === "" || previous[column] !== "");
    // Lines of a cell are closer to each other than rows, which have some padding.
    if (previous !== undefined && (isBelowText || step < MAX_LINE_STEP_RATIO * usualStep)) {
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
    row.pieces.filter((piece) => columnIndex(columns, piece) === 0)
  );
  const right = rows.flatMap((row) =>
    row.pieces.filter((piece) => columnIndex(columns, piece) === 1)
  );
  const markerCount = left.filter((piece) => LIST_MARKER.test(piece.text.trim())).length;
  const medianLength = (side: readonly LinePiece[]) =>
    median(side.map((piece) => piece.text.length));
  return markerCount > 0.5 * left.length || medianLength(left) > 30 || medianLength(right) > 35;
}

/**
 * Returns the columns. Neighbours that are never filled in the same row are a single column, e.g.
 * the heading on the left of a column and the numbers on its right.
 */
function findColumns(rows: readonly Row[]): ColumnRange[] {
  const columns = findGaplessColumns(rows);
  const filled = columns.map((_, index) =>
    new Set(
      rows.flatMap((row, at) =>
        row.pieces.some((piece) => columnIndex(columns, piece) === index) ? [at] : []
      ),
    )
  );
  for (let index = columns.length - 2; index >= 0; index--) {
    const [left, right] = [filled[index]!, filled[index + 1]!];
    if (!left.isDisjointFrom(right) || left.size + right.size < 0.9 * rows.length) continue;
    columns.splice(index, 2, { left: columns[index]!.left, right: columns[index + 1]!.right });
    filled.splice(index, 2, left.union(right));
  }
  return columns;
}

/** Returns the columns, separated by gaps shared by all rows. */
function findGaplessColumns(rows: readonly Row[]): ColumnRange[] {
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
