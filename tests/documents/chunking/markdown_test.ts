/** Tests for Markdown chunks and their heading paths. */
import assert from "node:assert/strict";
import { checkedChunks, prose, texts } from "./invariants.ts";

const MARKDOWN = "text/markdown";

function paths(content: string): string[] {
  return checkedChunks(content, MARKDOWN).map((piece) => piece.heading_path.join(" > "));
}

Deno.test("chunk() begins a chunk at a heading", () => {
  const content = [1, 2, 3, 4].map((n) => `## Part ${n}\n\n${prose("It", 900)}\n\n`).join("");
  const chunks = texts(content, MARKDOWN);
  assert.equal(chunks.length, 4);
  for (const [index, text] of chunks.entries()) assert.ok(text.startsWith(`## Part ${index + 1}`));
});

Deno.test("chunk() keeps a heading with the text below it", () => {
  for (let filler = 0; filler < 2400; filler += 60) {
    const content = `${prose("Filler", filler)}\n\n# Head\n\nBody of the section.\n\n${
      prose("On", 900)
    }`;
    const chunks = texts(content, MARKDOWN).filter((text) => text.includes("# Head"));
    assert.equal(chunks.length, 1);
    assert.ok(chunks[0]?.includes("Body of the section."), `with a filler of ${filler}`);
  }
});

Deno.test("chunk() puts small sections into one chunk", () => {
  const content = [1, 2, 3, 4].map((n) => `## Part ${n}\n\nShort.\n\n`).join("");
  assert.equal(texts(content, MARKDOWN).length, 1);
});

Deno.test("heading_path contains the headings that enclose the start of a chunk", () => {
  const long = prose("Text", 1100) + "\n\n";
  assert.deepEqual(
    paths(
      `${long}# A\n\n${long}## B ##\n\n${long}${long}### C\n\n${long}## D\n\n${long}# E\n\n${long}`,
    ),
    ["", "A", "A > B", "A > B", "A > B > C", "A > D", "E"],
  );
});

Deno.test("heading_path contains headings that directly follow each other", () => {
  assert.deepEqual(paths(`# A\n\n## B\n\n### C\n\nText.`), ["A > B > C"]);
  assert.deepEqual(paths(`# A\n\n# B\n\nText.`), ["A"]);
});

Deno.test("heading_path recognizes headings and removes the markup from their titles", () => {
  const cases: [markdown: string, path: string[]][] = [
    ["# Title", ["Title"]],
    ["   ###   Title   ###   ", ["Title"]],
    ["# C#", ["C#"]],
    ["#", []],
    ["#hashtag", []],
    ["####### Seven", []],
    ["    # Code", []],
    ["```\n# comment\n```", []],
    ["~~~\n# comment\n```\n# still\n~~~", []],
    ["Title\n=====", ["Title"]],
    ["Title\n-----", ["Title"]],
    ["- item\n-----", []],
    ["# A **bold** `code` [link](http://example.org)", ["A bold code link"]],
    ["# snake_case \\* escaped", ["snake_case * escaped"]],
    ["---\ntitle: x\n# comment\n---", []],
    ["<!-- page 2 -->\n\n# Title", ["Title"]],
  ];
  for (const [markdown, path] of cases) {
    assert.deepEqual(checkedChunks(markdown + "\n", MARKDOWN)[0]?.heading_path, path, markdown);
  }
});

Deno.test("heading_path truncates an endless title", () => {
  const [first] = checkedChunks(`# ${"title ".repeat(100_000)}`, MARKDOWN);
  assert.ok((first?.heading_path[0]?.length ?? 0) <= 201);
});

Deno.test("chunk() doesn't cut a list item that fits", () => {
  const items = Array.from({ length: 12 }, (_, n) => `- ${prose(`Item ${n}`, 300 + n * 100)}\n`);
  for (const text of texts(items.join(""), MARKDOWN)) assert.match(text, /^- Item \d+ begins/);
});

Deno.test("chunk() keeps indented lines with their list item", () => {
  const item = `1. First line\n\n   Second paragraph.\n\n   \`\`\`\n   code\n   \`\`\`\n`;
  for (const text of texts(item.repeat(60), MARKDOWN)) {
    assert.equal(text.replaceAll(item, ""), "");
  }
});

Deno.test("chunk() doesn't cut a table row that fits, and keeps the header with the first row", () => {
  const rows = Array.from({ length: 30 }, (_, n) => `| ${n} | ${"cell. Cell ".repeat(20)}|\n`);
  const table = `| n | text |\n|---|:-:|\n${rows.join("")}`;
  for (let filler = 900; filler < 1500; filler += 50) {
    const chunks = texts(`${prose("Before", filler)}\n\n${table}`, MARKDOWN);
    assert.ok(chunks.some((text) => text.includes(`|---|:-:|\n${rows[0]}`)));
    assert.ok(chunks.some((text) => text.includes("| n | text |\n|---")));
    for (const text of chunks.slice(1)) assert.match(text, /^\| (?:n|\d+) \|/);
  }
});

Deno.test("chunk() recognizes a table without outer bars", () => {
  const rows = Array.from({ length: 60 }, (_, n) => `row ${n} | a sentence. Another one\n`);
  for (const text of texts(`name | text\n--- | ---\n${rows.join("")}`, MARKDOWN).slice(1)) {
    assert.match(text, /^row \d+ \|/);
  }
});

Deno.test("chunk() doesn't cut fenced code that fits, and cuts longer code between lines", () => {
  const short = "```ts\n" + "const a = 1;\n\n".repeat(120) + "```\n";
  const chunks = texts(`${prose("Before", 700)}\n\n${short}\n${prose("After", 700)}`, MARKDOWN);
  assert.ok(chunks.some((text) => text.includes(short)));
  const long = "```ts\n" + "const a = 1;\n".repeat(600) + "```\n";
  for (const text of texts(long, MARKDOWN).slice(1)) assert.match(text, /^(?:const a = 1;|```)\n/);
});

Deno.test("chunk() ends a chunk after a thematic break", () => {
  const content = `${prose("One", 1000)}\n\n---\n\n${prose("Two", 1000)}`;
  const [first, second] = texts(content, MARKDOWN);
  assert.match(first ?? "", /---\s*$/);
  assert.match(second ?? "", /^Two/);
});

Deno.test("chunk() keeps a page marker together with the page that it begins", () => {
  const pages = [1, 2, 3].map((n) => `<!-- page ${n} -->\n\n# Page ${n}\n\n${prose("Text", 1000)}`);
  assert.deepEqual(texts(pages.join("\n\n"), MARKDOWN).map((text) => text.trimEnd()), pages);
});

Deno.test("chunk() keeps a line that introduces a list together with the list if possible", () => {
  const content = `${prose("Before", 1100)}\n\nThe reasons are:\n\n- ${prose("One", 500)}\n- ${
    prose("Two", 500)
  }\n`;
  const chunks = texts(content, MARKDOWN);
  assert.ok(chunks.some((text) => text.includes("are:\n\n- One")));
});
