/** Sheets in which most rows and cells are padding. */

import assert from "node:assert/strict";
import * as xlsx from "@e965/xlsx";
import { contentTypes, markdownOf, relations, zip } from "../../testing/extraction_fixtures.ts";
import { sheetContent } from "../../src/extraction/formats/office/sheet.ts";
import { ODF, odf } from "./office_fixture.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const LAST_ROW = 1_048_576;

/** Returns an ODS with one sheet. */
function ods(rows: string): Uint8Array {
  return odf(
    "spreadsheet",
    `<office:spreadsheet><table:table table:name="Log">${rows}</table:table></office:spreadsheet>`,
  );
}

function odsRow(text: string): string {
  return `<table:table-row><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
}

/** Returns an XLSX with one visible sheet and, if there are `hiddenRows`, a hidden one. */
function workbook(rows: string, hiddenRows?: string): Uint8Array {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  return zip({
    "[Content_Types].xml": contentTypes("xl/workbook.xml", `${XLSX}.main`),
    "_rels/.rels": relations({ r: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml":
      `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Log" sheetId="1" r:id="s"/>${
        hiddenRows === undefined ? "" : '<sheet name="Data" sheetId="2" state="hidden" r:id="h"/>'
      }</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations({
      s: ["worksheet", "worksheets/sheet1.xml"],
      h: ["worksheet", "worksheets/sheet2.xml"],
    }),
    "xl/worksheets/sheet2.xml": `<worksheet xmlns="${main}"><sheetData>${
      hiddenRows ?? ""
    }</sheetData></worksheet>`,
    "xl/worksheets/sheet1.xml":
      `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

function xlsxCell(at: string, text: string): string {
  return `<c ${at} t="inlineStr"><is><t>${text}</t></is></c>`;
}

const TWO_TABLES = "## Log\n\n| first |\n| --- |\n\n| last |\n| --- |";

Deno.test("readOdf() ignores a million repeated empty rows between two used ones", async () => {
  const padding = `<table:table-row table:number-rows-repeated="${
    LAST_ROW - 2
  }"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
  const file = ods(odsRow("first") + padding + odsRow("last"));
  assert.equal(await markdownOf(file, `${ODF}spreadsheet`), TWO_TABLES);
});

Deno.test("readOdf() counts only the filled cells of a row", async () => {
  const row = `<table:table-row><table:table-cell table:number-columns-repeated="16000"/>` +
    `<table:table-cell><text:p>far</text:p></table:table-cell></table:table-row>`;
  assert.equal(await markdownOf(ods(row), `${ODF}spreadsheet`), "## Log\n\n| far |\n| --- |");
});

Deno.test("readOdf() rejects a sheet with too many filled rows", async () => {
  const file = ods(odsRow("x").repeat(20_001));
  await assert.rejects(markdownOf(file, `${ODF}spreadsheet`), {
    code: "EXTRACTED_DOCUMENT_TOO_LARGE",
  });
});

Deno.test("readSpreadsheet() ignores the rows between the first and the last row of an XLSX", async () => {
  const sheet: xlsx.WorkSheet = { "!ref": `A1:A${LAST_ROW}` };
  sheet.A1 = { t: "s", v: "first" };
  sheet[`A${LAST_ROW}`] = { t: "s", v: "last" };
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, sheet, "Log");
  const file = new Uint8Array(xlsx.write(book, { type: "array", bookType: "xlsx" }));
  assert.equal(await markdownOf(file, XLSX), TWO_TABLES);
});

Deno.test("readSpreadsheet() ignores rows and cells that only have a style", async () => {
  const styled = (row: number) =>
    `<row r="${row}" s="1">${`<c r="B${row}" s="1"/><c r="C${row}" s="1"></c>`.repeat(20)}</row>`;
  const padding = Array.from({ length: 30_000 }, (_, index) => styled(index + 2)).join("");
  const last = `<row r="40000">${xlsxCell('r="A40000"', "last")}<c r="B40000" s="1"/></row>`;
  const file = workbook(`<row r="1">${xlsxCell('r="A1"', "first")}</row>${padding}${last}`);
  assert.equal(await markdownOf(file, XLSX), TWO_TABLES);
});

Deno.test("readSpreadsheet() keeps the columns of cells that are placed by their order", async () => {
  const file = workbook(
    `<row>${xlsxCell("", "a")}<c s="1"/>${xlsxCell("", "c")}</row>` +
      `<row>${xlsxCell("", "d")}${xlsxCell("", "e")}${xlsxCell("", "f")}</row>`,
  );
  assert.equal(
    await markdownOf(file, XLSX),
    "## Log\n\n| a |  | c |\n| --- | --- | --- |\n| d | e | f |",
  );
});

Deno.test("readSpreadsheet() rejects an XLSX with too many filled rows, unless they are hidden", async () => {
  const rows = Array.from(
    { length: 20_001 },
    (_, index) => `<row r="${index + 1}">${xlsxCell(`r="A${index + 1}"`, "x")}</row>`,
  ).join("");
  await assert.rejects(markdownOf(workbook(rows), XLSX), { code: "EXTRACTED_DOCUMENT_TOO_LARGE" });
  const visible = `<row r="1">${xlsxCell('r="A1"', "first")}</row>`;
  assert.equal(await markdownOf(workbook(visible, rows), XLSX), "## Log\n\n| first |\n| --- |");
});

Deno.test("extract() rejects more filled columns than a table can have", async () => {
  const rejected = { code: "EXTRACTED_DOCUMENT_TOO_LARGE" };
  const names = Array.from({ length: 1_001 }, (_, index) => `c${index}`);
  await assert.rejects(markdownOf(names.join(";"), "text/csv"), rejected);
  const cells = names.map((name) =>
    `<table:table-cell><text:p>${name}</text:p></table:table-cell>`
  );
  const wide = (count: number) =>
    ods(`<table:table-row>${cells.slice(0, count).join("")}</table:table-row>`);
  await assert.rejects(markdownOf(wide(1_001), `${ODF}spreadsheet`), rejected);
  const repeated = ods(
    `<table:table-row><table:table-cell table:number-columns-repeated="1500"><text:p>x</text:p>` +
      `</table:table-cell></table:table-row>`,
  );
  await assert.rejects(markdownOf(repeated, `${ODF}spreadsheet`), rejected);
  assert.match(await markdownOf(wide(1_000), `${ODF}spreadsheet`), /\| c999 \|/);
  assert.match(await markdownOf(`a;b${";".repeat(2_000)}`, "text/csv"), /^\| a \| b \|/);
});

Deno.test("sheetContent() rejects a sheet with too many cells before it makes them", () => {
  const cell = (row: number, column: number) => ({
    row,
    column,
    rowspan: 1,
    colspan: 1,
    text: "x",
  });
  const corner = [
    ...Array.from({ length: 1_000 }, (_, column) => cell(0, column)),
    ...Array.from({ length: 19_999 }, (_, row) => cell(row + 1, 0)),
  ];
  assert.throws(() => sheetContent(corner, []), { code: "EXTRACTED_DOCUMENT_TOO_LARGE" });
});
