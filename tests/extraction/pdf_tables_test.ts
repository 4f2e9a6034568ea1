/** Tests for ruled tables in PDFs whose rows are separated by more than lines. */
import assert from "node:assert/strict";
import { markdownOf, pdf, type PdfText } from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";

/** Returns rows with two cells each, 20 points high, starting at `y`. */
function rows(y: number, ...texts: (readonly [string, string])[]): PdfText[] {
  return texts.flatMap(([first, second], at) => [
    { x: 80, y: y - 14 - 20 * at, text: first },
    { x: 180, y: y - 14 - 20 * at, text: second },
  ]);
}

const line = (x: number, y: number, x2: number, y2: number) => `${x} ${y} m ${x2} ${y2} l S`;
const shade = (x: number, y: number, width: number, height: number) =>
  `0.8 g ${x} ${y} ${width} ${height} re f 0 g`;
const sides = [72, 172, 272].map((x) => line(x, 580, x, 660));

Deno.test("readPdf() reads a header row that is separated only by its colour", async () => {
  const page = rows(660, ["Lamp", "Oil"], ["first", "3 l"], ["second", "2 l"], ["third", "4 l"]);
  const drawing = [
    shade(72, 640, 100, 20),
    shade(172, 640, 100, 20),
    ...sides,
    line(72, 620, 272, 620),
    line(72, 600, 272, 600),
    line(72, 580, 272, 580),
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Lamp | Oil |\n| --- | --- |\n| first | 3 l |\n| second | 2 l |\n| third | 4 l |",
  );
});

Deno.test("readPdf() ignores shading behind words or a single column when it splits rows", async () => {
  const page = rows(660, ["Lamp", "Oil"], ["first", "3 l"], ["second", "2 l"], ["third", "4 l"]);
  const drawing = [
    // Shading behind a word, along a column, and across the middle of a line of text.
    shade(78, 604, 40, 14),
    shade(72, 610, 100, 45),
    shade(72, 588, 200, 10),
    ...sides,
    ...[660, 640, 600, 580].map((y) => line(72, y, 272, y)),
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Lamp | Oil |\n| --- | --- |\n| first second | 3 l 2 l |\n| third | 4 l |",
  );
});

Deno.test("readPdf() finds columns where the borders of cells meet without a line in between", async () => {
  const page = rows(660, ["Lamp", "Oil"], ["first", "3 l"], ["second", "2 l"]);
  const drawing = [
    ...[660, 640, 620, 600].flatMap((y) => [line(72, y, 171, y), line(173, y, 272, y)]),
    ...[72, 272].map((x) => line(x, 600, x, 660)),
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Lamp | Oil |\n| --- | --- |\n| first | 3 l |\n| second | 2 l |",
  );
});

Deno.test("readPdf() divides rows of numbers that share the area between two lines", async () => {
  const cells = [["Lamp", "Oil", "Wick"], ["May", "31", "7"], ["June", "25", "6"]];
  const page = cells.flatMap((row, at) =>
    row.map((text, column) => ({
      x: 80 + 100 * column,
      y: 646 - 14 * at - 6 * Math.min(at, 1),
      text,
    }))
  );
  const drawing = [
    ...[660, 640, 600].map((y) => line(72, y, 372, y)),
    ...[72, 172, 272, 372].map((x) => line(x, 600, x, 660)),
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Lamp | Oil | Wick |\n| --- | --- | --- |\n| May | 31 | 7 |\n| June | 25 | 6 |",
  );
});

Deno.test("readPdf() divides columns of numbers that share the area between two lines", async () => {
  const cells = [["Lamps", ""], ["31", "7"], ["25", "16"], ["4", "9"]];
  const page = cells.flatMap(([first, second], at) => [
    { x: 80, y: 646 - 20 * at, text: ["Month", "May", "June", "July"][at]! },
    { x: 180, y: 646 - 20 * at, text: first! },
    ...second === "" ? [] : [{ x: 220, y: 646 - 20 * at, text: second! }],
  ]);
  const drawing = [
    ...[660, 640, 620, 600, 580].map((y) => line(72, y, 272, y)),
    ...sides,
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Month | Lamps | Lamps |\n| --- | --- | --- |\n| May | 31 | 7 |\n| June | 25 | 16 |\n" +
      "| July | 4 | 9 |",
  );
});

Deno.test("readPdf() divides a column without lines that has a text in each row", async () => {
  const page = rows(660, ["Lamp", "Oil"], ["first", "3 l"], ["second", "2 l"], ["third", "4 l"]);
  const drawing = [
    ...[660, 580].map((y) => line(72, y, 172, y)),
    ...[660, 640, 620, 600, 580].map((y) => line(172, y, 272, y)),
    ...sides,
  ].join(" ");
  assert.equal(
    await markdownOf(pdf([page], drawing), TYPE),
    "| Lamp | Oil |\n| --- | --- |\n| first | 3 l |\n| second | 2 l |\n| third | 4 l |",
  );
});

/** Returns texts in columns that start at 72, 220, 290 and 360 points. */
function cells(y: number, ...texts: readonly string[]): PdfText[] {
  return texts.flatMap((text, at) => text === "" ? [] : [{ x: [72, 220, 290, 360][at]!, y, text }]);
}

Deno.test("readPdf() joins the lines of a cell that the other cells of its row are centred on", async () => {
  const page = [
    ...cells(700, "Lamp", "Oil", "Wick"),
    ...[0, 1, 2].flatMap((at) => [
      ...cells(680 - 24 * at, `lamp ${at} on the quay,`),
      ...cells(674 - 24 * at, "", `3${at}`, `${at}`),
      ...cells(668 - 24 * at, "lit by one man"),
    ]),
  ];
  const row = (at: number) => `| lamp ${at} on the quay, lit by one man | 3${at} | ${at} |`;
  assert.equal(
    await markdownOf(pdf([page]), TYPE),
    `| Lamp | Oil | Wick |\n| --- | --- | --- |\n${row(0)}\n${row(1)}\n${row(2)}`,
  );
});

Deno.test("readPdf() keeps a header in its table that is apart from the rows", async () => {
  const page = [
    ...cells(700, "Lamp", "Oil", "Wick"),
    ...["first", "second", "third"].flatMap((text, at) =>
      cells(670 - 14 * at, text, `3${at}`, `${at}`)
    ),
  ];
  assert.equal(
    await markdownOf(pdf([page]), TYPE),
    "| Lamp | Oil | Wick |\n| --- | --- | --- |\n| first | 30 | 0 |\n| second | 31 | 1 |\n" +
      "| third | 32 | 2 |",
  );
});

Deno.test("readPdf() reads a header above several columns, going by the line below it", async () => {
  const page = [
    { x: 72, y: 740, text: "Lamps of the quay" },
    { x: 310, y: 704, text: "Stores" },
    ...cells(686, "Lamp", "Oil", "Wick", "Tar"),
    ...["first", "second", "third"].flatMap((text, at) =>
      cells(666 - 14 * at, text, `3${at}`, `${at}`, `7${at}`)
    ),
  ];
  const drawing = [line(72, 720, 400, 720), line(220, 698, 400, 698), line(72, 680, 400, 680)];
  assert.equal(
    await markdownOf(pdf([page], drawing.join(" ")), TYPE),
    "Lamps of the quay\n\n|  | Stores | Stores | Stores |\n| --- | --- | --- | --- |\n" +
      "| Lamp | Oil | Wick | Tar |\n| first | 30 | 0 | 70 |\n| second | 31 | 1 | 71 |\n" +
      "| third | 32 | 2 | 72 |",
  );
});
