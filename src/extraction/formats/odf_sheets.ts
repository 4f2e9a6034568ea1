/** Sheets of an OpenDocument spreadsheet: tables, drawings and comments. */
import { ExtractionError, pageLimitExceeded } from "../error.ts";
import { MOST_SHEET_COLUMNS, MOST_SHEET_ROWS } from "../limits.ts";
import { type Block, type ExtractedDocument, heading } from "../model.ts";
import { child, elements, textOf, type XmlElement } from "../xml.ts";
import { type OdfBody, tableRows } from "./odf_body.ts";
import type { OdfStyles } from "./odf_styles.ts";
import { type SheetCell, sheetComment, sheetContent, type SheetDrawing } from "./sheet.ts";

/** What lies on the cells of a sheet besides their text. */
interface Beside {
  readonly body: OdfBody;
  readonly drawings: SheetDrawing[];
  readonly comments: Block[];
}

/** Reads a spreadsheet of at most `maxPages` sheets. */
export function sheetDocument(
  root: XmlElement,
  { body, styles, maxPages }: { body: OdfBody; styles: OdfStyles; maxPages: number },
): ExtractedDocument {
  const sheets = elements(root, "table:table")
    .filter((sheet) => !styles.hidesTable(sheet.attributes["table:style-name"]));
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
function sheetCells(sheet: XmlElement, beside: Beside): SheetCell[] {
  const cells: SheetCell[] = [];
  let row = 0;
  for (const line of tableRows(sheet)) {
    const repeated = count(line, "table:number-rows-repeated");
    const own = rowCells(line, row, beside);
    if (own.length > 0 && row >= MOST_SHEET_ROWS) {
      throw new ExtractionError(
        "EXTRACTED_DOCUMENT_TOO_LARGE",
        `A sheet has more than ${MOST_SHEET_ROWS} rows; split the file and upload its parts`,
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

function rowCells(line: XmlElement, row: number, beside: Beside): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = 0;
  for (const cell of elements(line)) {
    const repeated = count(cell, "table:number-columns-repeated");
    if (column >= MOST_SHEET_COLUMNS) break;
    if (cell.name === "table:table-cell") {
      for (const inner of elements(cell)) {
        if (inner.name.startsWith("draw:")) {
          beside.drawings.push({ row, column, blocks: beside.body.shape(inner) });
        } else if (inner.name === "office:annotation") {
          const text = elements(inner, "text:p").map(textOf).join("\n");
          const author = textOf(child(inner, "dc:creator")).trim();
          beside.comments.push(...sheetComment(author, text));
        }
      }
      const text = elements(cell, "text:p").map(textOf).join(" ").trim();
      const rowspan = Math.min(1_000, count(cell, "table:number-rows-spanned"));
      const colspan = Math.min(
        MOST_SHEET_COLUMNS - column,
        count(cell, "table:number-columns-spanned"),
      );
      for (let at = 0; text !== "" && at < Math.min(repeated, MOST_SHEET_COLUMNS - column); at++) {
        cells.push({ row, column: column + at, rowspan, colspan, text });
      }
    }
    column += repeated;
  }
  return cells;
}

function count(element: XmlElement, name: string): number {
  return Math.max(1, Number.parseInt(element.attributes[name] ?? "1", 10) || 1);
}
