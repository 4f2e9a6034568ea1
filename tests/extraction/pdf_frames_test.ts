/** Tests boxes drawn around text in PDFs: the text in each box stays together. */
import assert from "node:assert/strict";
import { linesOf, markdownOf, pdf, PROSE } from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";
const LEFT = ["Keepers light the lamp", "and note the hour."];
const RIGHT = ["Pilots wait for the tide", "and go out in pairs."];

Deno.test("readPdf() keeps the lines in two adjacent boxes apart", async () => {
  // The boxes are shorter than text columns, and their lines aren't aligned.
  const page = [
    ...linesOf(72, 720, ...PROSE),
    ...linesOf(80, 620, ...LEFT),
    ...linesOf(220, 613, ...RIGHT),
  ];
  const boxes = "76 594 134 42 re S 216 587 134 42 re S";
  assert.equal(
    await markdownOf(pdf([page], boxes), TYPE),
    `${PROSE.join(" ")}\n\n${LEFT.join(" ")}\n\n${RIGHT.join(" ")}`,
  );
});

Deno.test("readPdf() reads boxes connected by lines as text, not as a table", async () => {
  const page = [
    ...linesOf(72, 720, ...PROSE),
    ...linesOf(80, 640, "Lamp lit?"),
    ...linesOf(240, 640, "Light it"),
    ...linesOf(80, 560, "Write the log"),
  ];
  const drawing = [
    "76 625 100 30 re 236 625 100 30 re 76 545 100 30 re S",
    "176 640 m 236 640 l 126 625 m 126 575 l 286 625 m 286 560 l 176 560 l S",
  ].join(" ");
  const markdown = await markdownOf(pdf([page], drawing), TYPE);
  assert.doesNotMatch(markdown, /\|/);
  assert.match(markdown, /Lamp lit\?\n\nLight it\n\nWrite the log$/);
});

Deno.test("readPdf() reads boxes that share edges or are divided by lines as cells", async () => {
  const page = [
    ...linesOf(80, 640, "Lamp"),
    ...linesOf(180, 640, "Oil"),
    ...linesOf(80, 620, "first"),
    ...linesOf(180, 620, "3 l"),
  ];
  const table = "| Lamp | Oil |\n| --- | --- |\n| first | 3 l |";
  const cells = "76 634 100 20 re 176 634 100 20 re 76 614 100 20 re 176 614 100 20 re S";
  assert.equal(await markdownOf(pdf([page], cells), TYPE), table);
  const parted = "76 614 200 40 re S 76 634 m 276 634 l S 176 614 m 176 654 l S";
  assert.equal(await markdownOf(pdf([page], parted), TYPE), table);
});
