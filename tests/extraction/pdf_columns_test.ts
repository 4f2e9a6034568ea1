/** Tests for columns side by side in PDFs, and for tables that only alignment gives away. */
import assert from "node:assert/strict";
import { markdownOf, pdf, type PdfText } from "../../testing/extraction_fixtures.ts";

const LEFT = "the lamps along the quay are lit by one man";
const RIGHT = "a boat left for the islands with the mail";

/** Returns `count` lines of text at the same heights as those of the other column. */
function column(x: number, y: number, text: string, count: number): PdfText[] {
  return Array.from({ length: count }, (_, index) => ({ x, y: y - 14 * index, text }));
}

/** Returns rows with cells at the given positions, 14 points high. */
function rows(y: number, xs: readonly number[], cells: readonly (readonly string[])[]): PdfText[] {
  return cells.flatMap((row, index) =>
    row.map((text, at) => ({ x: xs[at]!, y: y - 14 * index, text }))
  );
}

async function read(...pages: (readonly PdfText[])[]): Promise<string> {
  return await markdownOf(pdf(pages), "application/pdf");
}

const OIL = [["Lamp", "Oil", "Wick"], ["first", "31", "7"], ["second", "25", "6"], [
  "third",
  "44",
  "9",
]];
const OIL_TABLE =
  "| Lamp | Oil | Wick |\n| --- | --- | --- |\n| first | 31 | 7 |\n| second | 25 | 6 |\n| third | 44 | 9 |";

Deno.test("readPdf() reads columns whose lines are aligned one after the other", async () => {
  const markdown = await read([...column(72, 700, LEFT, 6), ...column(310, 700, RIGHT, 6)]);
  assert.ok(markdown.startsWith(`${LEFT} ${LEFT}`), markdown);
  assert.ok(markdown.endsWith(`${RIGHT} ${RIGHT}`), markdown);
});

Deno.test("readPdf() reads a table within a column next to running text", async () => {
  const markdown = await read([
    ...column(72, 700, LEFT, 12),
    ...column(310, 700, RIGHT, 6),
    ...rows(600, [310, 370, 420], OIL),
  ]);
  assert.ok(markdown.includes(OIL_TABLE), markdown);
});

Deno.test("readPdf() keeps a table between lines of text whose columns are close to each other", async () => {
  const markdown = await read([
    ...column(72, 700, `${LEFT} ${LEFT}`, 3),
    ...rows(644, [72, 120, 152], OIL),
    ...column(72, 574, `${LEFT} ${LEFT}`, 3),
  ]);
  assert.ok(markdown.includes(`\n\n${OIL_TABLE}\n\n`), markdown);
});

Deno.test("readPdf() doesn't add a column between a heading on the left and numbers on the right", async () => {
  const table = [["Lamp", "Litres of oil", "Wick"], ["first", "31", "7"], ["second", "25", "6"], [
    "third",
    "44",
    "9",
  ]];
  const texts = rows(700, [72, 150, 300], table).map((text) =>
    /^\d\d$/.test(text.text) ? { ...text, x: 230 } : text
  );
  assert.equal(
    await read(texts),
    OIL_TABLE.replace("| Oil |", "| Litres of oil |"),
  );
});

Deno.test("readPdf() joins a table that continues on the next page, and drops its repeated header", async () => {
  const markdown = await read(rows(120, [72, 150, 220], OIL), [
    ...rows(740, [72, 150, 220], [OIL[0]!, ["fourth", "52", "8"], ["fifth", "12", "3"]]),
    ...column(72, 650, `${LEFT} ${LEFT}`, 3),
  ]);
  assert.ok(markdown.startsWith(`${OIL_TABLE}\n| fourth | 52 | 8 |\n| fifth | 12 | 3 |`), markdown);
});

Deno.test("readPdf() doesn't read stretched lines of text as a table", async () => {
  const words = [["the", "lamps", "are", "lit", "by"], ["the", "keeper", "in", "all", "the"], [
    "nights",
    "of",
    "this",
    "long",
    "winter",
  ]];
  const markdown = await read([
    ...rows(700, [72, 112, 156, 190, 222], words),
    ...column(72, 640, "by one man", 1),
  ]);
  assert.ok(!markdown.includes("|"), markdown);
});

Deno.test("readPdf() joins a word that is hyphenated at the end of a line or column", async () => {
  const markdown = await read([
    ...column(72, 700, LEFT, 5),
    { x: 72, y: 630, text: "the keeper lights the lamps of the har-" },
    { x: 310, y: 700, text: "bour in all the nights of the year, and" },
    ...column(310, 686, RIGHT, 5),
  ]);
  assert.ok(markdown.includes("the lamps of the harbour in all the nights"), markdown);
});

Deno.test("readPdf() keeps the hyphen at the end of a line in a word that has one elsewhere", async () => {
  const markdown = await read([
    { x: 72, y: 700, text: "The long-term plan of the office covers the lamps, and the long-" },
    {
      x: 72,
      y: 686,
      text: "term costs of the oil are part of the plan. A short-term loan or a short-",
    },
    { x: 72, y: 672, text: "age of oil is not." },
  ]);
  assert.ok(markdown.includes("the long-term costs of the oil"), markdown);
  assert.ok(markdown.includes("or a shortage of oil"), markdown);
});

Deno.test("readPdf() keeps the names in a balance sheet with their numbers, under their titles", async () => {
  const names = ["Operating account of the harbour", "Capital reserve of the harbour"];
  const numbers = ["119,575.39", "147,507.23", "(1,000.12)"];
  const group = (y: number): PdfText[] => [
    { x: 72, y, text: "Assets" },
    ...rows(y - 14, [72, 300, 380, 460], [...names, ...names].map((name) => [name, ...numbers])),
  ];
  const markdown = await read([
    ...rows(714, [72, 300, 380, 460], [["Account", "May", "June", "July"]]),
    ...[700, 630, 560].flatMap(group),
  ]);
  const row = (name: string) => `| ${name} | ${numbers.join(" | ")} |`;
  const part = ["| Assets |  |  |  |", ...[...names, ...names].map(row)];
  assert.equal(
    markdown,
    ["| Account | May | June | July |", "| --- | --- | --- | --- |", ...part, ...part, ...part]
      .join("\n"),
  );
});

Deno.test("readPdf() separates columns whose lines are at slightly different heights", async () => {
  const texts = [0, 1, 2, 3, 4, 5].flatMap((at) => [
    { x: 60, y: 700 - 10 * at, size: 9, text: "the lamps along the quay are lit" },
    { x: 230, y: 697 - 10 * at, size: 9, text: "a boat left for the islands wit" },
    { x: 400, y: 694 - 10 * at, size: 9, text: "the keeper rang the bell at six" },
  ]);
  const repeat = (text: string) => Array(6).fill(text).join(" ");
  assert.equal(
    await read(texts),
    [
      repeat("the lamps along the quay are lit"),
      repeat("a boat left for the islands wit"),
      repeat("the keeper rang the bell at six"),
    ].join(" "),
  );
});

Deno.test("readPdf() ends two columns at a line drawn across both of them", async () => {
  const above = [...column(72, 700, LEFT, 6), ...column(310, 700, RIGHT, 6)];
  const below = [...column(72, 600, `${RIGHT} now`, 6), ...column(310, 600, `${LEFT} now`, 6)];
  const markdown = await markdownOf(
    pdf([[...above, ...below]], "72 618 m 540 618 l S"),
    "application/pdf",
  );
  const order = [`${LEFT} ${LEFT}`, `${RIGHT} ${RIGHT}`, `${RIGHT} now`, `${LEFT} now`];
  const positions = order.map((text) => markdown.indexOf(text));
  assert.deepEqual(positions, positions.toSorted((a, b) => a - b), markdown);
  assert.ok(!positions.includes(-1), markdown);
});

Deno.test("readPdf() doesn't cut a table where another page has a gutter", async () => {
  const labels = ["oil for the lamps of the northern quay", "oil for the lamps of the older quay"];
  const table = [
    ["District", "May", "June"],
    ...labels.map((text, at) => [text, `${at}7`, `3${at}`]),
  ];
  const markdown = await read(
    [...column(72, 700, LEFT, 6), ...column(310, 700, RIGHT, 6)],
    rows(700, [72, 330, 400], [...table, ["tar", "8", "9"]]),
  );
  assert.ok(
    markdown.endsWith(
      `| District | May | June |\n| --- | --- | --- |\n| ${labels[0]} | 07 | 30 |\n` +
        `| ${labels[1]} | 17 | 31 |\n| tar | 8 | 9 |`,
    ),
    markdown,
  );
});
