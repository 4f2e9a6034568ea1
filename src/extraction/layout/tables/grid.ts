/** A ruled table as a grid of elementary cells, some of which are merged. */
import type { Box } from "../geometry.ts";
import type { Rule } from "../page.ts";

/** Maximum distance, in points, between lines that count as one. */
export const LINE_TOLERANCE_POINTS = 3;

/** A table's lines as a grid of elementary cells. */
export class Grid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly #rules: readonly Rule[];

  constructor(xs: readonly number[], ys: readonly number[], rules: readonly Rule[]) {
    this.xs = xs;
    this.ys = ys;
    this.#rules = rules;
  }

  /** Returns the grid with more lines between its cells. */
  withRules(rules: readonly Rule[]): Grid {
    return rules.length === 0 ? this : new Grid(this.xs, this.ys, [...this.#rules, ...rules]);
  }

  get columns(): number {
    return this.xs.length - 1;
  }

  get rows(): number {
    return this.ys.length - 1;
  }

  /** Checks whether there's a line to the right of the elementary cell (row, column). */
  isClosedRight(row: number, column: number): boolean {
    if (column >= this.columns - 1) return true;
    const x = this.xs[column + 1] ?? 0;
    const [from, to] = [this.ys[row] ?? 0, this.ys[row + 1] ?? 0];
    return isCovered(
      from,
      to,
      this.#rules.filter((rule) =>
        !rule.horizontal && Math.abs(rule.left - x) <= LINE_TOLERANCE_POINTS
      )
        .map((rule) => [rule.top, rule.bottom]),
    );
  }

  /** Checks whether there's a line below the elementary cell (row, column). */
  isClosedBelow(row: number, column: number): boolean {
    if (row >= this.rows - 1) return true;
    const y = this.ys[row + 1] ?? 0;
    const [from, to] = [this.xs[column] ?? 0, this.xs[column + 1] ?? 0];
    return isCovered(
      from,
      to,
      this.#rules.filter((rule) =>
        rule.horizontal && Math.abs(rule.top - y) <= LINE_TOLERANCE_POINTS
      )
        .map((rule) => [rule.left, rule.right]),
    );
  }
}

/**
 * Checks whether ranges cover more than `minShare` of the distance between `from` and `to`.
 * Defaults to half.
 */
export function isCovered(
  from: number,
  to: number,
  ranges: readonly (readonly [number, number])[],
  minShare = 0.5,
): boolean {
  let coveredLength = 0;
  let reached = from;
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const added = Math.min(to, end) - Math.max(reached, start);
    if (added > 0) coveredLength += added;
    reached = Math.max(reached, Math.min(to, end));
  }
  return coveredLength > minShare * (to - from);
}

/** A cell, which may be merged from several elementary ones. */
export interface CellArea {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
}

/** Returns the cells in reading order. Elementary cells without a line in between are merged. */
export function findCellAreas(grid: Grid): CellArea[] {
  const covered = new Set<number>();
  const areas: CellArea[] = [];
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      if (covered.has(row * grid.columns + column)) continue;
      let [colspan, rowspan] = [1, 1];
      while (!grid.isClosedRight(row, column + colspan - 1)) colspan++;
      while (!grid.isClosedBelow(row + rowspan - 1, column)) rowspan++;
      for (let y = row; y < row + rowspan; y++) {
        for (let x = column; x < column + colspan; x++) covered.add(y * grid.columns + x);
      }
      areas.push({ row, column, rowspan, colspan });
    }
  }
  return areas;
}

/** Returns the area between the outer lines of a grid. */
export function gridBox(xs: readonly number[], ys: readonly number[]): Box {
  return { left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0 };
}

/** Returns the area of a cell. */
export function areaBox({ xs, ys }: Grid, { row, column, rowspan, colspan }: CellArea): Box {
  return gridBox(xs.slice(column, column + colspan + 1), ys.slice(row, row + rowspan + 1));
}

/** Returns the numbers of a cell's elementary cells. */
export function cellIndexes({ row, column, rowspan, colspan }: CellArea, grid: Grid): number[] {
  return Array.from(
    { length: rowspan * colspan },
    (_, index) => (row + Math.floor(index / colspan)) * grid.columns + column + index % colspan,
  );
}
