/**
 * Tests for charts that old formats store as records: charts in XLS, and Microsoft Graph charts in
 * PPT.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  biff,
  cell,
  double,
  object,
  part,
  series,
  shape,
  short,
  source,
  title,
  xls,
  xlsWith,
} from "./biff_fixture.ts";
import { markdownOf, u16 } from "../../testing/extraction_fixtures.ts";
import { embedded, ppt } from "./ppt_fixture.ts";

const XLS = "application/vnd.ms-excel";
const CELLS = [
  ...[["month", "height"], ["May", 3.5], ["June", 4]].flatMap((row, at) =>
    row.map((value, column) => cell(at, column, value))
  ),
  cell(9, 0, "Below"),
];
const TABLE = "| month | height |\n| --- | --- |\n| May | 3.5 |\n| June | 4 |";
const CHART =
  "Spring tides\n\nBar chart\n\n|  | height |\n| --- | --- |\n| May | 3.5 |\n| June | 4 |";
const FRAME = [title("metres", 2), title("Spring tides", 1), biff(0x1017, ...u16(0, 100, 0))];

Deno.test("readSpreadsheet() writes an XLS chart as a title, type and numbers at its position on the sheet", async () => {
  const chart = part(
    0x20,
    series(source(0, 0, 0, 1), source(1, 1, 2, 1), source(2, 1, 2, 0)),
    ...FRAME,
  );
  assert.equal(
    await markdownOf(xls(...CELLS, shape(4, 1, 5), chart), XLS),
    `## Tides\n\n${TABLE}\n\n${CHART}\n\n| Below |\n| --- |`,
  );
});

Deno.test("readSpreadsheet() uses the cached numbers of an XLS chart if its cells are missing", async () => {
  const cached = [
    biff(0x1065, ...u16(1)),
    cell(0, 0, 3.5),
    cell(1, 0, 4),
    biff(0x1065, ...u16(2)),
    cell(0, 0, "May"),
    cell(1, 0, "June"),
  ];
  const name = biff(0x100d, ...u16(0), ...short("height"));
  const chart = part(
    0x20,
    series(name, source(1, 700, 701, 1), source(2, 700, 701, 0)),
    ...FRAME,
    ...cached,
  );
  assert.equal(
    await markdownOf(xls(cell(0, 0, "Above"), shape(4, 1, 5), chart), XLS),
    `## Tides\n\n| Above |\n| --- |\n\n${CHART}`,
  );
});

Deno.test("readSpreadsheet() reads the text boxes in an XLS, and reads no comment twice", async () => {
  const text = (words: string) => [
    ...biff(0x1b6, ...u16(0, 0, 0, 0, 0, words.length, 16), ...u16(0, 0)),
    ...biff(0x3c, 0, ...Buffer.from(words, "latin1")),
  ];
  const file = xls(
    cell(0, 0, "Above"),
    shape(2, 0, 6),
    text("Mind the tide"),
    shape(3, 0, 0x19),
    text("A comment"),
  );
  assert.equal(await markdownOf(file, XLS), "## Tides\n\n| Above |\n| --- |\n\nMind the tide");
});

Deno.test("readSpreadsheet() limits XLS chart series to the number of columns in a table", async () => {
  const many = Array.from({ length: 1_000 }, () => series(source(1, 0, 65_535, 1)));
  const chart = part(0x20, ...many, ...FRAME);
  const markdown = await markdownOf(xls(...CELLS, shape(4, 1, 5), chart), XLS);
  assert.match(markdown, /Series 255 \|\n/);
  assert.ok(markdown.length < 10_000);
});

/** Creates a stream with a Microsoft Graph chart that has its own data sheet. */
function graph(): number[] {
  const number = (row: number, column: number, value: number) =>
    biff(3, ...u16(row, column), 0, 0, 0, ...double(value));
  const label = (row: number, column: number, text: string) =>
    biff(4, ...u16(row, column), 0, 0, 0, ...short(text));
  const line = (dataKind: number, at: number) => biff(0x1051, dataKind, 1, ...u16(2, 0, at));
  return part(
    0x8000,
    label(0, 1, "May"),
    label(0, 2, "June"),
    label(1, 0, "height"),
    number(1, 1, 3.5),
    number(1, 2, 4),
    biff(0x1058, ...u16(0)),
    series(line(0, 1), biff(0x100d, ...u16(0), ...short("height")), line(1, 1), line(2, 0)),
    ...FRAME,
  );
}

Deno.test("readSpreadsheet() rejects an XLS whose chart tables have too many cells in total", async () => {
  // 1 KB each, with nothing but series and a number in the last row.
  const empty = Array.from({ length: 255 }, () => biff(0x1003));
  const chart = part(0x20, ...empty, biff(0x1065, ...u16(1)), cell(499, 0, 7));
  const file = xls(...CELLS, ...Array.from({ length: 9 }, () => chart));
  await assert.rejects(markdownOf(file, XLS), {
    code: "EXTRACTED_DOCUMENT_TOO_LARGE",
    message: /cells/,
  });
});

Deno.test("readSpreadsheet() reads a Microsoft Graph chart embedded in an XLS sheet", async () => {
  const streams = { "/MBD0000A1B2/Workbook": Uint8Array.from([...part(5), ...graph()]) };
  assert.equal(
    await markdownOf(xlsWith(streams, cell(0, 0, "Above"), object(4, 1, 0xa1b2)), XLS),
    `## Tides\n\n| Above |\n| --- |\n\n${CHART}`,
  );
});

Deno.test("readPpt() reads a Microsoft Graph chart and skips a damaged one", async () => {
  const deck = (records: readonly number[]) =>
    ppt(
      [[
        { text: "Tides", kind: 0, box: [50, 20, 650, 80] },
        { box: [50, 100, 650, 400], object: 1 },
      ]],
      [embedded("Workbook", Uint8Array.from([...part(5), ...records]))],
    );
  const type = "application/vnd.ms-powerpoint";
  assert.equal(await markdownOf(deck(graph()), type), `# Tides\n\n${CHART}`);
  const cut = part(0x8000, biff(0x1003), biff(0x1051, 1), biff(3, 0, 0), biff(4)).slice(0, -7);
  assert.equal(await markdownOf(deck(cut), type), "# Tides");
});
