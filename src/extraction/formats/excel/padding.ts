/**
 * Removes what isn't read from an XLSX before SheetJS creates objects for it: hidden sheets, cells
 * that only have a style, and the rows without any other cells. There can be millions of them.
 */
import { MAX_SHEET_ROWS } from "../../limits.ts";
import { child, elements } from "../../xml.ts";
import type { ZipArchive } from "../../zip.ts";
import { mainPart, relationships, xmlPart } from "../office/ooxml.ts";
import { tooManyRows } from "../office/sheet_gaps.ts";

const WORKSHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

/** A cell without content. Text inside of cells never contains a literal "<", except in CDATA. */
const EMPTY_CELL = /<((?:\w+:)?)c(?:\s[^<>]*)?(?:\/>|>\s*<\/\1c>)\s*/g;
const EMPTY_ROW = /<((?:\w+:)?)row(?:\s[^<>]*)?(?:\/>|>\s*<\/\1row>)\s*/g;
const ROW = /<(?:\w+:)?row[\s>]/g;

/** A cell or row that is placed by its position in the file, so nothing before it can be removed. */
const PLACED_BY_ORDER = /<(?:\w+:)?(?:c|row)(?:(?:\s(?!r=)[^\s<>]*)*)\/?>/;

const EMPTY_WORKSHEET = new TextEncoder().encode(
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>',
);

/** Returns the parts of a workbook's hidden sheets. */
export function hiddenSheets(zip: ZipArchive): ReadonlySet<string> {
  const book = mainPart(zip, "xl/workbook.xml");
  const relations = relationships(zip, book);
  const sheets = elements(child(xmlPart(zip, book), "sheets"), "sheet");
  return new Set(
    sheets.filter((sheet) => /^(?:hidden|veryHidden)$/.test(sheet.attributes["state"] ?? ""))
      .flatMap((sheet) => relations.get(sheet.attributes["r:id"] ?? "")?.target ?? []),
  );
}

/**
 * Returns a part of a workbook without padding. Parts other than worksheets are returned unchanged.
 *
 * @throws {ExtractionError} EXTRACTED_DOCUMENT_TOO_LARGE if a worksheet has too many filled rows
 */
export function withoutPadding(
  name: string,
  part: Uint8Array,
  hidden: ReadonlySet<string>,
): Uint8Array {
  if (!WORKSHEET.test(name)) return part;
  if (hidden.has(name)) return EMPTY_WORKSHEET;
  const text = new TextDecoder().decode(part);
  if (text.includes("<![CDATA[") || PLACED_BY_ORDER.test(text)) return part;
  const filled = text.replace(EMPTY_CELL, "").replace(EMPTY_ROW, "");
  let rows = 0;
  for (const _ of filled.matchAll(ROW)) if (++rows > MAX_SHEET_ROWS) throw tooManyRows();
  return filled.length === text.length ? part : new TextEncoder().encode(filled);
}
