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
