/** Tests lists in PDFs: lines that start an item, and lines that only look like it. */
import assert from "node:assert/strict";
import {
  linesOf,
  mappedPdf,
  markdownOf,
  pdf,
  type PdfText,
  PROSE,
} from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";

Deno.test("readPdf() makes lists from bullets and numbers, and joins hanging lines to their item", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 90, y: 660, text: "\x95 First item of the list which is so long that" },
    { x: 100, y: 646, text: "it needs another line" },
    { x: 90, y: 632, text: "\x95 Second item" },
  ];
  assert.match(
    await markdownOf(pdf([page]), TYPE),
    /- First item of the list which is so long that it needs another line\n- Second item$/,
  );
});

Deno.test("readPdf() makes lists from drawn bullets but not from dots elsewhere", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 100, y: 660, text: "First item" },
    { x: 100, y: 646, text: "Second item" },
    { x: 130, y: 632, text: "Below it" },
  ];
  const dot = (x: number, y: number) => `${x} ${y} 4 4 re f`;
  const bullets = [dot(88, 662), dot(88, 648), dot(118, 634)].join(" ");
  const text = PROSE.join(" ");
  assert.equal(
    await markdownOf(pdf([page], bullets), TYPE),
    `${text}\n\n- First item\n- Second item\n    - Below it`,
  );
  const elsewhere = [dot(88, 690), dot(40, 662), dot(300, 648)].join(" ");
  assert.doesNotMatch(await markdownOf(pdf([page], elsewhere), TYPE), /^\s*-/m);
});

Deno.test("readPdf() starts an item at a capital letter with a dot only next to similar items", async () => {
  const letter = [...linesOf(72, 720, ...PROSE), ...linesOf(72, 640, "E. Lindqvist")];
  assert.match(await markdownOf(pdf([letter]), TYPE), /\n\nE\. Lindqvist$/);
  const list = linesOf(72, 720, "A. Lamps", "B. Lenses", "C. Mantles", "I. Keepers", "II. Pilots");
  assert.equal(
    await markdownOf(pdf([list]), TYPE),
    "- A. Lamps\n- B. Lenses\n- C. Mantles\n- I. Keepers\n- II. Pilots",
  );
});

Deno.test("readPdf() reads multilevel numbers as items if they count up, and otherwise as quantities", async () => {
  const list = linesOf(
    72,
    700,
    "1. Sea",
    "1.1. Tides",
    "1.1.1. Spring tides",
    "1.2. Currents",
    "2. Land",
  );
  assert.equal(
    await markdownOf(pdf([list]), TYPE),
    "1. Sea\n    - 1.1. Tides\n        - 1.1.1. Spring tides\n    - 1.2. Currents\n2. Land",
  );
  const text = linesOf(
    72,
    700,
    "The buoys of the northern channel crept by a distance of",
    "3.4 Norwegian miles a year, those in the southern one by",
    "2.1 Danish miles, which is more than anybody had expected.",
  );
  assert.equal(
    await markdownOf(pdf([text]), TYPE),
    "The buoys of the northern channel crept by a distance of 3.4 Norwegian miles a year, those in " +
      "the southern one by 2.1 Danish miles, which is more than anybody had expected.",
  );
});

Deno.test("readPdf() omits zero-width spaces after bullets, and keeps joiners in words", async () => {
  const digits = [..."●\u200b\u2060\ufeffक\u094d\u200dष\u200c"];
  const content = [700, 686].map((y) =>
    `BT /F1 11 Tf 90 ${y} Td (0) Tj 12 0 Td (1) Tj 6 0 Td (Oil 23lamps 4567854) Tj ET`
  ).join(" ");
  const item = "- Oil lamps क\u094d\u200dष\u200c\u094dक";
  assert.equal(await markdownOf(mappedPdf(content, digits), TYPE), `${item}\n${item}`);
});
