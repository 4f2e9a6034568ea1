/** Tests for letters in PDFs that are drawn twice, on top of each other, or upwards. */
import assert from "node:assert/strict";
import { mappedPdf, markdownOf, pdf, type PdfText } from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";
const LINE = "the lamps along the quay are lit by one man";

function column(x: number, y: number, count: number): PdfText[] {
  return Array.from({ length: count }, (_, index) => ({ x, y: y - 14 * index, text: LINE }));
}

/** Returns operators that draw text upwards. */
function upwards(x: number, y: number, text: string): string {
  return `BT /F1 18 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`;
}

Deno.test("readPdf() reads letters once that are drawn twice for a bolder look", async () => {
  const texts = [
    { x: 72, y: 700, text: "Stine 19.5 lamps" },
    { x: 72.4, y: 699.8, text: "Stine 19.5 lamps" },
    { x: 72, y: 680, text: "Hefty 17.9 lamps" },
    { x: 73, y: 679.5, text: "Hefty 17.9 lamps" },
  ];
  assert.equal(
    await markdownOf(pdf([texts]), TYPE),
    "Stine 19.5 lamps Hefty 17.9 lamps",
  );
});

Deno.test("readPdf() keeps double letters and double dots", async () => {
  assert.equal(
    await markdownOf(pdf([[{ x: 72, y: 700, text: "Will it ill..." }]]), TYPE),
    "Will it ill...",
  );
});

Deno.test("readPdf() reads a ligature of two equal letters once if it is drawn twice", async () => {
  // PDFium only leaves out a second copy by itself if it consists of the same parts.
  const content = "BT /F1 11 Tf 72 700 Td (The keeper of the o0er of oil) Tj ET " +
    "BT /F1 11 Tf 73 700 Td (The keeper of the o) Tj (0er of oil) Tj ET";
  assert.equal(
    await markdownOf(mappedPdf(content, ["ff"]), TYPE),
    "The keeper of the offer of oil",
  );
});

Deno.test("readPdf() joins an accent with the letter that it is drawn on", async () => {
  const drawing = `BT /F1 11 Tf 72 700 Td (S) Tj ET BT /F1 11 Tf 80.7 700 Td (\\250) Tj ET ` +
    `BT /F1 11 Tf 79.4 700 Td (ackinger) Tj ET`;
  assert.equal(await markdownOf(pdf([[]], drawing), TYPE), "Säckinger");
});

Deno.test("readPdf() omits a stamp at the side of a page of text", async () => {
  const stamped = pdf([column(72, 700, 12)], upwards(30, 300, "preprint of May 2022"));
  assert.equal(await markdownOf(stamped, TYPE), Array(12).fill(LINE).join(" "));
});

Deno.test("readPdf() reads several lines of text at the side of a page after the page's text", async () => {
  const upwardLines = ["tides of the quay and", "the oil of its lamps, as", "told in May"];
  const sides = upwardLines.map((text, at) => upwards(20 + 20 * at, 300, text)).join(" ");
  const downwardLines = upwardLines.map((text, at) =>
    `BT /F1 11 Tf 0 -1 1 0 ${590 - 14 * at} 500 Tm (${text}) Tj ET`
  ).join(" ");
  for (const drawing of [sides, downwardLines]) {
    assert.equal(
      await markdownOf(pdf([column(120, 700, 12)], drawing), TYPE).then((text) =>
        text.replace(/^#+ /gm, "").replaceAll("\n\n", " ")
      ),
      `${Array(12).fill(LINE).join(" ")} ${upwardLines.join(" ")}`,
    );
  }
});

Deno.test("readPdf() omits lines at the side of several pages", async () => {
  const sides = [0, 1, 2].map((at) => upwards(20 + 20 * at, 300, `line ${at} of the stamp`));
  const page = column(120, 700, 12);
  const markdown = await markdownOf(pdf([page, page], sides.join(" ")), TYPE);
  assert.ok(!markdown.includes("stamp"), markdown);
});

Deno.test("readPdf() reads text that runs upwards as a line in the middle of where it is", async () => {
  const texts = [...column(120, 700, 3), { x: 120, y: 300, text: "tides of the quay" }];
  const markdown = await markdownOf(pdf([texts], upwards(80, 400, "oil in litres")), TYPE);
  assert.equal(markdown, `${LINE} ${LINE} ${LINE}\n\noil in litres\n\ntides of the quay`);
});

Deno.test("readPdf() keeps the order of letters of text that is upside down", async () => {
  const turned = "BT /F1 11 Tf -1 0 0 -1 400 400 Tm (oil in litres) Tj ET";
  const markdown = await markdownOf(pdf([column(72, 700, 3)], turned), TYPE);
  assert.equal(markdown, `${LINE} ${LINE} ${LINE}\n\noil in litres`);
});
