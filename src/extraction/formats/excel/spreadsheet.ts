/** Reads XLSX and XLS: cells as displayed, charts and comments. SheetJS does the cell parsing. */
import * as xlsx from "@e965/xlsx";
import * as codePages from "@e965/xlsx/dist/cpexcel.full.mjs";
import type { Budget } from "../../budget.ts";
import { corrupt, ExtractionError, pageLimitExceeded } from "../../error.ts";
import { MAX_TABLE_COLUMNS } from "../../limits.ts";
import type { Block, ExtractedDocument } from "../../model.ts";
import { heading } from "../../model.ts";
import type { ZipArchive } from "../../zip.ts";
import { type SheetCell, sheetComment, sheetContent } from "../office/sheet.ts";
import { hiddenSheets, withoutPadding } from "./padding.ts";
import { storedZip } from "./stored_zip.ts";
import { type SheetCellLookup, xlsDrawings } from "./xls_drawings.ts";
import { xlsxDrawings } from "./xlsx_drawings.ts";

xlsx.set_cptable(codePages);

const MAX_MERGED_CELLS = 5_000;

/**
 * Reads a workbook.
 *
 * Throws DOCUMENT_ENCRYPTED if it has a password, DOCUMENT_CORRUPT if it is damaged, and
 * DOCUMENT_PAGE_LIMIT_EXCEEDED if it has more than `maxPages` visible sheets.
 *
 * @param zip The workbook's package if it is an XLSX.
 */
export function readSpreadsheet(
  bytes: Uint8Array,
  zip: ZipArchive | undefined,
  { maxPages, budget }: { readonly maxPages: number; readonly budget: Budget },
): ExtractedDocument {
  const book = openWorkbook(zip === undefined ? bytes : withoutUnreadParts(zip));
  const visibleNames = book.SheetNames.filter((_, index) =>
    !book.Workbook?.Sheets?.[index]?.Hidden
  );
  if (visibleNames.length > maxPages) {
    throw pageLimitExceeded(visibleNames.length, "sheets", maxPages);
  }
  const drawings = zip === undefined
    ? xlsDrawings(bytes, sheetCellLookup(book), budget)
    : xlsxDrawings(zip, budget);
  const blocks: Block[] = [];
  for (const name of visibleNames) {
    const sheet = book.Sheets[name];
    const cells = sheet === undefined ? [] : sheetCells(sheet);
    const content = [
      ...sheetContent(cells, drawings.get(name) ?? []),
      ...sheet === undefined ? [] : commentBlocks(sheet),
    ];
    if (content.length > 0) blocks.push(heading(2, name), ...content);
  }
  return { blocks, pageCount: Math.max(1, visibleNames.length) };
}

function withoutUnreadParts(zip: ZipArchive): Uint8Array {
  // We don't read pictures and printer settings, so don't bother unpacking them.
  const isRead = (name: string) => /\.(?:xml|rels)$/i.test(name);
  const hidden = hiddenSheets(zip);
  return storedZip(zip, isRead, (name, part) => withoutPadding(name, part, hidden));
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
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/password|encrypt/i.test(message)) {
      throw new ExtractionError(
        "DOCUMENT_ENCRYPTED",
        "The workbook is password-protected; remove the password and upload it again",
      );
    }
    throw corrupt("The workbook is damaged and cannot be read", error);
  }
}

type DenseRows = readonly (readonly (xlsx.CellObject | undefined)[] | undefined)[];

/**
 * Returns a sheet's rows. Ignores the declared range, since a sheet with two cells can declare 17
 * billion of them.
 */
function rowsOf(sheet: xlsx.WorkSheet): DenseRows {
  const rows: unknown = Reflect.get(sheet, "!data");
  return Array.isArray(rows) ? rows as DenseRows : [];
}

function sheetCells(sheet: xlsx.WorkSheet): SheetCell[] {
  const merges = new Map<string, { rowspan: number; colspan: number }>();
  for (const { s, e } of sheet["!merges"] ?? []) {
    // A merge across whole rows or columns is just formatting and doesn't repeat any text.
    if ((e.r - s.r + 1) * (e.c - s.c + 1) > MAX_MERGED_CELLS) continue;
    merges.set(`${s.r}/${s.c}`, {
      rowspan: Math.min(1_000, e.r - s.r + 1),
      colspan: Math.min(MAX_TABLE_COLUMNS, e.c - s.c + 1),
    });
  }
  const cells: SheetCell[] = [];
  // Both loops skip the holes in sparse rows and columns.
  rowsOf(sheet).forEach((row, index) => {
    row?.forEach((cell, column) => {
      const text = cell === undefined ? "" : displayText(cell);
      if (text === "") return;
      const span = merges.get(`${index}/${column}`) ?? { rowspan: 1, colspan: 1 };
      cells.push({ row: index, column, ...span, text });
    });
  });
  return cells;
}

/** Returns a function that looks up a cell's text by sheet and position. */
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
  const displayed = (cell.w ?? String(cell.v)).trim();
  if (cell.t !== "n") return displayed;
  // Columns too narrow for their number display hashes. The general format displays whole numbers
  // with 12 or more digits in scientific notation, but most of these are identifiers. We use the
  // full value in both cases. The general format also shortens long fractions, which we leave
  // alone.
  const isShortened = /^-?\d(?:\.\d+)?E\+1\d$/.test(displayed) && Number.isSafeInteger(cell.v);
  return isShortened || /^#{2,}$/.test(displayed) ? String(cell.v) : displayed;
}

function commentBlocks(sheet: xlsx.WorkSheet): Block[] {
  const blocks: Block[] = [];
  for (const row of rowsOf(sheet)) {
    for (const cell of row ?? []) {
      for (const comment of cell?.c ?? []) {
        const author = /^(?:tc=|\{)/.test(comment.a ?? "") ? "" : comment.a?.trim() ?? "";
        blocks.push(...sheetComment(author, comment.t));
      }
    }
  }
  return blocks;
}
