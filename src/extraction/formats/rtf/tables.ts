/** Collects the cells and rows of RTF tables, including a table nested in a cell. */
import type { Budget } from "../../budget.ts";
import { append, type Block } from "../../model.ts";
import { type CellEdge, tableFromEdges, type TableRow } from "../office/cell_edges.ts";

/** A table under construction. */
interface PendingTable {
  cell: Block[];
  cells: Block[][];
  edges: CellEdge[];
  left: number;
  rows: TableRow[];
}

/** The open table in the text, and the one in its current cell. */
export class RtfTables {
  readonly #table: PendingTable = { cell: [], cells: [], edges: [], left: 0, rows: [] };
  readonly #nested: PendingTable = { cell: [], cells: [], edges: [], left: 0, rows: [] };
  #edge = { continuesAbove: false, continuesLeft: false };

  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Adds a block to the current cell of the table at `depth`. */
  add(block: Block, depth: number): void {
    (depth > 1 ? this.#nested : this.#table).cell.push(block);
  }

  /**
   * Handles a table control word.
   *
   * @param isNested Whether the word is in a nested row's properties.
   */
  controlWord(word: string, value: number | undefined, isNested: boolean): void {
    const table = isNested || word.startsWith("nest") ? this.#nested : this.#table;
    switch (word) {
      case "trowd":
        table.edges = [];
        table.left = 0;
        break;
      case "trleft":
        table.left = value ?? 0;
        break;
      case "clvmrg":
        this.#edge.continuesAbove = true;
        break;
      case "clmrg":
        this.#edge.continuesLeft = true;
        break;
      case "cellx":
        this.#budget.addElements();
        table.edges.push({ right: value ?? 0, ...this.#edge });
        this.#edge = { continuesAbove: false, continuesLeft: false };
        break;
      case "nestcell":
      case "cell":
        this.#budget.addElements();
        if (word === "cell") this.#endNested();
        table.cells.push(table.cell);
        table.cell = [];
        break;
      case "nestrow":
      case "row":
        this.#budget.addElements(1 + table.edges.length);
        table.rows.push({ left: table.left, edges: [...table.edges], cells: table.cells });
        table.cells = [];
    }
  }

  /** Ends the current table and returns its blocks. Returns nothing if there's no open table. */
  endTable(): readonly Block[] {
    const { rows } = this.#table;
    this.#table.rows = [];
    return rows.length === 0 ? [] : tableFromEdges(rows);
  }

  #endNested(): void {
    if (this.#nested.rows.length > 0) append(this.#table.cell, tableFromEdges(this.#nested.rows));
    this.#nested.rows = [];
  }
}
