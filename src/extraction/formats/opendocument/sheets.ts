/** Reads an OpenDocument spreadsheet's sheets: tables, drawings and comments. */
import { pageLimitExceeded } from "../../error.ts";
import { MAX_SHEET_ROWS, MAX_TABLE_COLUMNS } from "../../limits.ts";
import { type Block, type ExtractedDocument, heading } from "../../model.ts";
import { child, elements, textContent, type XmlElement } from "../../xml.ts";
import { type OdfBody, tableRows } from "./body.ts";
import type { OdfStyles } from "./styles.ts";
import { type SheetCell, sheetComment, sheetContent, type SheetDrawing } from "../office/sheet.ts";
import { tooManyRows } from "../office/sheet_gaps.ts";

/** Readers and results shared by a sheet's cells. */
interface SheetContext {
  readonly body: OdfBody;
  readonly drawings: SheetDrawing[];
  readonly comments: Block[];
}

/**
 * Reads a spreadsheet. Throws DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` visible
 * sheets.
 */
export function readOdfSpreadsheet(
  root: XmlElement,
  { body, styles, maxPages }: { body: OdfBody; styles: OdfStyles; maxPages: number },
): ExtractedDocument {
  const sheets = elements(root, "table:table")
    .filter((sheet) => !styles.isTableHidden(sheet.attributes["table:style-name"]));
  if (sheets.length > maxPages) throw pageLimitExceeded(sheets.length, "sheets", maxPages);
  const blocks = sheets.flatMap((sheet) => {
    const [drawings, comments]: [SheetDrawing[], Block[]] = [[], []];
    const cells = sheetCells(sheet, { body, drawings, comments });
    // Anchored to the sheet rather than a cell.
    const sheetShapes = elements(child(sheet, "table:shapes")).flatMap((shape) =>
      body.shape(shape)
    );
    const content = [...sheetContent(cells, drawings), ...sheetShapes, ...comments];
    return content.length === 0
      ? []
      : [heading(2, sheet.attributes["table:name"] ?? ""), ...content];
  });
  return { blocks, pageCount: Math.max(1, sheets.length) };
}

/**
 * Returns a sheet's filled cells. Repeated empty rows only advance the row number; filled rows are
 * written at most 50 times.
 */
function sheetCells(sheet: XmlElement, context: SheetContext): SheetCell[] {
  const cells: SheetCell[] = [];
  let [row, filledRows] = [0, 0];
  for (const line of tableRows(sheet)) {
    const repeated = countAttribute(line, "table:number-rows-repeated");
    const filledCells = rowCells(line, row, context);
    if (filledCells.length > 0 && ++filledRows > MAX_SHEET_ROWS) throw tooManyRows();
    cells.push(...filledCells);
    for (let copy = 1; filledCells.length > 0 && copy < Math.min(repeated, 50); copy++) {
      cells.push(...filledCells.map((cell) => ({ ...cell, row: row + copy })));
    }
    row += repeated;
  }
  return cells;
}

function rowCells(line: XmlElement, row: number, context: SheetContext): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = 0;
  for (const cell of elements(line)) {
    const repeated = countAttribute(cell, "table:number-columns-repeated");
    if (cell.name === "table:table-cell") {
      for (const inner of elements(cell)) {
        if (inner.name.startsWith("draw:")) {
          context.drawings.push({ row, column, blocks: context.body.shape(inner) });
        } else if (inner.name === "office:annotation") {
          const text = elements(inner, "text:p").map(textContent).join("\n");
          const author = textContent(child(inner, "dc:creator")).trim();
          context.comments.push(...sheetComment(author, text));
        }
      }
      const text = elements(cell, "text:p").map(textContent).join(" ").trim();
      const rowspan = Math.min(1_000, countAttribute(cell, "table:number-rows-spanned"));
      const colspan = Math.min(
        MAX_TABLE_COLUMNS,
        countAttribute(cell, "table:number-columns-spanned"),
      );
      // One more than a table can have is enough to reject the row.
      const copies = text === ""
        ? 0
        : Math.min(repeated, Math.max(1, MAX_TABLE_COLUMNS + 1 - cells.length));
      for (let copy = 0; copy < copies; copy++) {
        cells.push({ row, column: column + copy, rowspan, colspan, text });
      }
    }
    column += repeated;
  }
  return cells;
}

function countAttribute(element: XmlElement, name: string): number {
  return Math.max(1, Number.parseInt(element.attributes[name] ?? "1", 10) || 1);
}
