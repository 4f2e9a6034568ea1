/** Tests for headings in PDFs that are about as large as the text. */
import assert from "node:assert/strict";
import { markdownOf, outlinedPdf, pdf, type PdfText } from "../../testing/extraction_fixtures.ts";

const BLUE = [0, 0.3, 0.7] as const;

/** Returns a paragraph of `count` lines that starts at `y`. */
function prose(y: number, count = 4): PdfText[] {
  return Array.from({ length: count }, (_, index) => ({
    x: 72,
    y: y - 14 * index,
    text: "the lamps along the quay are lit by the keeper every night of the year",
  }));
}

async function headingsIn(texts: readonly PdfText[]): Promise<string[]> {
  const markdown = await markdownOf(pdf([texts]), "application/pdf");
  return markdown.split("\n").filter((line) => line.startsWith("#"));
}

Deno.test("readPdf() reads coloured lines as headings if there are several", async () => {
  const colored = (y: number, text: string) => ({ x: 72, y, text, color: BLUE });
  const texts = [
    ...prose(720),
    colored(640, "Tides"),
    ...prose(620),
    colored(540, "2. Lamps"),
    ...prose(520),
  ];
  assert.deepEqual(await headingsIn(texts), ["# Tides", "# 2. Lamps"]);
  assert.deepEqual(await headingsIn(texts.slice(0, 9)), []);
});

Deno.test("readPdf() doesn't read coloured list items as headings", async () => {
  const item = (y: number, text: string) => ({ x: 72, y, text, color: BLUE });
  const texts = [...prose(720), item(640, "1. Oil"), item(620, "2. Wick"), item(600, "3. Glass")];
  assert.deepEqual(await headingsIn(texts), []);
});

Deno.test("readPdf() reads lines in capitals as headings, and bold ones in capitals above bold ones", async () => {
  const texts = [
    { x: 72, y: 740, text: "THE HARBOUR", bold: true },
    ...prose(716),
    { x: 72, y: 640, text: "The east quay", bold: true },
    ...prose(620),
    { x: 72, y: 540, text: "THE ISLANDS", bold: true },
    ...prose(516),
    { x: 72, y: 440, text: "The west quay", bold: true },
    ...prose(420),
  ];
  assert.deepEqual(await headingsIn(texts), [
    "# THE HARBOUR",
    "## The east quay",
    "# THE ISLANDS",
    "## The west quay",
  ]);
});

Deno.test("readPdf() turns small capitals into small letters and reads them as headings", async () => {
  const smallCapitals = (y: number, first: string, rest: string) => [
    { x: 72, y, text: first, size: 11 },
    { x: 81, y, text: rest, size: 8 },
  ];
  const texts = [
    ...prose(720),
    ...smallCapitals(640, "H", "ISTORY"),
    ...prose(620),
    ...smallCapitals(540, "C", "OSTS"),
    ...prose(520),
  ];
  assert.deepEqual(await headingsIn(texts), ["# History", "# Costs"]);
});

Deno.test("readPdf() doesn't read captions as headings", async () => {
  const texts = [...prose(720), { x: 72, y: 640, text: "Table 3. Oil", bold: true }, ...prose(620)];
  assert.deepEqual(await headingsIn(texts), []);
});

Deno.test("readPdf() puts a drop cap in front of its paragraph", async () => {
  const page = [
    { x: 72, y: 692, text: "T", size: 40 },
    { x: 98, y: 720, text: "he lamps along the quay are lit by the keeper every night" },
    { x: 98, y: 706, text: "of the year, and the boats in the bay can see them from the" },
    { x: 98, y: 692, text: "open sea. In a storm the keeper stays awake and watches the" },
    { x: 72, y: 678, text: "mirror turn until the morning comes and the wind drops." },
  ];
  assert.equal(
    await markdownOf(pdf([page]), "application/pdf"),
    "The lamps along the quay are lit by the keeper every night of the year, and the boats in the " +
      "bay can see them from the open sea. In a storm the keeper stays awake and watches the " +
      "mirror turn until the morning comes and the wind drops.",
  );
});

Deno.test("readPdf() reads lines that bookmarks lead to as headings, at the level of their depth", async () => {
  const line = (y: number, text: string, size = 11) => ({ x: 72, y, text, size });
  const pages = [[
    line(740, "The Lighthouse", 20),
    ...prose(720),
    line(664, "1 Tides"),
    ...prose(650),
    line(594, "Spring tides"),
    ...prose(580),
  ], [
    ...prose(720),
    line(664, "Lamps"),
    ...prose(650),
    line(594, "Tides"),
  ]];
  const outline = [["Tides", 0, ["Spring Tides", 0]], ["2. Lamps", 1], ["Boats", 1]] as const;
  const markdown = await markdownOf(outlinedPdf(pages, outline), "application/pdf");
  assert.deepEqual(markdown.split("\n").filter((line) => line.startsWith("#")), [
    "# The Lighthouse",
    "## 1 Tides",
    "### Spring tides",
    "## Lamps",
  ]);
});

Deno.test("readPdf() reads a PDF whose outline is a circle", async () => {
  const file = outlinedPdf([prose(720)], [["Tides", 0], ["Lamps", 0]]);
  const circle = new TextDecoder("latin1").decode(file).replace(
    /\/Next (\d+) 0 R/,
    (next, id) => next.replace(id, String(Number(id) - 1)),
  );
  const bytes = Uint8Array.from(circle, (character) => character.charCodeAt(0));
  assert.match(await markdownOf(bytes, "application/pdf"), /the lamps along the quay/);
});

Deno.test("readPdf() doesn't read bold words that reach almost to the end of a line as a heading", async () => {
  const words = "Elective deferrals of the salary of the keepers and bells.";
  const line = `BT /F2 11 Tf 72 734 Td (${words}) Tj /F1 11 Tf ( The oil) Tj ET`;
  const markdown = await markdownOf(pdf([prose(720, 3)], line), "application/pdf");
  const start = `${words} The oil the lamps along`;
  assert.equal(markdown.slice(0, start.length), start);
  assert.equal(markdown.includes("\n"), false);
});

Deno.test("readPdf() doesn't read text as headings because the small print is longer", async () => {
  const small = Array.from({ length: 14 }, (_, index) => ({
    x: 72,
    y: 300 - 9 * index,
    size: 7,
    text: "a keeper who needs an interpreter tells the harbour office two days before the meeting, "
      .repeat(2),
  }));
  const heading = { x: 72, y: 720, text: "The harbour", bold: true };
  const line = { x: 72, y: 560, text: "Lamps of the keepers" };
  assert.deepEqual(await headingsIn([heading, ...prose(690, 7), line, ...small]), [
    "# The harbour",
  ]);
});
