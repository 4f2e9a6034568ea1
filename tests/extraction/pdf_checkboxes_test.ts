/** Tests checkboxes in PDFs: the text shows which ones are checked. */
import assert from "node:assert/strict";
import {
  linesOf,
  markdownOf,
  pdf,
  type PdfText,
  PROSE,
} from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";
const text = PROSE.join(" ");

/**
 * Drawing operators for an empty box, and for boxes with a cross, a check mark and a dark square.
 */
const box = (x: number, y: number) => `${x} ${y} 9 9 re S`;
const crossed = (x: number, y: number) =>
  `${box(x, y)} ${x} ${y} m ${x + 9} ${y + 9} l ${x} ${y + 9} m ${x + 9} ${y} l S`;
const ticked = (x: number, y: number) =>
  `${box(x, y)} ${x + 2} ${y + 5} m ${x + 4} ${y + 2} l ${x + 8} ${y + 8} l S`;
const filled = (x: number, y: number) => `${x + 1} ${y + 1} 7 7 re f ${box(x, y)}`;

Deno.test("readPdf() marks each item in a list of drawn boxes as checked or unchecked", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 100, y: 660, text: "Lamp lit" },
    { x: 100, y: 646, text: "Log written" },
    { x: 100, y: 632, text: "Boat moored" },
    { x: 100, y: 618, text: "Door locked" },
  ];
  const boxes = [box(86, 659), crossed(86, 645), ticked(86, 631), filled(86, 617)].join(" ");
  assert.equal(
    await markdownOf(pdf([page], boxes), TYPE),
    `${text}\n\n- ☐ Lamp lit\n- ☒ Log written\n- ☒ Boat moored\n- ☒ Door locked`,
  );
});

Deno.test("readPdf() keeps boxes between words in their line, without making a table", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 72, y: 660, text: "Manned?" },
    { x: 136, y: 660, text: "Yes" },
    { x: 176, y: 660, text: "No" },
  ];
  assert.equal(
    await markdownOf(pdf([page], `${box(124, 659)} ${crossed(164, 659)}`), TYPE),
    `${text}\n\nManned? ☐ Yes ☒ No`,
  );
});

Deno.test("readPdf() treats a box with a typed letter as checked", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 88, y: 660, text: "x", size: 9 },
    { x: 100, y: 660, text: "Lamp lit" },
  ];
  assert.match(await markdownOf(pdf([page], box(86, 658)), TYPE), /\n\n- ☒ Lamp lit$/);
});

Deno.test("readPdf() does not treat input squares in a row, single dark squares or chart legends as checkboxes", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 72, y: 660, text: "Code" },
    { x: 100, y: 640, text: "First" },
    { x: 100, y: 626, text: "Second" },
  ];
  const row = [0, 1, 2, 3].map((at) => box(102 + 9 * at, 659)).join(" ");
  assert.doesNotMatch(await markdownOf(pdf([page], row), TYPE), /[☐☒]/);
  const keys = "1 0.4 0 rg 88 641 6 6 re 88 627 6 6 re B 0 g";
  assert.doesNotMatch(await markdownOf(pdf([page], keys), TYPE), /[☐☒]/);
  const dark = [640, 626].map((y) => `88 ${y + 1} 6 6 re B`).join(" ");
  assert.doesNotMatch(await markdownOf(pdf([page], dark), TYPE), /[☐☒]/);
});

Deno.test("readPdf() reads the state of form field checkboxes", async () => {
  const page: PdfText[] = [
    ...linesOf(72, 720, ...PROSE),
    { x: 100, y: 660, text: "Lamp lit" },
    { x: 100, y: 646, text: "Log written" },
  ];
  const field = (y: number, state: string) =>
    `<</Type/Annot/Subtype/Widget/FT/Btn/T(a${y})/Rect[86 ${y} 95 ${
      y + 9
    }]/V/${state}/AS/${state}>>`;
  const file = pdf([page], "", field(659, "Off") + field(645, "Yes"));
  assert.equal(await markdownOf(file, TYPE), `${text}\n\n- ☐ Lamp lit\n- ☒ Log written`);
});
