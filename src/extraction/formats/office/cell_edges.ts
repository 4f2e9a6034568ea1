/** Builds tables from rows with cell edges (RTF, DOC) by aligning them to a column grid. */
import type { Block, Cell } from "../../model.ts";
import { unwrapSingleCell } from "../../model.ts";

/** A cell's right edge and merges. */
export interface CellEdge {
  readonly right: number;
  readonly continuesAbove: boolean;
  readonly continuesLeft: boolean;
}

/** A row: its edges in order, and its cells' content. */
export interface TableRow {
  readonly left: number;
  readonly edges: readonly CellEdge[];
  readonly cells: readonly (readonly Block[])[];
}

/** How far apart two edges can be and still count as the same, in twips. */
const SAME_EDGE_TWIPS = 40;

/** Returns a table's blocks. Cells that cover several grid columns or rows have spans. */
export function tableFromEdges(rows: readonly TableRow[]): readonly Block[] {
  const grid = columnEdges(rows);
  const cellRows: Cell[][] = [];
  const origins = new Map<number, { row: number; index: number }>();
  for (const row of rows) {
    const cells: Cell[] = [];
    let column = columnAt(grid, row.left);
    row.cells.forEach((blocks, index) => {
      const edge = row.edges[index];
      const end = edge === undefined
        ? column + 1
        : Math.max(column + 1, columnAt(grid, edge.right));
      const origin = origins.get(column);
      const above = origin === undefined ? undefined : cellRows[origin.row]?.[origin.index];
      if (edge?.continuesAbove && origin !== undefined && above !== undefined) {
        const originRow = cellRows[origin.row];
        if (originRow !== undefined) {
          originRow[origin.index] = { ...above, rowspan: cellRows.length - origin.row + 1 };
        }
      } else if (edge?.continuesLeft && cells.length > 0) {
        const last = cells.pop();
        if (last !== undefined) {
          cells.push({ ...last, colspan: (last.colspan ?? 1) + end - column });
        }
      } else {
        origins.set(column, { row: cellRows.length, index: cells.length });
        cells.push({ blocks, colspan: end - column });
      }
      column = end;
    });
    cellRows.push(cells);
  }
  return unwrapSingleCell(cellRows);
}

function columnEdges(rows: readonly TableRow[]): number[] {
  const all = rows.flatMap((row) => [row.left, ...row.edges.map((edge) => edge.right)]);
  const edges: number[] = [];
  for (const edge of all.sort((a, b) => a - b)) {
    if (edge - (edges.at(-1) ?? -Infinity) > SAME_EDGE_TWIPS) edges.push(edge);
  }
  return edges;
}

function columnAt(edges: readonly number[], position: number): number {
  let column = 0;
  while (column + 1 < edges.length && (edges[column + 1] ?? 0) <= position + SAME_EDGE_TWIPS) {
    column++;
  }
  return column;
}
