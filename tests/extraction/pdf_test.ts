/**
 * Tests for reading PDFs: layout, tables, running lines and limits. Lists are tested in
 * pdf_lists_test.ts.
 */
import assert from "node:assert/strict";
import { glyphText } from "../../src/extraction/layout/lines/lines.ts";
import type { Glyph } from "../../src/extraction/layout/page.ts";
import {
  linesOf,
  markdownOf,
  pdf,
  type PdfText,
  PROSE,
  read,
} from "../../testing/extraction_fixtures.ts";

const TYPE = "application/pdf";

Deno.test("readPdf() joins the lines of a paragraph and keeps the gap between paragraphs", async () => {
  const page = [...linesOf(72, 700, ...PROSE), ...linesOf(72, 640, ...PROSE)];
  assert.equal(await markdownOf(pdf([page]), TYPE), `${PROSE.join(" ")}\n\n${PROSE.join(" ")}`);
});

Deno.test("readPdf() turns larger and bold lines into headings whose level depends on their size", async () => {
  const page: PdfText[] = [
    { x: 72, y: 740, text: "Annual report", size: 20, bold: true },
    { x: 72, y: 710, text: "Summary", bold: true },
    ...linesOf(72, 690, ...PROSE),
  ];
  assert.equal(
    await markdownOf(pdf([page]), TYPE),
    `# Annual report\n\n## Summary\n\n${PROSE.join(" ")}`,
  );
});

Deno.test("readPdf() reads columns one after the other", async () => {
  const left = [
    "Left one goes here and on",
    "left two goes here and on",
    "left three goes here and",
    "left four ends here now.",
  ];
  const right = left.map((text) => text.replace(/[Ll]eft/, "right"));
  const page = [...linesOf(72, 700, ...left), ...linesOf(330, 700, ...right)];
  const markdown = await markdownOf(pdf([page]), TYPE);
  assert.ok(markdown.indexOf("left four") < markdown.indexOf("right one"), markdown);
});

Deno.test("readPdf() joins words that are hyphenated at the end of a line", async () => {
  const page = linesOf(
    72,
    700,
    "This long line of text ends in the middle of a hyphen-",
    "ated word and then goes on for quite some time until",
  );
  assert.match(await markdownOf(pdf([page]), TYPE), /hyphenated word/);
});

Deno.test("readPdf() joins the lines of a long title into one heading, even if the first is short", async () => {
  const page: PdfText[] = [
    { x: 72, y: 740, text: "The lamps of Skerry", size: 20 },
    { x: 72, y: 716, text: "and of the islands around it, 1870 to 1920", size: 20 },
    ...linesOf(72, 680, ...PROSE),
  ];
  assert.match(
    await markdownOf(pdf([page]), TYPE),
    /^# The lamps of Skerry and of the islands around it, 1870 to 1920\n\nThe quick/,
  );
});

Deno.test("readPdf() ignores text above a table when it detects columns", async () => {
  const grid = [500, 480, 460].map((y) => `72 ${y} m 284 ${y} l S`).join(" ") + " " +
    [72, 84, 184, 284].map((x) => `${x} 460 m ${x} 500 l S`).join(" ");
  const cells: PdfText[] = [
    { x: 90, y: 486, text: "Name" },
    { x: 190, y: 486, text: "Size" },
    { x: 90, y: 466, text: "Ada" },
    { x: 190, y: 466, text: "36" },
  ];
  assert.match(
    await markdownOf(pdf([[...linesOf(72, 700, ...PROSE), ...cells]], grid), TYPE),
    /\n\n\| Name \| Size \|\n\| --- \| --- \|\n\| Ada \| 36 \|$/,
  );
});

Deno.test("readPdf() treats lines drawn through words as a drawing, not as a table", async () => {
  const arrows = [712, 640].map((y) => `72 ${y} m 372 ${y} l S`).join(" ") + " " +
    [72, 152, 232, 372].map((x) => `${x} 640 m ${x} 712 l S`).join(" ");
  assert.equal(
    await markdownOf(pdf([linesOf(72, 700, ...PROSE)], arrows), TYPE),
    PROSE.join(" "),
  );
});

Deno.test("readPdf() reads a table from its ruling lines, regardless of the text", async () => {
  const grid = [700, 680, 660].map((y) => `72 ${y} m 272 ${y} l S`).join(" ") + " " +
    [72, 172, 272].map((x) => `${x} 660 m ${x} 700 l S`).join(" ");
  const page: PdfText[] = [
    { x: 80, y: 686, text: "Name" },
    { x: 180, y: 686, text: "Size" },
    { x: 80, y: 666, text: "Ada" },
    { x: 180, y: 666, text: "36" },
  ];
  assert.equal(
    await markdownOf(pdf([page], grid), TYPE),
    "| Name | Size |\n| --- | --- |\n| Ada | 36 |",
  );
});

Deno.test("readPdf() turns a short line above a table into a heading if all text is bold", async () => {
  const grid = [700, 680, 660].map((y) => `72 ${y} m 272 ${y} l S`).join(" ") + " " +
    [72, 172, 272].map((x) => `${x} 660 m ${x} 700 l S`).join(" ");
  const page = (title: string): PdfText[] => [
    { x: 72, y: 720, text: title, bold: true },
    { x: 80, y: 686, text: "Name", bold: true },
    { x: 180, y: 686, text: "Ada Lovelace", bold: true },
    { x: 80, y: 666, text: "Born", bold: true },
    { x: 180, y: 666, text: "1815" },
  ];
  const table = "| Name | Ada Lovelace |\n| --- | --- |\n| Born | 1815 |";
  assert.equal(await markdownOf(pdf([page("2. Persons")], grid), TYPE), `# 2. Persons\n\n${table}`);
  const sentence = "These are the persons that we know of.";
  assert.equal(await markdownOf(pdf([page(sentence)], grid), TYPE), `${sentence}\n\n${table}`);
});

Deno.test("readPdf() reads aligned rows without ruling lines as a table", async () => {
  const rows = [["City", "People", "Area"], ["Rome", "2.8", "1285"], ["Oslo", "0.7", "454"], [
    "Bonn",
    "0.3",
    "141",
  ]];
  const page = rows.flatMap((row, index) =>
    row.map((text, column): PdfText => ({ x: 72 + column * 120, y: 700 - index * 16, text }))
  );
  assert.equal(
    await markdownOf(pdf([page]), TYPE),
    "| City | People | Area |\n| --- | --- | --- |\n| Rome | 2.8 | 1285 |\n| Oslo | 0.7 | 454 |\n| Bonn | 0.3 | 141 |",
  );
});

Deno.test("readPdf() omits running headers and page numbers, and marks page breaks", async () => {
  const page = (number: number): PdfText[] => [
    { x: 72, y: 770, text: "Confidential draft" },
    ...linesOf(72, 700, `Page body ${"abc"[number]} begins here and goes on for a while.`),
    { x: 300, y: 30, text: String(number + 1) },
  ];
  const markdown = await markdownOf(pdf([page(0), page(1), page(2)]), TYPE);
  assert.equal(
    markdown,
    [0, 1, 2].map((number) => `Page body ${"abc"[number]} begins here and goes on for a while.`)
      .map((text, index) => index === 0 ? text : `<!-- page ${index + 1} -->\n\n${text}`).join(
        "\n\n",
      ),
  );
});

Deno.test("readPdf() keeps footnotes and dates in small print, and omits small page numbers", async () => {
  const page = (number: number): PdfText[] => [
    {
      x: 72,
      y: 770,
      text: number === 1 ? "Version of 3 May 2024" : `Section ${"abc"[number]}`,
      size: 9,
    },
    ...linesOf(72, 700, `Page body ${"abc"[number]} begins here and goes on.`, ...PROSE),
    number === 1
      ? { x: 72, y: 60, text: "1 See the annual report of the board.", size: 9 }
      : { x: 72, y: 60, text: `The keepers ${number}`, size: 9 },
  ];
  const markdown = await markdownOf(pdf([page(1), page(2)]), TYPE);
  assert.match(markdown, /^Version of 3 May 2024/);
  assert.match(markdown, /1 See the annual report of the board\./);
  assert.match(markdown, /Section c/);
  assert.doesNotMatch(markdown, /The keepers/);
});

Deno.test("readPdf() keeps a footnote that ends in a number or a bracket", async () => {
  for (const note of ["12 See Smith, Lamps (Oxford 1998).", "12 See also pages 14 and 15."]) {
    const page = [...linesOf(72, 700, ...PROSE), { x: 72, y: 60, text: note, size: 9 }];
    assert.ok((await markdownOf(pdf([page]), TYPE)).includes(note));
  }
});

Deno.test("readPdf() keeps numbered lines if there is nothing else in the document", async () => {
  for (const [text, y] of [["Letter number", 740], ["Page", 740], ["Marker", 60]] as const) {
    const file = pdf([1, 2, 3].map((number) => [{ x: 72, y, text: `${text} ${number}` }]));
    assert.equal(
      await markdownOf(file, TYPE),
      `${text} 1\n\n<!-- page 2 -->\n\n${text} 2\n\n<!-- page 3 -->\n\n${text} 3`,
    );
  }
});

Deno.test("readPdf() keeps all lines in a text if they differ only in their numbers", async () => {
  const pages = [1, 2, 3].map((page) =>
    Array.from({ length: 50 }, (_, line) => `Line ${line + 1} of page ${page}`)
  );
  const text = await markdownOf(pdf(pages.map((page) => linesOf(72, 760, ...page))), TYPE);
  for (const line of pages.flat()) assert.ok(text.includes(line), line);
});

Deno.test("readPdf() reads a page that repeats a different page just like the first one", async () => {
  const page = linesOf(72, 760, ...PROSE, ...PROSE, ...PROSE);
  const whole = [...PROSE, ...PROSE, ...PROSE].join(" ");
  assert.equal(
    await markdownOf(pdf([page, page, page]), TYPE),
    [whole, `<!-- page 2 -->`, whole, `<!-- page 3 -->`, whole].join("\n\n"),
  );
});

Deno.test("readPdf() keeps a numbered line above the text if the line is larger or close to the text", async () => {
  const large = pdf([1, 2, 3].map((number) => [
    { x: 72, y: 750, text: `Chapter ${number}`, size: 20 },
    ...linesOf(72, 690, ...PROSE),
  ]));
  assert.match(await markdownOf(large, TYPE), /# Chapter 1[^]*# Chapter 2[^]*# Chapter 3/);
  const close = pdf([1, 2, 3].map((number) => linesOf(72, 750, `§ ${number}`, ...PROSE)));
  assert.match(await markdownOf(close, TYPE), /§ 1[^]*§ 2[^]*§ 3/);
  const apart = pdf([1, 2, 3].map((number) => [
    { x: 72, y: 750, text: `Report, sheet ${number}` },
    ...linesOf(72, 690, ...PROSE),
  ]));
  assert.doesNotMatch(await markdownOf(apart, TYPE), /Report/);
});

Deno.test("readPdf() reads vertical text as one line, including wide letters", async () => {
  const across = "BT /F1 12 Tf 0 1 -1 0 40 300 Tm (Wide words grow upwards) Tj ET";
  assert.equal(
    await markdownOf(pdf([linesOf(72, 700, ...PROSE)], across), TYPE),
    `${PROSE.join(" ")}\n\nWide words grow upwards`,
  );
});

Deno.test("readPdf() keeps repeated lines if there is nothing else on a page", async () => {
  for (const text of ["Hello from page", "Page", "Page number", ""]) {
    const pages = [1, 2, 3, 4, 5].map((number) => `${text} ${number}`.trim());
    assert.equal(
      await markdownOf(pdf(pages.map((line) => [{ x: 72, y: 800, text: line }])), TYPE),
      pages.map((line, index) => index === 0 ? line : `<!-- page ${index + 1} -->\n\n${line}`)
        .join("\n\n"),
    );
  }
});

Deno.test("readPdf() keeps repeated lines if every line on the page is repeated", async () => {
  const page = (number: number): PdfText[] => [
    { x: 72, y: 800, text: `Ticket ${number}` },
    { x: 72, y: 400, text: `Seat ${number}` },
    { x: 72, y: 50, text: `Gate ${number}` },
  ];
  const markdown = await markdownOf(pdf([page(1), page(2), page(3)]), TYPE);
  for (const text of [1, 2, 3].flatMap((n) => [`Ticket ${n}`, `Seat ${n}`, `Gate ${n}`])) {
    assert.ok(markdown.includes(text), text);
  }
});

Deno.test("readPdf() keeps the first and last lines of similar pages at any line spacing", async () => {
  for (const [spacing, count] of [[14, 55], [40, 20]] as const) {
    const page = (number: number) =>
      Array.from({ length: count }, (_, line): PdfText => {
        const words = line > 4 && line < count - 5 ? ` Told of ${"abc"[number - 1]}.` : "";
        return { x: 72, y: 800 - line * spacing, text: `Line ${line + 1} of ${number}.${words}` };
      });
    const markdown = await markdownOf(pdf([page(1), page(2), page(3)]), TYPE);
    for (const number of [1, 2, 3]) {
      for (const line of [1, 2, count - 1, count]) {
        assert.ok(markdown.includes(`Line ${line} of ${number}.`), `line ${line} of ${number}`);
      }
    }
  }
});

Deno.test("readPdf() keeps numbered headings at the top of pages and omits the running header", async () => {
  const page = (number: number): PdfText[] => [
    { x: 72, y: 780, text: "Yearbook", size: 9 },
    { x: 72, y: 755, text: `Chapter ${number}`, size: 20 },
    ...linesOf(72, 700, ...PROSE, ...PROSE),
  ];
  const markdown = await markdownOf(pdf([page(1), page(2), page(3)]), TYPE);
  assert.deepEqual(markdown.match(/Chapter \d/g), ["Chapter 1", "Chapter 2", "Chapter 3"]);
  assert.ok(!markdown.includes("Yearbook"), markdown);
});

Deno.test("readPdf() joins a paragraph that continues on the next page", async () => {
  const file = pdf([
    linesOf(72, 100, "A sentence that begins on the first page and"),
    linesOf(72, 700, "ends on the second."),
  ]);
  assert.match(await markdownOf(file, TYPE), /first page and ends on the second\./);
});

Deno.test("readPdf() checks the page limit before it reads a page", async () => {
  await assert.rejects(read(pdf([[], [], []]), TYPE, { maxPages: 2 }), {
    code: "DOCUMENT_PAGE_LIMIT_EXCEEDED",
    retryable: false,
  });
});

Deno.test("readPdf() throws different errors for damaged files and for empty files", async () => {
  await assert.rejects(read("%PDF-1.4 nothing", TYPE), { code: "DOCUMENT_CORRUPT" });
  await assert.rejects(read(pdf([[]]), TYPE), { code: "EXTRACTED_DOCUMENT_EMPTY" });
});

Deno.test("glyphText() puts an Arabic mark after its letter and adds no space at the gap", () => {
  const face = { font: "", bold: false, italic: false, mono: false };
  const glyph = (text: string, left: number, right: number): Glyph => (
    { text, left, right, top: 0, bottom: 12, size: 12, baseline: 10, face }
  );
  // PDFium's glyphs for a three-letter word with a mark on the second letter. The space has no
  // width.
  const word = [glyph("ي", 20, 23), glyph(" ", 23, 23), glyph("\u064b", 12, 14)];
  const rest = [glyph("ض", 11, 20), glyph("ا", 8, 11)];
  assert.equal(glyphText([...word, ...rest]), "يض\u064bا");
  const apart = [glyph("ي", 30, 33), ...word.slice(1), ...rest];
  assert.equal(glyphText(apart), "ي ض\u064bا");
  const inPlace = [glyph("ض", 11, 20), glyph("\u064b", 12, 14), glyph("ا", 8, 11)];
  assert.equal(glyphText(inPlace), "ض\u064bا");
});

Deno.test("readPdf() keeps a large running header with a number on its first page only", async () => {
  const page = (text: string): PdfText[] => [
    { x: 72, y: 760, size: 16, text: "3. Harbours" },
    { x: 72, y: 700, text },
    { x: 72, y: 686, text: "the lamps along the quay" },
  ];
  const markdown = await markdownOf(
    pdf([page("First day."), page("Second day.")]),
    "application/pdf",
  );
  assert.match(markdown, /^# 3\. Harbours\n\nFirst day/);
  assert.equal(markdown.match(/Harbours/g)?.length, 1);
});
