/** Tests for right-to-left lines in PDFs, which are converted from visual to logical order. */
import assert from "node:assert/strict";
import { toLogicalOrder } from "../../src/extraction/layout/lines/bidi.ts";
import { glyphText, splitIntoPieces } from "../../src/extraction/layout/lines/lines.ts";
import type { Glyph } from "../../src/extraction/layout/page.ts";

const FACE = { font: "F", bold: false, italic: false, mono: false };
const WIDTH = 6;

/** Returns the glyphs of a line in visual order, from left to right. */
function visualGlyphs(line: string, left = 0): Glyph[] {
  return [...line].map((text, at) => ({
    text,
    left: left + at * WIDTH,
    right: left + (at + 1) * WIDTH,
    top: 0,
    bottom: 12,
    baseline: 10,
    size: 12,
    face: FACE,
  }));
}

/** Returns a right-to-left word in visual order. */
const reversed = (word: string) => [...word].reverse().join("");

/**
 * Returns the text that is read from a line, and checks that it doesn't depend on the drawing
 * order.
 */
function logicalText(glyphs: readonly Glyph[]): string {
  const orders = [
    glyphs,
    glyphs.toReversed(),
    // Letters first, followed by all other characters.
    [...glyphs].sort((a, b) => Number(!/\p{L}/u.test(a.text)) - Number(!/\p{L}/u.test(b.text))),
  ];
  const [text = "", ...others] = orders.map((order) => glyphText(toLogicalOrder(order)));
  for (const other of others) assert.equal(other, text);
  return text;
}

Deno.test("toLogicalOrder() keeps the order of numbers and the position of a hyphen between a number and a word", () => {
  assert.equal(logicalText(visualGlyphs(`12%-${reversed("ב")}`)), "ב-12%");
  assert.equal(
    logicalText(visualGlyphs(`.17:30 ${reversed("עד")} 48,200 ${reversed("יום")}`)),
    "יום 48,200 עד 17:30.",
  );
});

Deno.test("toLogicalOrder() keeps the order of words and addresses in other scripts", () => {
  const line = visualGlyphs(
    `.Biblia Hebraica ${reversed("של")} www.example.org ${reversed("אתר")}`,
  );
  assert.equal(logicalText(line), "אתר www.example.org של Biblia Hebraica.");
  assert.equal(
    logicalText(visualGlyphs(`${reversed("למתחילים")} Python 3 ${reversed("קורס")}`)),
    "קורס Python 3 למתחילים",
  );
});

Deno.test("splitIntoPieces() ignores addresses when it detects the direction of a line", () => {
  const line = `user@example.org ${reversed("וגם")} https://example.org/path :${reversed("כתובת")}`;
  assert.equal(
    splitIntoPieces([visualGlyphs(line)], 1.2)[0]?.text,
    "כתובת: https://example.org/path וגם user@example.org",
  );
});

Deno.test("toLogicalOrder() reads brackets in both visual and logical form", () => {
  for (const [open, close] of ["()", ")("]) {
    const line = visualGlyphs(`.${open}43,000 ${reversed("לעומת")}${close} ${reversed("מבקרים")}`);
    assert.equal(logicalText(line), "מבקרים (לעומת 43,000).");
  }
});

Deno.test("toLogicalOrder() reverses a range of years after Arabic letters but not after Hebrew letters", () => {
  assert.equal(logicalText(visualGlyphs(`2005-1998 ${reversed("أعوام")}`)), "أعوام 1998-2005");
  assert.equal(logicalText(visualGlyphs(`1998-2005 ${reversed("שנים")}`)), "שנים 1998-2005");
});

Deno.test("toLogicalOrder() keeps the letters of a ligature together, and marks with their letters", () => {
  const [lam, alef, kaf] = [
    ...visualGlyphs("ل", 6),
    ...visualGlyphs("ا", 6),
    ...visualGlyphs("ك", 0),
  ] as [
    Glyph,
    Glyph,
    Glyph,
  ];
  const mark: Glyph = { ...kaf, text: "\u064b", left: 1, right: 4 };
  const line = [...visualGlyphs("س", 12), alef, lam, mark, kaf];
  assert.equal(glyphText(toLogicalOrder(line)), "سلاك\u064b");
});

Deno.test("toLogicalOrder() keeps a letter together with marks that share its form", () => {
  const [first] = visualGlyphs("ب", 12);
  const form = ([text = "", left = 0, right = 0]: readonly [string, number, number]): Glyph => ({
    ...(first as Glyph),
    text,
    left,
    right,
  });
  // Two letters with two marks each, in PDFium's order. PDFium knows each of these forms as a
  // whole.
  const line = [
    ...([["\u064e", 14, 16], ["\u0651", 16, 18], ["ب", 12, 14]] as const).map(form),
    ...([["\u0651", 8, 10], ["\u064f", 6, 8], ["ت", 10, 12]] as const).map(form),
  ];
  const once = toLogicalOrder(line);
  assert.equal(glyphText(once).normalize(), "ب\u064e\u0651ت\u064f\u0651".normalize());
  assert.equal(glyphText(toLogicalOrder(once)), glyphText(once));
});

Deno.test("splitIntoPieces() attaches separate marks to the letter below them", () => {
  const [mark] = visualGlyphs("\u0651", 13);
  const [word, ...others] = splitIntoPieces(
    [visualGlyphs(reversed("لغة"), 6), [{ ...(mark as Glyph), right: 17 }]],
    1.2,
  );
  assert.deepEqual(others, []);
  assert.equal(word?.text, "لغ\u0651ة");
  const alone = [mark as Glyph];
  assert.deepEqual(toLogicalOrder(alone), alone);
});

Deno.test("toLogicalOrder() keeps a percent sign with its number, even if Arabic puts the sign first", () => {
  assert.equal(logicalText(visualGlyphs(`%25 ${reversed("نسبة")}`)), "نسبة 25%");
  assert.equal(logicalText(visualGlyphs(`25% ${reversed("אחוז")}`)), "אחוז 25%");
});

Deno.test("toLogicalOrder() separates an item number from words in other scripts", () => {
  assert.equal(logicalText(visualGlyphs(`${reversed("כתב")} A. Cohen .8`)), "8. A. Cohen כתב");
});

Deno.test("splitIntoPieces() reads an item number that has its dot on the left", () => {
  const [item, ...others] = splitIntoPieces(
    [visualGlyphs(reversed("שיפוץ האולם"), 100), visualGlyphs(".1", 200)],
    1.2,
  );
  assert.deepEqual(others, []);
  assert.equal(item?.text, "1. שיפוץ האולם");
});

/** Returns glyphs with the given edges, in the order in which the file has them. */
function glyphsAt(...forms: readonly (readonly [string, number, number])[]): Glyph[] {
  const [first] = visualGlyphs("x");
  return forms.map(([text, left, right]) => ({ ...first as Glyph, text, left, right }));
}

Deno.test("toLogicalOrder() goes by the order in the file if letters are above each other", () => {
  // As drawn in a calligraphic font: the third letter is below the second, and wider.
  const line = glyphsAt(["ا", 30, 33], ["ل", 26, 30], ["ل", 21, 27], ["ج", 20.5, 29.2], [
    "ن",
    17,
    21,
  ], ["ة", 12, 17]);
  assert.equal(glyphText(toLogicalOrder(line)), "اللجنة");
  assert.equal(glyphText(toLogicalOrder(toLogicalOrder(line))), "اللجنة");
});

Deno.test("glyphText() keeps a mark with the letter in front of it, even if it sticks out", () => {
  const line = glyphsAt(["س", 26, 33], ["ي", 20.5, 26], ["\u064f", 17.8, 23], ["ف", 15, 20.8], [
    "ت",
    10,
    15,
  ]);
  assert.equal(glyphText(toLogicalOrder(line)), "سي\u064fفت");
});

Deno.test("toLogicalOrder() doesn't take gaps in a font for spaces in a line that has spaces", () => {
  const word = (left: number) =>
    glyphsAt(["ع", left + 12, left + 17], ["ا", left + 9, left + 12], ["د", left, left + 6]);
  const space = glyphsAt([" ", 17, 20]);
  assert.equal(glyphText(toLogicalOrder([...word(20), ...space, ...word(0)])), "عاد عاد");
  assert.equal(glyphText(toLogicalOrder(word(0))), "عا د");
});
