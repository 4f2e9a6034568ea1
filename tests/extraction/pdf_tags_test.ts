/** Tests for tagged PDFs: the tags decide what is a heading, an item, a cell or a page number. */
import assert from "node:assert/strict";
import {
  markdownOf,
  type PdfTag,
  type PdfText,
  taggedPdf,
} from "../../testing/extraction_fixtures.ts";

const PROSE = "the lamps along the quay are lit by the keeper every night of the year";

function prose(y: number, mark: number, count = 3): PdfText[] {
  return Array.from(
    { length: count },
    (_, index) => ({ x: 72, y: y - 14 * index, text: PROSE, mark }),
  );
}

Deno.test("readPdf() takes headings from the tags even if they look like text", async () => {
  const texts = [
    { x: 72, y: 740, text: "Plain heading", mark: 0 },
    ...prose(720, 1),
    { x: 72, y: 660, text: "Bold but text", bold: true, mark: 2 },
    { x: 72, y: 640, text: "Below", size: 20, mark: 3 },
    ...prose(610, 4),
  ];
  const tags = [["H2", 0], ["P", 1], ["P", 2], ["H3", 3], ["P", 4]] as const;
  const text = `T${PROSE.slice(1)} ${PROSE} ${PROSE}`;
  assert.equal(
    await markdownOf(
      taggedPdf(
        texts.map((line, index) => ({
          ...line,
          text: [1, 6].includes(index) ? `T${PROSE.slice(1)}` : line.text,
        })),
        tags,
      ),
      "application/pdf",
    ),
    `## Plain heading\n\n${text}\n\nBold but text\n\n### Below\n\n${text}`,
  );
});

Deno.test("readPdf() takes items and their levels from the tags", async () => {
  const texts = [
    { x: 72, y: 700, text: "Oil", mark: 0 },
    { x: 72, y: 686, text: "from the north", mark: 0 },
    { x: 72, y: 672, text: "Wick", mark: 1 },
    { x: 72, y: 658, text: "Glass", mark: 2 },
  ];
  const tags = [
    ["L", ["LI", ["LBody", ["P", 0]]], ["LI", ["LBody", ["P", 1], ["L", ["LI", ["LBody", [
      "P",
      2,
    ]]]]]]],
  ] as const;
  assert.equal(
    await markdownOf(taggedPdf(texts, tags), "application/pdf"),
    "- Oil from the north\n- Wick\n    - Glass",
  );
});

Deno.test("readPdf() takes cells from the tags, and page numbers from their absence", async () => {
  const texts = [
    { x: 72, y: 700, text: "Lamp", mark: 0 },
    { x: 110, y: 700, text: "Oil", mark: 1 },
    { x: 72, y: 686, text: "the first", mark: 2 },
    { x: 72, y: 672, text: "of all", mark: 2 },
    { x: 125, y: 686, text: "31", mark: 3 },
    ...prose(600, 4),
    { x: 300, y: 30, text: "Harbour office, 1" },
  ];
  const tags = [
    ["Table", ["TR", ["TH", 0], ["TH", 1]], ["TR", ["TD", ["P", 2]], ["TD", 3]]],
    ["P", 4],
  ] as const;
  assert.equal(
    await markdownOf(taggedPdf(texts, tags), "application/pdf"),
    `| Lamp | Oil |\n| --- | --- |\n| the first of all | 31 |\n\n${PROSE} ${PROSE} ${PROSE}`,
  );
});

Deno.test("readPdf() keeps a tagged line of small print", async () => {
  const texts: PdfText[] = [
    ...prose(700, 0),
    { x: 72, y: 40, text: "File number 12", size: 8, mark: 1 },
  ];
  const markdown = await markdownOf(taggedPdf(texts, [["P", 0], ["P", 1]]), "application/pdf");
  assert.match(markdown, /File number 12$/);
});

Deno.test("readPdf() omits a page number that is tagged as a paragraph, and keeps a heading", async () => {
  const file = (y: number, size: number, type: string) =>
    taggedPdf(
      [...prose(600, 0), { x: 300, y, text: "12", size, mark: 1 }],
      [["P", 0], [type, 1]],
    );
  assert.doesNotMatch(await markdownOf(file(30, 11, "P"), "application/pdf"), /12/);
  assert.match(await markdownOf(file(750, 20, "H1"), "application/pdf"), /^# 12$/m);
});

Deno.test("readPdf() ignores the tags of a program that makes each line a paragraph", async () => {
  const texts = [0, 1, 2, 3].map((mark) => ({ x: 72, y: 700 - 14 * mark, text: PROSE, mark }));
  const tags = [["P", 0], ["P", 1], ["P", 2], ["P", 3]] as const;
  assert.equal(
    await markdownOf(taggedPdf(texts, tags), "application/pdf"),
    [PROSE, PROSE, PROSE, PROSE].join(" "),
  );
});

const GRID = [
  ["Lamp", "Oil", "Wick", "Keeper"],
  ["first", "31", "7", "Ida"],
  ["second", "", "6", ""],
  ["third", "44", "", "Ole"],
];

/** Returns a tagged table with `GRID`, with or without the tags of empty cells. */
function grid(omitsEmpty: boolean): Uint8Array {
  const texts: PdfText[] = prose(740, 0);
  const table = GRID.map((row, y): PdfTag => [
    "TR",
    ...row.flatMap((text, x): PdfTag[] => {
      if (text === "") return omitsEmpty ? [] : [["TD"]];
      const mark = texts.length;
      texts.push({ x: 72 + 60 * x, y: 660 - 14 * y, text, mark });
      return [["TD", mark]];
    }),
  ]);
  return taggedPdf(texts, [["P", 0], ["Table", ...table]]);
}

Deno.test("readPdf() puts cells in their columns if the tags omit empty cells", async () => {
  const rows = GRID.map((row) => `| ${row.join(" | ")} |`);
  const expected = [rows[0], "| --- | --- | --- | --- |", ...rows.slice(1)].join("\n");
  for (const file of [grid(true), grid(false)]) {
    const markdown = await markdownOf(file, "application/pdf");
    assert.equal(markdown.slice(markdown.indexOf("|")), expected);
  }
});
