/** Splits a sheet into tables. Each island of filled cells is a table of its own. */
import { tooManyCells } from "../../budget.ts";
import type { Block, Cell } from "../../model.ts";
import { append, isRepeatedInSpan, paragraph, textCell } from "../../model.ts";
import { MAX_TABLE_CELLS, MAX_TABLE_COLUMNS } from "../../limits.ts";
import { closeGaps } from "./sheet_gaps.ts";

/** A filled cell. Includes the area covered, if merged. */
export interface SheetCell {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
  readonly text: string;
}

/** A chart or picture on a sheet, anchored to a cell. */
export interface SheetDrawing {
  readonly row: number;
  readonly column: number;
  readonly blocks: readonly Block[];
}

/** Returns the number of table cells in `blocks`. */
export function countTableCells(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, block) =>
      sum + (block.kind === "table" ? block.rows.length * (block.rows[0]?.length ?? 0) : 0),
    0,
  );
}

interface Island {
  top: number;
  left: number;
  bottom: number;
  right: number;
  cells: SheetCell[];
}

/**
 * Returns a sheet's tables and drawings, ordered by first cell: top to bottom, then left to right.
 * Throws EXTRACTED_DOCUMENT_TOO_LARGE if there are too many rows, columns or cells.
 */
export function sheetContent(
  cells: readonly SheetCell[],
  drawings: readonly SheetDrawing[],
): Block[] {
  const sheet = closeGaps(cells);
  const tables = islands(sheet.cells).map((island): SheetDrawing => ({
    row: sheet.rows[island.top] ?? 0,
    column: sheet.columns[island.left] ?? 0,
    blocks: islandBlocks(island),
  }));
  return [...tables, ...drawings]
    .sort((a, b) => a.row - b.row || a.column - b.column)
    .flatMap((part) => part.blocks);
}

/** Returns a cell comment, including its author if there is one. Returns nothing if it's empty. */
export function sheetComment(author: string, comment: string): Block[] {
  // Remove the notice meant for programs without support for threaded comments.
  const text = comment.replace(/^\[Threaded comment\].*?Comment:\s*/s, "").trim();
  if (text === "") return [];
  return [paragraph(author === "" ? `Comment: ${text}` : `Comment (${author}): ${text}`)];
}

/** Groups cells that share a side. Islands with overlapping bounds are merged. */
function islands(cells: readonly SheetCell[]): Island[] {
  const cellAt = new Map<number, number>();
  const parents: number[] = [];
  const root = (index: number): number => {
    let current = index;
    while (parents[current] !== current) current = parents[current] ?? current;
    parents[index] = current;
    return current;
  };
  const keyOf = (row: number, column: number) => row * (MAX_TABLE_COLUMNS + 1) + column;
  cells.forEach((cell, index) => {
    parents.push(index);
    for (let row = cell.row; row < cell.row + cell.rowspan; row++) {
      for (let column = cell.column; column < cell.column + cell.colspan; column++) {
        cellAt.set(keyOf(row, column), index);
      }
    }
  });
  for (const [key, index] of cellAt) {
    for (const next of [key + 1, key + MAX_TABLE_COLUMNS + 1]) {
      const other = cellAt.get(next);
      if (other !== undefined) parents[root(other)] = root(index);
    }
  }
  const groups = new Map<number, Island>();
  cells.forEach((cell, index) => {
    const key = root(index);
    const island = groups.get(key);
    const [bottom, right] = [cell.row + cell.rowspan, cell.column + cell.colspan];
    if (island === undefined) {
      groups.set(key, { top: cell.row, left: cell.column, bottom, right, cells: [cell] });
    } else extend(island, { top: cell.row, left: cell.column, bottom, right, cells: [cell] });
  });
  return mergeOverlapping([...groups.values()]);
}

function extend(island: Island, other: Island): void {
  island.top = Math.min(island.top, other.top);
  island.left = Math.min(island.left, other.left);
  island.bottom = Math.max(island.bottom, other.bottom);
  island.right = Math.max(island.right, other.right);
  append(island.cells, other.cells);
}

function mergeOverlapping(merged: Island[]): Island[] {
  // Merging takes quadratic time, and a sheet with this many islands is really one table with
  // holes.
  if (merged.length > 300) {
    const [first, ...rest] = merged;
    if (first === undefined) return [];
    for (const island of rest) extend(first, island);
    return [first];
  }
  for (let changed = true; changed;) {
    changed = false;
    for (let a = 0; a < merged.length; a++) {
      for (let b = merged.length - 1; b > a; b--) {
        const [first, second] = [merged[a], merged[b]];
        if (first === undefined || second === undefined || !overlap(first, second)) continue;
        extend(first, second);
        merged.splice(b, 1);
        changed = true;
      }
    }
  }
  return merged;
}

function overlap(a: Island, b: Island): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/**
 * Returns an island's blocks. A cell merged across the full width is used as the title of the table
 * below it.
 */
function islandBlocks(island: Island): Block[] {
  const width = island.right - island.left;
  const title = island.cells.find((cell) => cell.row === island.top);
  if (title === undefined || width < 2 || title.colspan < width || title.rowspan > 1) {
    return [{ kind: "table", rows: islandRows(island) }];
  }
  const cells = island.cells.filter((cell) => cell.row > island.top);
  if (cells.length === 0) return [paragraph(title.text)];
  const rest = islandRows({ ...island, top: island.top + 1, cells });
  return [paragraph(title.text), { kind: "table", rows: rest }];
}

/** Returns an island's rows. Throws EXTRACTED_DOCUMENT_TOO_LARGE if they have too many cells. */
function islandRows(island: Island): Cell[][] {
  // Rows and cells without text are left out at first, since an island can be mostly holes.
  const lines: string[][] = [];
  for (const cell of island.cells) {
    for (let row = 0; row < cell.rowspan; row++) {
      for (let column = 0; column < cell.colspan; column++) {
        if (row + column > 0 && !isRepeatedInSpan(cell.text)) continue;
        const line = lines[cell.row - island.top + row] ??= [];
        line[cell.column - island.left + column] = cell.text;
      }
    }
  }
  const filled = lines.filter((line) => line.some((text) => text !== ""));
  const width = island.right - island.left;
  if (filled.length * width > MAX_TABLE_CELLS) throw tooManyCells();
  return filled.map((line) =>
    Array.from({ length: width }, (_, column) => textCell(line[column] ?? ""))
  );
}
