/** Tests for the Markdown writer. */
import assert from "node:assert/strict";
import type { Block, Span } from "../../src/extraction/model.ts";
import { heading, paragraph, textCell, textTable } from "../../src/extraction/model.ts";
import { hasReadableText, writeMarkdown } from "../../src/extraction/writer.ts";

const write = (...blocks: Block[]) => writeMarkdown(blocks, 1_000_000).trimEnd();
const spans = (...list: Span[]) => write({ kind: "paragraph", spans: list });

Deno.test("writeMarkdown() repeats the text of a merged cell in every row and column", () => {
  const rows = [
    [textCell("Name"), textCell("Value", 2)],
    [textCell("a", 1, 2), textCell("1"), textCell("2")],
    [textCell("3"), textCell("4")],
  ];
  assert.equal(
    write({ kind: "table", rows }),
    "| Name | Value | Value |\n| --- | --- | --- |\n| a | 1 | 2 |\n| a | 3 | 4 |",
  );
});

Deno.test("writeMarkdown() writes a long text of a merged cell once", () => {
  const long = "The keeper writes the log. ".repeat(10).trim();
  assert.equal(
    write({ kind: "table", rows: [[textCell("a"), textCell("b")], [textCell(long, 2)]] }),
    `| a | b |\n| --- | --- |\n| ${long} |  |`,
  );
});

Deno.test("writeMarkdown() takes a huge column span for all columns", () => {
  const rows = Array.from({ length: 800 }, () => [textCell("a"), textCell("b", 1_000)]);
  assert.ok(write({ kind: "table", rows }).startsWith("| a | b | b |\n"));
});

Deno.test("writeMarkdown() omits empty table rows and escapes pipes in cells", () => {
  assert.equal(write(textTable([["a|b"], [""], ["c"]])), "| a\\|b |\n| --- |\n| c |");
});

Deno.test("writeMarkdown() nests items under their parent and separates adjacent lists", () => {
  const item = (level: number, text: string, list: string, number?: number): Block => ({
    kind: "item",
    level,
    list,
    spans: [{ text }],
    ...(number === undefined ? {} : { number }),
  });
  assert.equal(
    write(
      item(0, "one", "a", 1),
      item(1, "inner", "a"),
      item(0, "two", "a", 2),
      item(0, "new", "b", 1),
    ),
    "1. one\n    - inner\n2. two\n\n1. new",
  );
  const siblings = [item(1, "1.1 a", "c"), item(1, "1.2 b", "c"), item(3, "deep", "c")];
  assert.equal(
    write(...siblings, item(3, "deep too", "c")),
    "- 1.1 a\n- 1.2 b\n    - deep\n    - deep too",
  );
});

Deno.test("writeMarkdown() puts emphasis marks directly around the words", () => {
  assert.equal(spans({ text: "a " }, { text: "bold ", bold: true }, { text: "b" }), "a **bold** b");
  assert.equal(spans({ text: "both", bold: true, italic: true }), "***both***");
});

Deno.test("writeMarkdown() escapes only text that would be read as markup", () => {
  assert.equal(spans({ text: "snake_case_name costs 5 * 3" }), "snake_case_name costs 5 * 3");
  assert.equal(spans({ text: "_a_ and *b*" }), "\\_a\\_ and \\*b\\*");
  assert.equal(spans({ text: "# no heading" }), "\\# no heading");
  assert.equal(spans({ text: "1. no list" }), "1\\. no list");
  assert.equal(spans({ text: "a < b, <b> & &amp;" }), "a < b, &lt;b> & &amp;amp;");
});

Deno.test("writeMarkdown() removes script and data links but keeps their text", () => {
  assert.equal(spans({ text: "click", href: "javascript:alert(1)" }), "click");
  assert.equal(
    spans({ text: "click", href: "https://a.b/c d(e)" }),
    "[click](https://a.b/c%20d%28e%29)",
  );
});

Deno.test("writeMarkdown() makes a fence longer than any fence in the code", () => {
  assert.equal(write({ kind: "code", text: "```\nx" }), "````\n```\nx\n````");
});

Deno.test("writeMarkdown() rejects a document over the limit", () => {
  assert.throws(() => writeMarkdown([paragraph("x".repeat(50)), heading(1, "y")], 40), {
    code: "EXTRACTED_DOCUMENT_TOO_LARGE",
  });
});

Deno.test("writeMarkdown() allows a text exactly at the limit and omits its final line feed", () => {
  const write = (length: number) => writeMarkdown([paragraph("x".repeat(length))], 40);
  assert.equal(write(39), `${"x".repeat(39)}\n`);
  assert.equal(write(40), "x".repeat(40));
  assert.throws(() => write(41), { code: "EXTRACTED_DOCUMENT_TOO_LARGE" });
});

Deno.test("hasReadableText() ignores page marks and images without a description", () => {
  assert.equal(hasReadableText("<!-- page 2 -->\n\n<!-- image -->"), false);
  assert.equal(hasReadableText("<!-- page 2 -->\n\nx"), true);
});
