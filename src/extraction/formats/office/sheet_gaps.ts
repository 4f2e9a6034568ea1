/** Closes the gaps between the filled rows and columns of a sheet, so that padding costs nothing. */
import { tooManyColumns } from "../../budget.ts";
import { ExtractionError } from "../../error.ts";
import { MAX_SHEET_ROWS, MAX_TABLE_COLUMNS } from "../../limits.ts";
import type { SheetCell } from "./sheet.ts";

/** A sheet whose gaps are one row or column wide, and where its rows and columns were before. */
export interface GaplessSheet {
  readonly cells: readonly SheetCell[];
  /** Original rows and columns, by the new ones. Gaps are left out. */
  readonly rows: readonly (number | undefined)[];
  readonly columns: readonly (number | undefined)[];
}

/**
 * Closes the gaps in a sheet.
 *
 * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if there are too many filled rows, or too many
 *   columns (a gap between filled ones counts as one)
 */
export function closeGaps(cells: readonly SheetCell[]): GaplessSheet {
  const [usedRows, usedColumns] = [new Set<number>(), new Set<number>()];
  for (const { row, rowspan, column, colspan } of cells) {
    for (let at = row; at < row + rowspan; at++) usedRows.add(at);
    for (let at = column; at < column + colspan; at++) usedColumns.add(at);
  }
  if (usedRows.size > MAX_SHEET_ROWS) throw tooManyRows();
  const [rows, columns] = [numbered(usedRows), numbered(usedColumns)];
  const moved: SheetCell[] = [];
  for (const cell of cells) {
    const column = columns.get(cell.column)!;
    if (column >= MAX_TABLE_COLUMNS) throw tooManyColumns();
    const colspan = Math.min(cell.colspan, MAX_TABLE_COLUMNS - column);
    moved.push({ ...cell, row: rows.get(cell.row)!, column, colspan });
  }
  return { cells: moved, rows: inverse(rows), columns: inverse(columns) };
}

/** Returns the error for a sheet with too many rows. */
export function tooManyRows(): ExtractionError {
  return new ExtractionError(
    "EXTRACTED_DOCUMENT_TOO_LARGE",
    `A sheet has more than ${MAX_SHEET_ROWS} rows; split the file and upload the parts`,
  );
}

/** Numbers the used positions in order, leaving out one number for each gap. */
function numbered(used: ReadonlySet<number>): Map<number, number> {
  const numbers = new Map<number, number>();
  let [previous, next] = [-1, 0];
  for (const position of [...used].sort((a, b) => a - b)) {
    if (position > previous + 1) next++;
    numbers.set(position, next++);
    previous = position;
  }
  return numbers;
}

function inverse(numbers: ReadonlyMap<number, number>): (number | undefined)[] {
  const originals: number[] = [];
  for (const [original, number] of numbers) originals[number] = original;
  return originals;
}
