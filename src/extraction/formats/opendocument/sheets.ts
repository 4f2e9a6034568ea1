/** Sheets of an OpenDocument spreadsheet: tables, drawings and comments. */
import { ExtractionError, pageLimitExceeded } from "../../error.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "../../limits.ts";
import { type Block, type ExtractedDocument, heading } from "../../model.ts";
import { child, elements, textContent, type XmlElement } from "../../xml.ts";
import { type OdfBody, tableRows } from "./body.ts";
import type { OdfStyles } from "./styles.ts";
import { type SheetCell, sheetComment, sheetContent, type SheetDrawing } from "../office/sheet.ts";

/** What lies on the cells of a sheet besides their text. */
interface SheetContext {
  readonly body: OdfBody;
  readonly drawings: SheetDrawing[];
  readonly comments: Block[];
}

/** Reads a spreadsheet of at most `maxPages` sheets. */
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
    // These are placed on the sheet, not on a cell of it.
    const loose = elements(child(sheet, "table:shapes")).flatMap((shape) => body.shape(shape));
    const own = [...sheetContent(cells, drawings), ...loose, ...comments];
    return own.length === 0 ? [] : [heading(2, sheet.attributes["table:name"] ?? ""), ...own];
  });
  return { blocks, pageCount: Math.max(1, sheets.length) };
}

/** Filled cells of a sheet. Repeats of empty cells only move on; repeats of filled ones are few. */
function sheetCells(sheet: XmlElement, context: SheetContext): SheetCell[] {
  const cells: SheetCell[] = [];
  let row = 0;
  for (const line of tableRows(sheet)) {
    const repeated = countAttribute(line, "table:number-rows-repeated");
    const own = rowCells(line, row, context);
    if (own.length > 0 && row >= MAX_SHEET_ROWS) {
      throw new ExtractionError(
        "EXTRACTED_DOCUMENT_TOO_LARGE",
        `A sheet has more than ${MAX_SHEET_ROWS} rows; split the file and upload its parts`,
      );
    }
    cells.push(...own);
    for (let more = 1; own.length > 0 && more < Math.min(repeated, 50); more++) {
      cells.push(...own.map((cell) => ({ ...cell, row: row + more })));
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
    if (column >= MAX_SHEET_COLUMNS) break;
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
        MAX_SHEET_COLUMNS - column,
        countAttribute(cell, "table:number-columns-spanned"),
      );
      for (let at = 0; text !== "" && at < Math.min(repeated, MAX_SHEET_COLUMNS - column); at++) {
        cells.push({ row, column: column + at, rowspan, colspan, text });
      }
    }
    column += repeated;
  }
  return cells;
}

function countAttribute(element: XmlElement, name: string): number {
  return Math.max(1, Number.parseInt(element.attributes[name] ?? "1", 10) || 1);
}
