/** ODT, ODS and ODP: one package format, three kinds of body. */
import { corrupt, ExtractionError } from "../error.ts";
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from "../limits.ts";
import type { Block, ExtractedDocument } from "../model.ts";
import { heading } from "../model.ts";
import { titled } from "./slide.ts";
import { child, descendants, elements, parseXml, textOf, type XmlElement } from "../xml.ts";
import type { ZipArchive } from "../zip.ts";
import { chartTable, OdfBody, tableRows } from "./odf_body.ts";
import { OdfStyles } from "./odf_styles.ts";
import { type SheetCell, sheetTables } from "./sheet.ts";

/** Reads an OpenDocument package of at most `maxPages` pages, slides or sheets. */
export function readOdf(zip: ZipArchive, maxPages: number): ExtractedDocument {
  refuseEncrypted(zip);
  const content = part(zip, "content.xml");
  if (content === undefined) throw corrupt("The OpenDocument file has no content");
  const styles = new OdfStyles(part(zip, "styles.xml"), content);
  const body = new OdfBody(styles, (href) => {
    const folder = href.replace(/^\.\//, "").replace(/\/$/, "");
    return folder === "" ? [] : chartTable(part(zip, `${folder}/content.xml`), styles);
  });
  const root = child(content, "office:body");
  const text = child(root, "office:text");
  if (text !== undefined) return textDocument(zip, text, body);
  const sheets = child(root, "office:spreadsheet");
  if (sheets !== undefined) return spreadsheet(sheets, body, maxPages);
  const slides = child(root, "office:presentation") ?? child(root, "office:drawing");
  if (slides !== undefined) return presentation(slides, body, maxPages);
  throw corrupt("The OpenDocument file is neither text, spreadsheet nor presentation");
}

function part(zip: ZipArchive, name: string): XmlElement | undefined {
  const text = zip.text(name);
  return text === undefined ? undefined : parseXml(text, { doctype: "skip" });
}

function refuseEncrypted(zip: ZipArchive): void {
  const manifest = zip.text("META-INF/manifest.xml") ?? "";
  if (/encryption-data/.test(manifest)) {
    throw new ExtractionError("DOCUMENT_ENCRYPTED", "The file needs a password");
  }
}

function textDocument(zip: ZipArchive, text: XmlElement, body: OdfBody): ExtractedDocument {
  const blocks = body.read(text);
  const statistic = descendants(part(zip, "meta.xml"), "meta:document-statistic")[0];
  const declared = Number.parseInt(statistic?.attributes["meta:page-count"] ?? "1", 10) || 1;
  return { blocks: [...blocks, ...body.notes], pageCount: Math.max(declared, body.page) };
}

function presentation(root: XmlElement, body: OdfBody, maxPages: number): ExtractedDocument {
  const pages = elements(root, "draw:page");
  if (pages.length > maxPages) throw tooMany(pages.length, "slides", maxPages);
  const blocks: Block[] = [];
  pages.forEach((page, index) => {
    if (index > 0) blocks.push({ kind: "page", page: index + 1 });
    const kindOf = (shape: XmlElement) => shape.attributes["presentation:class"] ?? "";
    const shapes = elements(page).filter((shape) =>
      !/^(?:header|footer|date-time|page-number)$/.test(kindOf(shape)) &&
      shape.attributes["presentation:placeholder"] !== "true"
    );
    const titles = shapes.filter((one) => kindOf(one) === "title");
    const title = titles.flatMap((shape) =>
      body.shape(shape).flatMap((block) => "spans" in block ? block.spans : [])
    );
    const own = shapes.filter((one) => kindOf(one) !== "title").flatMap((shape) =>
      shape.name === "presentation:notes" ? notes(shape, body) : slideShape(shape, body)
    );
    blocks.push(...titled(title, own));
  });
  return { blocks, pageCount: Math.max(1, pages.length) };
}

function slideShape(shape: XmlElement, body: OdfBody): Block[] {
  const table = child(shape, "table:table");
  if (table !== undefined) return [{ kind: "table", rows: body.table(table) }];
  return shape.name === "draw:g"
    ? elements(shape).flatMap((inner) => slideShape(inner, body))
    : body.shape(shape);
}

function notes(shape: XmlElement, body: OdfBody): Block[] {
  const frames = elements(shape, "draw:frame").filter((frame) =>
    frame.attributes["presentation:class"] === "notes"
  );
  const blocks = frames.flatMap((frame) => body.shape(frame));
  if (blocks.length === 0) return [];
  const label: Block = { kind: "paragraph", spans: [{ text: "Speaker notes:", bold: true }] };
  return [{ kind: "quote", blocks: [label, ...blocks] }];
}

function spreadsheet(root: XmlElement, body: OdfBody, maxPages: number): ExtractedDocument {
  const sheets = elements(root, "table:table");
  if (sheets.length > maxPages) throw tooMany(sheets.length, "sheets", maxPages);
  const blocks = sheets.flatMap((sheet) => {
    const shapes = elements(child(sheet, "table:shapes")).flatMap((shape) => body.shape(shape));
    const own = [...sheetTables(sheetCells(sheet, shapes, body)), ...shapes];
    return own.length === 0 ? [] : [heading(2, sheet.attributes["table:name"] ?? ""), ...own];
  });
  return { blocks, pageCount: Math.max(1, sheets.length) };
}

/** Filled cells of a sheet. Repeats of empty cells only move on; repeats of filled ones are few. */
function sheetCells(sheet: XmlElement, shapes: Block[], body: OdfBody): SheetCell[] {
  const cells: SheetCell[] = [];
  let row = 0;
  for (const line of tableRows(sheet)) {
    const repeated = count(line, "table:number-rows-repeated");
    const own = rowCells(line, row, shapes, body);
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

function rowCells(line: XmlElement, row: number, shapes: Block[], body: OdfBody): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = 0;
  for (const cell of elements(line)) {
    const repeated = count(cell, "table:number-columns-repeated");
    if (column >= MAX_SHEET_COLUMNS) break;
    if (cell.name === "table:table-cell") {
      for (const inner of elements(cell)) {
        if (inner.name.startsWith("draw:")) shapes.push(...body.shape(inner));
      }
      const text = elements(cell, "text:p").map(textOf).join(" ").trim();
      const rowspan = Math.min(1_000, count(cell, "table:number-rows-spanned"));
      const colspan = Math.min(
        MAX_SHEET_COLUMNS - column,
        count(cell, "table:number-columns-spanned"),
      );
      for (let at = 0; text !== "" && at < Math.min(repeated, MAX_SHEET_COLUMNS - column); at++) {
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

function tooMany(found: number, what: string, maxPages: number): ExtractionError {
  return new ExtractionError(
    "DOCUMENT_PAGE_LIMIT_EXCEEDED",
    `The file has ${found} ${what}; at most ${maxPages} are accepted`,
  );
}
