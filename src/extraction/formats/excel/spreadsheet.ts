/** XLSX and XLS: cells as they are shown (SheetJS reads them), charts and comments beside them. */
import * as xlsx from "@e965/xlsx";
import * as codePages from "@e965/xlsx/dist/cpexcel.full.mjs";
import type { Budget } from "../../budget.ts";
import { corrupt, ExtractionError, pageLimitExceeded } from "../../error.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "../../limits.ts";
import type { Block, ExtractedDocument } from "../../model.ts";
import { heading } from "../../model.ts";
import type { ZipArchive } from "../../zip.ts";
import { type SheetCell, sheetComment, sheetContent } from "../office/sheet.ts";
import { storedZip } from "./stored_zip.ts";
import { type SheetCellLookup, xlsDrawings } from "./xls_drawings.ts";
import { xlsxDrawings } from "./xlsx_drawings.ts";

xlsx.set_cptable(codePages);

const MAX_MERGED_CELLS = 5_000;

/** Reads a workbook; `zip` is its package when it is an XLSX. */
export function readSpreadsheet(
  bytes: Uint8Array,
  zip: ZipArchive | undefined,
  { maxPages, budget }: { readonly maxPages: number; readonly budget: Budget },
): ExtractedDocument {
  // Pictures and printer settings are not looked at, so they are not even unpacked.
  const isRead = (name: string) => /\.(?:xml|rels)$/i.test(name);
  const book = openWorkbook(zip === undefined ? bytes : storedZip(zip, isRead));
  const shown = book.SheetNames.filter((_, index) => !book.Workbook?.Sheets?.[index]?.Hidden);
  if (shown.length > maxPages) {
    throw pageLimitExceeded(shown.length, "sheets", maxPages);
  }
  const drawings = zip === undefined
    ? xlsDrawings(bytes, sheetCellLookup(book), budget)
    : xlsxDrawings(zip, budget);
  const blocks: Block[] = [];
  for (const name of shown) {
    const sheet = book.Sheets[name];
    const cells = sheet === undefined ? [] : sheetCells(sheet);
    const all = [
      ...sheetContent(cells, drawings.get(name) ?? []),
      ...sheet === undefined ? [] : commentBlocks(sheet),
    ];
    if (all.length > 0) blocks.push(heading(2, name), ...all);
  }
  return { blocks, pageCount: Math.max(1, shown.length) };
}

function openWorkbook(bytes: Uint8Array): xlsx.WorkBook {
  try {
    return xlsx.read(bytes, {
      type: "array",
      dense: true,
      cellDates: false,
      cellText: true,
      cellHTML: false,
      cellFormula: false,
      sheetRows: MAX_SHEET_ROWS + 1,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/password|encrypt/i.test(message)) {
      throw new ExtractionError("DOCUMENT_ENCRYPTED", "The workbook needs a password");
    }
    throw corrupt("The workbook is damaged and cannot be read", error);
  }
}

type DenseRows = readonly (readonly (xlsx.CellObject | undefined)[] | undefined)[];

/** Rows of a sheet. Never through its declared range: two cells can declare 17 billion. */
function rowsOf(sheet: xlsx.WorkSheet): DenseRows {
  const rows: unknown = Reflect.get(sheet, "!data");
  return Array.isArray(rows) ? rows as DenseRows : [];
}

function sheetCells(sheet: xlsx.WorkSheet): SheetCell[] {
  const merges = new Map<string, { rowspan: number; colspan: number }>();
  for (const { s, e } of sheet["!merges"] ?? []) {
    // A merge over whole rows or columns formats a sheet; it does not repeat a text.
    if ((e.r - s.r + 1) * (e.c - s.c + 1) > MAX_MERGED_CELLS) continue;
    merges.set(`${s.r}/${s.c}`, {
      rowspan: Math.min(1_000, e.r - s.r + 1),
      colspan: Math.min(MAX_SHEET_COLUMNS, e.c + 1) - s.c,
    });
  }
  const cells: SheetCell[] = [];
  const rows = rowsOf(sheet);
  if (rows.length > MAX_SHEET_ROWS) {
    throw new ExtractionError(
      "EXTRACTED_DOCUMENT_TOO_LARGE",
      `A sheet has more than ${MAX_SHEET_ROWS} rows; split the file and upload its parts`,
    );
  }
  rows.forEach((row, index) => {
    row?.slice(0, MAX_SHEET_COLUMNS).forEach((cell, column) => {
      const text = cell === undefined ? "" : displayText(cell);
      if (text === "") return;
      const span = merges.get(`${index}/${column}`) ?? { rowspan: 1, colspan: 1 };
      cells.push({ row: index, column, ...span, text });
    });
  });
  return cells;
}

/** The text of a cell, by sheet and place. */
function sheetCellLookup(book: xlsx.WorkBook): SheetCellLookup {
  return (name, row, column) => {
    const sheet = book.Sheets[name];
    const cell = sheet === undefined ? undefined : rowsOf(sheet)[row]?.[column];
    return cell === undefined ? "" : displayText(cell);
  };
}

function displayText(cell: xlsx.CellObject): string {
  if (cell.t === "z" || cell.v === undefined) return "";
  if (cell.t === "b") return cell.v === true ? "TRUE" : "FALSE";
  const shown = (cell.w ?? String(cell.v)).trim();
  if (cell.t !== "n") return shown;
  // A column too narrow for its number shows hashes, and general format cuts long fractions. It
  // cuts whole numbers of 12 digits and more as well, and these are mostly numbers of something.
  const cut = /^-?\d(?:\.\d+)?E\+1\d$/.test(shown) && Number.isSafeInteger(cell.v);
  return cut || /^#{2,}$/.test(shown) ? String(cell.v) : shown;
}

function commentBlocks(sheet: xlsx.WorkSheet): Block[] {
  const found: Block[] = [];
  for (const row of rowsOf(sheet)) {
    for (const cell of row ?? []) {
      for (const comment of cell?.c ?? []) {
        const author = /^(?:tc=|\{)/.test(comment.a ?? "") ? "" : comment.a?.trim() ?? "";
        found.push(...sheetComment(author, comment.t));
      }
    }
  }
  return found;
}
