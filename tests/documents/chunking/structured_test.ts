/** Tests for chunks of JSON, YAML, TOML, source code, XML, HTML and data tables. */
import assert from "node:assert/strict";
import { checkedChunks, prose, texts } from "./invariants.ts";

const records = Array.from({ length: 60 }, (_, id) => ({
  id,
  name: `Name ${id}, the "${id}th"`,
  tags: ["a", "b"],
  text: "One sentence. Another one, with commas, and {braces}.",
}));

Deno.test("chunk() cuts JSON between the elements of the outermost array", () => {
  for (const text of texts(JSON.stringify(records), "application/json").slice(1)) {
    assert.match(text, /^\{"id":\d+,/);
  }
  const indented = JSON.stringify(records, null, 2);
  for (const text of texts(indented, "application/vnd.api+json").slice(1)) {
    assert.match(text, /^ {2}\{\n {4}"id": \d+,/);
  }
});

Deno.test("chunk() cuts JSON Lines between lines", () => {
  const lines = records.map((record) => JSON.stringify(record) + "\n").join("");
  for (const text of texts(lines, "text/x-ndjson")) assert.match(text, /^\{"id".*\}\n$/s);
});

Deno.test("chunk() cuts an overlong JSON string after sentences", () => {
  const content = JSON.stringify({ text: prose("It", 8000) });
  for (const text of texts(content, "application/json").slice(1)) assert.match(text, /^This is/);
});

Deno.test("chunk() cuts YAML before the least indented keys and items", () => {
  const item = "  - name: x\n    value: 1\n    # a comment\n    list:\n      - a\n      - b\n";
  for (const text of texts("items:\n" + item.repeat(100), "application/yaml").slice(1)) {
    assert.ok(text.startsWith("  - name: x\n"));
  }
  const stream = "---\nkind: A\nspec:\n  a: 1\n".repeat(200);
  for (const text of texts(stream, "text/x-yaml")) assert.ok(text.startsWith("---\n"));
});

Deno.test("chunk() cuts TOML before its tables", () => {
  const table = '[[server]]\nname = "x"\nport = 80\ntags = [\n  "a",\n]\n';
  for (const text of texts(table.repeat(80), "application/toml")) {
    assert.ok(text.startsWith("[[server]]\n"));
  }
});

Deno.test("chunk() cuts source code between functions, keeping comments with their function", () => {
  const code = "# What it does.\n@decorated\ndef f(a):\n    b = a\n\n    return b\n\n\n";
  for (const text of texts(code.repeat(60), "text/x-python")) {
    assert.ok(text.startsWith("# What it does.\n"));
  }
});

Deno.test("chunk() cuts CSV between rows, never in a quoted cell, and keeps the header with a row", () => {
  const rows = records.map((record) => `${record.id},"two\nlines, ""quoted""",${record.text}\n`);
  const chunks = texts("id,note,text\n" + rows.join(""), "text/csv; charset=utf-8; header=present");
  assert.ok(chunks[0]?.startsWith("id,note,text\n0,"));
  for (const text of chunks.slice(1)) assert.match(text, /^\d+,"two\nlines/);
});

Deno.test("chunk() ignores an unclosed quote in a table", () => {
  const rows = Array.from({ length: 200 }, (_, n) => `row ${n},value. Value\n`);
  for (const text of texts(`a,"b\n${rows.join("")}`, "text/csv").slice(1)) {
    assert.match(text, /^row \d+,/);
  }
});

Deno.test("chunk() cuts XML before the outermost elements", () => {
  const row = '  <row id="1">\n    <a>1 &gt; 0</a>\n    <b>two</b>\n  </row>\n';
  const content = `<?xml version="1.0"?>\n<!-- <row> -->\n<rows>\n${row.repeat(80)}</rows>\n`;
  for (const text of texts(content, "application/xml").slice(1)) {
    assert.ok(text.startsWith('  <row id="1">\n'));
  }
});

Deno.test("chunk() cuts HTML before block elements, and begins a chunk at a heading", () => {
  const section = (n: number) =>
    `<div class="s">\n<h2 id=a>Part ${n} &amp; <em>more</em></h2>\n<p>${
      prose("Text", 900)
    }</p>\n</div>\n`;
  const content = `<h1>Title</h1>\n<p>${prose("Intro", 900)}</p>\n` +
    [1, 2, 3].map(section).join("");
  const chunks = checkedChunks(content, "text/html");
  assert.deepEqual(chunks.map((piece) => piece.heading_path.join(" > ")), [
    "Title",
    "Title > Part 1 & more",
    "Title > Part 2 & more",
    "Title > Part 3 & more",
  ]);
  for (const piece of chunks.slice(1)) assert.ok(piece.content.startsWith('<div class="s">\n<h2'));
});

Deno.test("chunk() doesn't cut HTML rows and items", () => {
  const row = "<tr><td>One. Two</td><td>Three. Four</td></tr>";
  for (const text of texts(`<table>${row.repeat(120)}</table>`, "text/html").slice(1)) {
    assert.ok(text.startsWith("<tr><td>One"));
  }
});

Deno.test("chunk() ignores markup in a script", () => {
  const content = `<script>document.write("<h1>No</h1>")</script>\n<h1>Yes</h1>\n<p>Text.</p>`;
  const long = `<p>${prose("Text", 1500)}</p>\n`;
  const chunks = checkedChunks(long + content + long, "text/html");
  assert.ok(chunks.every((piece) => !piece.heading_path.includes("No")));
  assert.ok(chunks.some((piece) => piece.heading_path.includes("Yes")));
});

Deno.test("chunk() ignores the case and the parameters of media types", () => {
  const content = "# Title\n\nText.";
  for (const type of ["Text/Markdown", "text/markdown; charset=UTF-8", "text/x-markdown"]) {
    assert.deepEqual(checkedChunks(content, type)[0]?.heading_path, ["Title"]);
  }
  for (const type of ["", "text", "text/unknown", "application/octet-stream", "constructor"]) {
    assert.equal(checkedChunks(content, type).length, 1);
  }
});
