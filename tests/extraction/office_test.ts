/**
 * Tests for reading ODF, PPTX, workbooks, EPUB, RTF and DOC. There are more tests for slides in
 * slides_test.ts.
 */
import assert from "node:assert/strict";
import { doc, type DocParagraph } from "./doc_fixture.ts";
import * as xlsx from "@e965/xlsx";
import {
  contentTypes,
  epub,
  markdownOf,
  read,
  relations,
  zip,
} from "../../testing/extraction_fixtures.ts";
import { ODF, odf, PPTX, pptx } from "./office_fixture.ts";

Deno.test("readOdf() reads headings, nested lists and styled text from an ODT", async () => {
  const styles =
    `<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>` +
    `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>`;
  const body = `<office:text><text:h text:outline-level="2">Part</text:h>` +
    `<text:list text:style-name="L"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item>` +
    `<text:list-item><text:p>two</text:p></text:list-item></text:list>` +
    `<text:p>a <text:span text:style-name="B">b</text:span></text:p></office:text>`;
  assert.equal(
    await markdownOf(odf("text", body, styles), `${ODF}text`),
    "## Part\n\n1. one\n    - in\n2. two\n\na **b**",
  );
});

Deno.test("readOdf() keeps chapter numbers and compound list numbers as printed", async () => {
  const level = (name: string, at: number, more = "") =>
    `<text:${name} text:level="${at}" style:num-format="1" style:num-suffix="." text:display-levels="${at}"${more}/>`;
  const styles =
    `<text:outline-style>${[1, 2, 3].map((at) => level("outline-level-style", at)).join("")}` +
    `</text:outline-style><text:list-style style:name="L">` +
    level("list-level-style-number", 1, ' text:start-value="4"') +
    level("list-level-style-number", 2) + "</text:list-style>";
  const heading = (at: number, text: string) =>
    `<text:h text:outline-level="${at}">${text}</text:h>`;
  const item = (text: string, more = "") =>
    `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`;
  const list = (more: string, ...items: string[]) =>
    `<text:list text:style-name="L"${more}>${items.join("")}</text:list>`;
  const body = `<office:text>${heading(1, "Sea")}${heading(3, "Buoys")}${heading(2, "Lamps")}` +
    list("", item("four", list("", item("below"), item("again")))) + "<text:p>Between</text:p>" +
    list(' text:continue-numbering="true"', item("five")) + "</office:text>";
  assert.equal(
    await markdownOf(odf("text", body, styles), `${ODF}text`),
    "# 1. Sea\n\n### 1.1.1. Buoys\n\n## 1.2. Lamps\n\n4. four\n    - 4.1. below\n    - 4.2. again\n\nBetween\n\n5. five",
  );
});

Deno.test("readOdf() skips repeated empty cells in an ODS without storing them", async () => {
  const body = `<office:spreadsheet><table:table table:name="Data"><table:table-row>` +
    `<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>` +
    `<table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
    `<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
    `</table:table></office:spreadsheet>`;
  assert.equal(
    await markdownOf(odf("spreadsheet", body), `${ODF}spreadsheet`),
    "## Data\n\n| a | b |\n| --- | --- |",
  );
});

Deno.test("readOdf() puts the title of an ODP slide first and speaker notes last", async () => {
  const frame = (kind: string, text: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
  const body =
    `<office:presentation><draw:page>${frame("subtitle", "body")}${frame("title", "Head")}` +
    `<presentation:notes>${
      frame("notes", "say this")
    }</presentation:notes></draw:page></office:presentation>`;
  assert.equal(
    await markdownOf(odf("presentation", body), `${ODF}presentation`),
    "# Head\n\nbody\n\n> **Speaker notes:**\n>\n> say this",
  );
});

const shape = (placeholder: string, paragraphs: string) =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const line = (text: string, properties = "") =>
  `<a:p><a:pPr ${properties}/><a:r><a:t>${text}</a:t></a:r></a:p>`;

Deno.test("readPptx() puts titles first, keeps bullet levels and omits repeated placeholders", async () => {
  const slide = shape(
    "",
    `<a:p><a:pPr lvl="0"><a:buChar char="•"/></a:pPr><a:r><a:t>one</a:t></a:r></a:p>` +
      `<a:p><a:pPr lvl="1"><a:buChar char="•"/></a:pPr><a:r><a:t>deep</a:t></a:r></a:p>`,
  ) +
    shape('<p:ph type="title"/>', line("Head")) + shape('<p:ph type="sldNum"/>', line("7"));
  assert.equal(await markdownOf(pptx([slide]), PPTX), "# Head\n\n- one\n    - deep");
});

Deno.test("readPptx() counts slides as pages and rejects a deck that has too many", async () => {
  const file = pptx(["a", "b", "c"].map((text) => shape("", line(text))));
  assert.equal((await read(file, PPTX)).pageCount, 3);
  await assert.rejects(read(file, PPTX, { maxPages: 2 }), { code: "DOCUMENT_PAGE_LIMIT_EXCEEDED" });
});

function workbook(type: "xlsx" | "biff8"): Uint8Array {
  const sheet = xlsx.utils.aoa_to_sheet([["Name", "Share"], ["Ada", 0.5], [], ["", "", "apart"]]);
  sheet["B2"].z = "0%";
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, sheet, "Staff");
  return new Uint8Array(xlsx.write(book, { type: "array", bookType: type }));
}

for (
  const [name, type, book] of [
    ["XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
    ["XLS", "application/vnd.ms-excel", "biff8"],
  ] as const
) {
  Deno.test(`readSpreadsheet() with ${name} writes one heading per sheet, one table per island of cells, and numbers as displayed`, async () => {
    assert.equal(
      await markdownOf(workbook(book), type),
      "## Staff\n\n| Name | Share |\n| --- | --- |\n| Ada | 50% |\n\n| apart |\n| --- |",
    );
  });
}

Deno.test("readSpreadsheet() puts the drawings in an XLSX between its tables by position", async () => {
  const sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
  const main = "http://schemas.openxmlformats.org/drawingml/2006/main";
  const cell = (at: string, text: string) =>
    `<row r="${at.slice(1)}"><c r="${at}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const note = (row: number, text: string) =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:row>${row}</xdr:row></xdr:from>` +
    `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor>`;
  const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const file = zip({
    "[Content_Types].xml": contentTypes("xl/workbook.xml", `${XLSX}.main`),
    "_rels/.rels": relations({ r: ["officeDocument", "xl/workbook.xml"] }),
    "xl/workbook.xml":
      `<workbook xmlns="${sheet}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sea" sheetId="1" r:id="s"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations({ s: ["worksheet", "worksheets/sheet1.xml"] }),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${sheet}"><sheetData>${cell("A1", "top")}${
      cell("A20", "low")
    }</sheetData></worksheet>`,
    "xl/worksheets/_rels/sheet1.xml.rels": relations({ d: ["drawing", "../drawings/d.xml"] }),
    "xl/drawings/d.xml": `<xdr:wsDr xmlns:xdr="${drawing}" xmlns:a="${main}">${note(40, "last")}${
      note(4, "between")
    }</xdr:wsDr>`,
  });
  assert.equal(
    await markdownOf(file, XLSX),
    "## Sea\n\n| top |\n| --- |\n\nbetween\n\n| low |\n| --- |\n\nlast",
  );
});

Deno.test("readOdf() skips hidden sheets in an ODS and keeps comments and drawings", async () => {
  const styles =
    `<style:style style:name="off" style:family="table"><style:table-properties table:display="false"/></style:style>`;
  const cell = (content: string) =>
    `<table:table-row><table:table-cell>${content}</table:table-cell></table:table-row>`;
  const drawing = `<draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>`;
  const body = `<office:spreadsheet>` +
    `<table:table table:name="Off" table:style-name="off">${
      cell("<text:p>x</text:p>")
    }</table:table>` +
    `<table:table table:name="On">${cell(drawing)}${
      cell("<office:annotation><text:p>sure?</text:p></office:annotation><text:p>y</text:p>")
    }</table:table></office:spreadsheet>`;
  assert.equal(
    await markdownOf(odf("spreadsheet", body, styles), `${ODF}spreadsheet`),
    "## On\n\ndrawn\n\n| y |\n| --- |\n\nComment: sure?",
  );
});

Deno.test("readSpreadsheet() keeps all digits of a long integer", async () => {
  const sheet = xlsx.utils.aoa_to_sheet([["Code", 4006381333931], ["Stars", 1e22]]);
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, sheet, "Stock");
  const file = new Uint8Array(xlsx.write(book, { type: "array", bookType: "xlsx" }));
  assert.equal(
    await markdownOf(file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "## Stock\n\n| Code | 4006381333931 |\n| --- | --- |\n| Stars | 1E+22 |",
  );
});

Deno.test("readEpub() reads sections in spine order", async () => {
  const file = epub(["<h1>First</h1>", "<h1>Last</h1>"]);
  assert.equal(await markdownOf(file, "application/epub+zip"), "# First\n\n# Last");
});

Deno.test("readEpub() rejects a book with encrypted sections but reads one with encrypted fonts", async () => {
  const locked = (path: string) =>
    epub(["<h1>First</h1>"], {
      "META-INF/encryption.xml": `<encryption><EncryptedData><CipherData>
      <CipherReference URI="${path}"/></CipherData></EncryptedData></encryption>`,
    });
  await assert.rejects(read(locked("o/s0.xhtml"), "application/epub+zip"), {
    code: "DOCUMENT_ENCRYPTED",
  });
  assert.equal(await markdownOf(locked("font.otf"), "application/epub+zip"), "# First");
});

Deno.test("readDoc() throws DOCUMENT_CORRUPT for a truncated file", async () => {
  const file = doc([["Lamps\r"]]);
  for (const length of [100, 512, file.length / 2]) {
    await assert.rejects(read(file.slice(0, length), "application/msword"), {
      code: "DOCUMENT_CORRUPT",
    });
  }
});

Deno.test("readDoc() reads a table that is nested in a cell as a table", async () => {
  const inTable = (depth: number) => [0x16, 0x24, 1, 0x49, 0x66, depth, 0, 0, 0];
  const rowEnd = [...inTable(1), 0x17, 0x24, 1];
  const cell = (text: string): DocParagraph => [`${text}\r`, [...inTable(2), 0x4b, 0x24, 1]];
  const innerRowEnd: DocParagraph = ["\r", [...inTable(2), 0x4b, 0x24, 1, 0x4c, 0x24, 1]];
  const file = doc([
    ["Lamps\r", inTable(1)],
    cell("Part"),
    cell("Shelf"),
    innerRowEnd,
    cell("Mantle"),
    cell("B4"),
    innerRowEnd,
    ["\x07", inTable(1)],
    ["\x07", rowEnd],
    ["After\r"],
  ]);
  assert.equal(
    await markdownOf(file, "application/msword"),
    "Lamps\n\n| Part | Shelf |\n| --- | --- |\n| Mantle | B4 |\n\nAfter",
  );
});

Deno.test("readDoc() reads text boxes at their anchor, including those in a group", async () => {
  const file = doc(
    [["Keepers\x08\r"], ["Lamps\x08\r"], ["Wicks\r"]],
    [
      { text: "Of lamps\r", anchor: 14, isGrouped: true },
      { text: "Of keepers\r", anchor: 7 },
      { text: "Of nothing\r", anchor: 99 },
    ],
  );
  assert.equal(
    await markdownOf(file, "application/msword"),
    "Keepers\n\nOf keepers\n\nLamps\n\nOf lamps\n\nWicks\n\nOf nothing",
  );
});

Deno.test("readRtf() reads styles, list markers, Unicode and tables", async () => {
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset204 A;}}{\stylesheet{\s1 heading 1;}}` +
    String
      .raw`{\*\generator x}\pard\s1 Head\par\pard{\listtext\pard 1.\tab}\ls1 item \b bold\b0\par` +
    String
      .raw`\pard \u8364? \'cf\'f0\par\trowd\cellx100\cellx200\intbl a\cell b\cell\row\pard end\par}`;
  assert.equal(
    await markdownOf(rtf, "application/rtf"),
    "# Head\n\n1. item **bold**\n\n€ Пр\n\n| a | b |\n| --- | --- |\n\nend",
  );
});
