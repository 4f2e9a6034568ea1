/** Rules of lines in PDF that run from right to left: what is seen, back into what was written. */
import assert from "node:assert/strict";
import { toLogicalOrder } from "../../src/extraction/formats/pdf/bidi.ts";
import { glyphText, splitIntoPieces } from "../../src/extraction/formats/pdf/lines.ts";
import type { Glyph } from "../../src/extraction/formats/pdf/page.ts";

const FACE = { font: "F", bold: false, italic: false, mono: false };
const WIDTH = 6;

/** The glyphs of a line as it is seen, from left to right. */
function seen(line: string, left = 0): Glyph[] {
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

/** A word of a script that runs from right to left, as it is seen from left to right. */
const turned = (word: string) => [...word].reverse().join("");

/** What is read of a line, in whatever order the file draws it. */
function written(glyphs: readonly Glyph[]): string {
  const orders = [
    glyphs,
    glyphs.toReversed(),
    // Words first, and all that is no letter after them.
    [...glyphs].sort((a, b) => Number(!/\p{L}/u.test(a.text)) - Number(!/\p{L}/u.test(b.text))),
  ];
  const [text = "", ...others] = orders.map((order) => glyphText(toLogicalOrder(order)));
  for (const other of others) assert.equal(other, text);
  return text;
}

Deno.test("PDF right to left: a number keeps its order, and what joins it to a word its place", () => {
  assert.equal(written(seen(`12%-${turned("ב")}`)), "ב-12%");
  assert.equal(
    written(seen(`.17:30 ${turned("עד")} 48,200 ${turned("יום")}`)),
    "יום 48,200 עד 17:30.",
  );
});

Deno.test("PDF right to left: words and addresses of other scripts keep their order", () => {
  const line = seen(`.Biblia Hebraica ${turned("של")} www.example.org ${turned("אתר")}`);
  assert.equal(written(line), "אתר www.example.org של Biblia Hebraica.");
  assert.equal(
    written(seen(`${turned("למתחילים")} Python 3 ${turned("קורס")}`)),
    "קורס Python 3 למתחילים",
  );
});

Deno.test("PDF right to left: addresses don't tell which way a line runs", () => {
  const line = `user@example.org ${turned("וגם")} https://example.org/path :${turned("כתובת")}`;
  assert.equal(
    splitIntoPieces([seen(line)], 1.2)[0]?.text,
    "כתובת: https://example.org/path וגם user@example.org",
  );
});

Deno.test("PDF right to left: brackets open and close, whether a file names them as seen or as typed", () => {
  for (const [open, close] of ["()", ")("]) {
    const line = seen(`.${open}43,000 ${turned("לעומת")}${close} ${turned("מבקרים")}`);
    assert.equal(written(line), "מבקרים (לעומת 43,000).");
  }
});

Deno.test("PDF right to left: years after Arabic letters are set one by one, after others as a whole", () => {
  assert.equal(written(seen(`2005-1998 ${turned("أعوام")}`)), "أعوام 1998-2005");
  assert.equal(written(seen(`1998-2005 ${turned("שנים")}`)), "שנים 1998-2005");
});

Deno.test("PDF right to left: letters of one ligature and marks above letters stay with them", () => {
  const [lam, alef, kaf] = [...seen("ل", 6), ...seen("ا", 6), ...seen("ك", 0)] as [
    Glyph,
    Glyph,
    Glyph,
  ];
  const mark: Glyph = { ...kaf, text: "\u064b", left: 1, right: 4 };
  const line = [...seen("س", 12), alef, lam, mark, kaf];
  assert.equal(glyphText(toLogicalOrder(line)), "سلاك\u064b");
});

Deno.test("PDF right to left: a letter and its marks that share one form are one letter", () => {
  const [first] = seen("ب", 12);
  const form = ([text = "", left = 0, right = 0]: readonly [string, number, number]): Glyph => ({
    ...(first as Glyph),
    text,
    left,
    right,
  });
  // Two letters with two marks each, in the order of PDFium, which knows the forms as wholes.
  const line = [
    ...([["\u064e", 14, 16], ["\u0651", 16, 18], ["ب", 12, 14]] as const).map(form),
    ...([["\u0651", 8, 10], ["\u064f", 6, 8], ["ت", 10, 12]] as const).map(form),
  ];
  const once = toLogicalOrder(line);
  assert.equal(glyphText(once).normalize(), "ب\u064e\u0651ت\u064f\u0651".normalize());
  assert.equal(glyphText(toLogicalOrder(once)), glyphText(once));
});

Deno.test("PDF right to left: marks that lie alone belong to the letter they lie on", () => {
  const [mark] = seen("\u0651", 13);
  const [word, ...others] = splitIntoPieces(
    [seen(turned("لغة"), 6), [{ ...(mark as Glyph), right: 17 }]],
    1.2,
  );
  assert.deepEqual(others, []);
  assert.equal(word?.text, "لغ\u0651ة");
  const alone = [mark as Glyph];
  assert.deepEqual(toLogicalOrder(alone), alone);
});

Deno.test("PDF right to left: a sign is of the number before it, also where Arabic sets it first", () => {
  assert.equal(written(seen(`%25 ${turned("نسبة")}`)), "نسبة 25%");
  assert.equal(written(seen(`25% ${turned("אחוז")}`)), "אחוז 25%");
});

Deno.test("PDF right to left: the number of an item is no part of the words of other scripts", () => {
  assert.equal(written(seen(`${turned("כתב")} A. Cohen .8`)), "8. A. Cohen כתב");
});

Deno.test("PDF right to left: the number of an item is seen with its dot to the left", () => {
  const [item, ...others] = splitIntoPieces(
    [seen(turned("שיפוץ האולם"), 100), seen(".1", 200)],
    1.2,
  );
  assert.deepEqual(others, []);
  assert.equal(item?.text, "1. שיפוץ האולם");
});
