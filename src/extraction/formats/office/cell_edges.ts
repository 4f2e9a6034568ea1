/** Tables whose rows say where their cells end (RTF, DOC), put on one grid of columns. */
import type { Block, Cell } from "../../model.ts";
import { unwrapSingleCell } from "../../model.ts";

/** Where a cell of a row ends, and how it is merged. */
export interface CellEdge {
  readonly right: number;
  readonly continuesAbove: boolean;
  readonly continuesLeft: boolean;
}

/** One row: edges in order, and what its cells hold. */
export interface TableRow {
  readonly left: number;
  readonly edges: readonly CellEdge[];
  readonly cells: readonly (readonly Block[])[];
}

/** Edges closer than this many twips are one. */
const SAME_EDGE_TWIPS = 40;

/** A table of rows; cells that span grid columns or rows keep their spans. */
export function tableFromEdges(rows: readonly TableRow[]): readonly Block[] {
  const grid = columnEdges(rows);
  const out: Cell[][] = [];
  const owners = new Map<number, { row: number; index: number }>();
  for (const row of rows) {
    const cells: Cell[] = [];
    let column = columnAt(grid, row.left);
    row.cells.forEach((blocks, index) => {
      const edge = row.edges[index];
      const end = edge === undefined
        ? column + 1
        : Math.max(column + 1, columnAt(grid, edge.right));
      const owner = owners.get(column);
      const above = owner === undefined ? undefined : out[owner.row]?.[owner.index];
      if (edge?.continuesAbove && owner !== undefined && above !== undefined) {
        const line = out[owner.row];
        if (line !== undefined) {
          line[owner.index] = { ...above, rowspan: out.length - owner.row + 1 };
        }
      } else if (edge?.continuesLeft && cells.length > 0) {
        const last = cells.pop();
        if (last !== undefined) {
          cells.push({ ...last, colspan: (last.colspan ?? 1) + end - column });
        }
      } else {
        owners.set(column, { row: out.length, index: cells.length });
        cells.push({ blocks, colspan: end - column });
      }
      column = end;
    });
    out.push(cells);
  }
  return unwrapSingleCell(out);
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
