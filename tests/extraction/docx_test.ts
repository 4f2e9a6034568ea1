/** Tests for reading DOCX. */
import assert from "node:assert/strict";
import { docx, markdownOf, read, wordParagraph } from "../../testing/extraction_fixtures.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const STYLES = `<w:styles>
  <w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Chapter"/><w:basedOn w:val="H1"/></w:style>
</w:styles>`;
const NUMBERING = `<w:numbering><w:abstractNum w:abstractNumId="0">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2."/></w:lvl>
  </w:abstractNum><w:abstractNum w:abstractNumId="1">
  <w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
const list = (id: number, level = 0) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;

Deno.test("readDocx() gets heading levels from styles and from the styles they are based on", async () => {
  const body = wordParagraph("Report", style("T")) + wordParagraph("One", style("H1")) +
    wordParagraph("Two", style("Own")) + wordParagraph("Text");
  assert.equal(
    await markdownOf(docx(body, { "styles.xml": STYLES }), TYPE),
    "# Report\n\n## One\n\n## Two\n\nText",
  );
});

Deno.test("readDocx() continues numbering after a different list and keeps compound numbers", async () => {
  const body = wordParagraph("a", list(1)) + wordParagraph("inner", list(1, 1)) +
    wordParagraph("dot", list(2)) + wordParagraph("b", list(1));
  assert.equal(
    await markdownOf(docx(body, { "numbering.xml": NUMBERING }), TYPE),
    "1. a\n    - 1.1. inner\n\n- dot\n\n2. b".replace("inner\n\n-", "inner\n-"),
  );
});

Deno.test("readDocx() reads inserted text and skips deleted and hidden text", async () => {
  const body =
    `<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>` +
    `<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>`;
  assert.equal(await markdownOf(docx(body), TYPE), "new");
});

Deno.test("readDocx() reads links, notes and equations", async () => {
  const body = `<w:p><w:hyperlink r:id="link"><w:r><w:t>site</w:t></w:r></w:hyperlink>` +
    `<w:r><w:footnoteReference w:id="2"/></w:r></w:p>` +
    `<w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>`;
  const footnotes =
    `<w:footnotes><w:footnote w:id="2"><w:p><w:r><w:t>The note</w:t></w:r></w:p></w:footnote></w:footnotes>`;
  assert.equal(
    await markdownOf(docx(body, { "footnotes.xml": footnotes }), TYPE),
    "[site](https://example.org/)[^2]\n\n$$\\frac{a}{b}$$\n\n[^2]: The note",
  );
});

Deno.test("readDocx() separates adjacent formulas", async () => {
  const math = (text: string) => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`;
  const body = `<w:p>${math("a=b")}${math("c=d")}</w:p><w:p><w:r><w:t>As </w:t></w:r>${
    math("a=b")
  }${math("c=d")}</w:p>`;
  assert.equal(await markdownOf(docx(body), TYPE), "$$a=b$$\n\n$$c=d$$\n\nAs $a=b$ $c=d$");
});

Deno.test("readDocx() keeps the operators, function names and braces of formulas", async () => {
  const run = (text: string, properties = "") => `<m:r>${properties}<m:t>${text}</m:t></m:r>`;
  const e = (content: string) => `<m:e>${content}</m:e>`;
  const limit = (content: string, under: string) =>
    `<m:limLow>${e(content)}<m:lim>${run(under)}</m:lim></m:limLow>`;
  const formulas: readonly (readonly [string, string])[] = [
    [
      `<m:nary><m:naryPr><m:chr m:val="⋃"/></m:naryPr><m:sub>${run("n")}</m:sub><m:sup/>${
        e(run("X∧Y"))
      }</m:nary>`,
      "\\bigcup_{n}{X\\wedge Y}",
    ],
    [
      `<m:func><m:fName>${limit(run("lim"), "n→∞")}</m:fName>${e(run("x"))}</m:func>`,
      "\\lim_{n\\to \\infty }{x}",
    ],
    [limit(run("argmax"), "ϵ") + run("f"), "\\operatorname{argmax}_{\\epsilon }f"],
    [
      limit(`<m:groupChr>${e(run("S+T"))}</m:groupChr>`, "all of it"),
      "\\underbrace{S+T}_{all\\ of\\ it}",
    ],
    [
      `<m:groupChr><m:groupChrPr><m:chr m:val="⏞"/><m:pos m:val="top"/></m:groupChrPr>${
        e(run("S"))
      }</m:groupChr>`,
      "\\overbrace{S}",
    ],
    [`<m:eqArr>${e(run("a=b"))}</m:eqArr>`, "a=b"],
    [run("x") + run(" if y", "<m:rPr><m:nor/></m:rPr>"), "x\\text{ if y}"],
    [
      `<m:d><m:dPr><m:begChr m:val="⟨"/><m:endChr m:val="⟩"/></m:dPr>${e(run("v"))}</m:d>`,
      "\\left\\langle v\\right\\rangle",
    ],
  ];
  for (const [formula, latex] of formulas) {
    const body = `<w:p><m:oMath>${formula}</m:oMath></w:p>`;
    assert.equal(await markdownOf(docx(body), TYPE), `$$${latex}$$`);
  }
});

Deno.test("readDocx() repeats the text of cells that are merged across rows and columns", async () => {
  const cell = (text: string, properties = "") =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;
  const body = `<w:tbl><w:tr>${cell("top", '<w:gridSpan w:val="2"/>')}</w:tr>` +
    `<w:tr>${cell("left", '<w:vMerge w:val="restart"/>')}${cell("1")}</w:tr>` +
    `<w:tr>${cell("", "<w:vMerge/>")}${cell("2")}</w:tr></w:tbl>`;
  assert.equal(
    await markdownOf(docx(body), TYPE),
    "| top | top |\n| --- | --- |\n| left | 1 |\n| left | 2 |",
  );
});

Deno.test("readDocx() writes the content of a single-cell table as text", async () => {
  const body = `<w:tbl><w:tr><w:tc>${wordParagraph("framed")}</w:tc></w:tr></w:tbl>`;
  assert.equal(await markdownOf(docx(body), TYPE), "framed");
});

Deno.test("readDocx() marks a page break where the next page starts", async () => {
  const body = wordParagraph("one") + `<w:p><w:r><w:br w:type="page"/><w:t>two</w:t></w:r></w:p>`;
  assert.equal(await markdownOf(docx(body), TYPE), "one\n\n<!-- page 2 -->\n\ntwo");
});

/** Returns a table with a paragraph in each cell. */
function wordTable(rows: readonly (readonly string[])[]): string {
  const cell = (content: string) => `<w:tc><w:p><w:r>${content}</w:r></w:p></w:tc>`;
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
}

const MANUAL_BREAK = '<w:br w:type="page"/>';
const RENDERED_BREAK = "<w:lastRenderedPageBreak/>";

Deno.test("readDocx() counts a manual break once, and the breaks in a table by column", async () => {
  const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
  const cell = `${RENDERED_BREAK}<w:t>cell</w:t>`;
  const body = run(`<w:t>one</w:t>${MANUAL_BREAK}`) + run(`${RENDERED_BREAK}<w:t>two</w:t>`) +
    wordTable([[cell, cell]]) + run(`${RENDERED_BREAK}<w:t>three</w:t>`);
  const table = "| cell | cell |\n| --- | --- |";
  const { markdown, pageCount } = await read(docx(body), TYPE, { maxPages: 4 });
  assert.equal(
    markdown.trimEnd(),
    `one\n\n<!-- page 2 -->\n\ntwo\n\n<!-- page 3 -->\n\n${table}\n\n<!-- page 4 -->\n\nthree`,
  );
  assert.equal(pageCount, 4);
});

Deno.test("readDocx() marks the page that a table ends on behind it", async () => {
  const text = (content: string) => `<w:t>${content}</w:t>`;
  const rows = [
    [RENDERED_BREAK + text("a"), RENDERED_BREAK + text("b")],
    [RENDERED_BREAK + text("c"), text("d")],
    [text("e"), RENDERED_BREAK + text("f") + MANUAL_BREAK + RENDERED_BREAK + text("g")],
  ];
  const body = `<w:p><w:r>${text("one")}${MANUAL_BREAK}</w:r></w:p>` + wordTable(rows) +
    wordParagraph("two");
  const { markdown, pageCount } = await read(docx(body), TYPE);
  assert.equal(
    markdown.trimEnd(),
    "one\n\n<!-- page 2 -->\n\n| a | b |\n| --- | --- |\n| c | d |\n| e | fg |\n\n" +
      "<!-- page 4 -->\n\ntwo",
  );
  assert.equal(pageCount, 4);
});
