/** One sheet of cells → tables: each island of filled cells is a table of its own. */
import type { Block, Cell } from "../../model.ts";
import { paragraph, textCell } from "../../model.ts";
import { MAX_SHEET_COLUMNS } from "../../limits.ts";

/** A filled cell, with the area it covers when merged. */
export interface SheetCell {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
  readonly text: string;
}

/** What lies on the cells of a sheet, a chart or a picture, from this cell on. */
export interface SheetDrawing {
  readonly row: number;
  readonly column: number;
  readonly blocks: readonly Block[];
}

/** How many cells the tables among some blocks have. */
export function countTableCells(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, one) => sum + (one.kind === "table" ? one.rows.length * (one.rows[0]?.length ?? 0) : 0),
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

/** Tables and drawings of a sheet, by the cells they begin at: top to bottom, left to right. */
export function sheetContent(
  cells: readonly SheetCell[],
  drawings: readonly SheetDrawing[],
): Block[] {
  const tables = islands(cells).map((island): SheetDrawing => ({
    row: island.top,
    column: island.left,
    blocks: islandBlocks(island),
  }));
  return [...tables, ...drawings]
    .sort((a, b) => a.row - b.row || a.column - b.column)
    .flatMap((one) => one.blocks);
}

/** A comment on a cell, with its author when known; nothing when it is empty. */
export function sheetComment(author: string, comment: string): Block[] {
  // Programs that know no threads are told so in front of the text.
  const text = comment.replace(/^\[Threaded comment\].*?Comment:\s*/s, "").trim();
  if (text === "") return [];
  return [paragraph(author === "" ? `Comment: ${text}` : `Comment (${author}): ${text}`)];
}

/** Groups of cells that touch by their sides; islands whose frames overlap are one. */
function islands(cells: readonly SheetCell[]): Island[] {
  const owner = new Map<number, number>();
  const parents: number[] = [];
  const root = (index: number): number => {
    let at = index;
    while (parents[at] !== at) at = parents[at] ?? at;
    parents[index] = at;
    return at;
  };
  const place = (row: number, column: number) => row * (MAX_SHEET_COLUMNS + 1) + column;
  cells.forEach((cell, index) => {
    parents.push(index);
    for (let row = cell.row; row < cell.row + cell.rowspan; row++) {
      for (let column = cell.column; column < cell.column + cell.colspan; column++) {
        owner.set(place(row, column), index);
      }
    }
  });
  for (const [at, index] of owner) {
    for (const next of [at + 1, at + MAX_SHEET_COLUMNS + 1]) {
      const other = owner.get(next);
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
  island.cells.push(...other.cells);
}

function mergeOverlapping(found: Island[]): Island[] {
  // Quadratic, and a sheet of thousands of islands is one table with holes anyway.
  if (found.length > 300) {
    const [first, ...rest] = found;
    if (first === undefined) return [];
    for (const island of rest) extend(first, island);
    return [first];
  }
  for (let changed = true; changed;) {
    changed = false;
    for (let a = 0; a < found.length; a++) {
      for (let b = found.length - 1; b > a; b--) {
        const [one, other] = [found[a], found[b]];
        if (one === undefined || other === undefined || !overlap(one, other)) continue;
        extend(one, other);
        found.splice(b, 1);
        changed = true;
      }
    }
  }
  return found;
}

function overlap(a: Island, b: Island): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A cell merged over the whole width is the title of the table under it. */
function islandBlocks(island: Island): Block[] {
  const width = island.right - island.left;
  const title = island.cells.find((cell) => cell.row === island.top);
  if (title === undefined || width < 2 || title.colspan < width || title.rowspan > 1) {
    return [{ kind: "table", rows: islandRows(island) }];
  }
  const cells = island.cells.filter((cell) => cell !== title);
  if (cells.length === 0) return [paragraph(title.text)];
  const rest = islandRows({ ...island, top: island.top + 1, cells });
  return [paragraph(title.text), { kind: "table", rows: rest }];
}

function islandRows(island: Island): Cell[][] {
  const texts: string[][] = Array.from(
    { length: island.bottom - island.top },
    () => new Array<string>(island.right - island.left).fill(""),
  );
  for (const cell of island.cells) {
    for (let row = 0; row < cell.rowspan; row++) {
      for (let column = 0; column < cell.colspan; column++) {
        const line = texts[cell.row - island.top + row];
        if (line !== undefined) line[cell.column - island.left + column] = cell.text;
      }
    }
  }
  return texts.filter((row) => row.some((text) => text !== "")).map((row) =>
    row.map((text) => textCell(text))
  );
}
