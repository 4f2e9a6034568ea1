/** Tests for plain-text chunks in various scripts. */
import assert from "node:assert/strict";
import { chunk } from "../../../src/documents/chunking/chunk.ts";
import { checkedChunks, prose, texts } from "./invariants.ts";

Deno.test("chunk() returns no chunks for empty content", () => {
  assert.deepEqual(chunk("", "text/plain"), []);
});

Deno.test("chunk() returns one chunk for short content, including white space", () => {
  for (const content of ["a", " \n", "\ufeffText\r\n", "  # A\n\n\n"]) {
    assert.deepEqual(texts(content, "text/markdown"), [content]);
  }
});

Deno.test("chunk() returns index, text and byte offsets", () => {
  assert.deepEqual(chunk("Zürich 🏔", "text/plain"), [
    { index: 0, content: "Zürich 🏔", start_byte: 0, end_byte: 12, heading_path: [] },
  ]);
});

Deno.test("chunk() doesn't cut paragraphs that fit", () => {
  const paragraphs = [1, 2, 3, 4].map((n) => prose(`Paragraph ${n}`, 1000));
  assert.deepEqual(
    texts(paragraphs.join("\n\n"), "text/plain").map((text) => text.trimEnd()),
    paragraphs,
  );
});

Deno.test("chunk() cuts an overlong paragraph after sentences", () => {
  for (const text of texts(prose("It", 9000), "text/plain")) assert.match(text, /\.\s*$/);
});

Deno.test("chunk() merges a tiny remainder with the chunk next to it", () => {
  const content = `${prose("The text", 1300)}\n\nThe end.`;
  assert.equal(texts(content, "text/plain").length, 1);
});

Deno.test("chunk() recognizes that abbreviations, initials and numbers don't end a sentence", () => {
  const unit =
    "Dr. J. Smith paid approx. 1.5 million to Acme Inc. Ltd. for no. 7 in fig. 3, vs. Jones ";
  for (const text of texts(unit.repeat(60).trim() + ".", "text/plain").slice(1)) {
    assert.doesNotMatch(text, /^(?:Smith|J\.|Acme|Ltd|Jones|5)/);
  }
});

Deno.test("chunk() doesn't cut log lines", () => {
  const lines = Array.from(
    { length: 200 },
    (_, n) => `2026-01-01T00:00:${n} INFO Started. Request ${n} was served. Took 3 ms`,
  );
  for (const text of texts(lines.join("\n"), "text/plain")) {
    assert.match(text, /^2026-/);
    assert.match(text, /Took 3 ms\n?$/);
  }
});

Deno.test("chunk() cuts hard-wrapped text after sentences, not at arbitrary line ends", () => {
  const wrapped = prose("Wrapped text", 6000).replace(/(.{50,60}) /g, "$1\n");
  for (const text of texts(wrapped, "text/plain")) assert.match(text, /\.\s*$/);
});

Deno.test("chunk() cuts a line without sentences between words, or at a comma if there is one nearby", () => {
  for (const text of texts("alpha beta gamma delta ".repeat(300), "text/plain")) {
    assert.match(text, /^(?:alpha|beta|gamma|delta) /);
  }
  for (const text of texts("alpha beta, gamma delta ".repeat(300).trim(), "text/plain").slice(1)) {
    assert.match(text, /^gamma /);
  }
});

Deno.test("chunk() cuts Chinese and Japanese after their full stops", () => {
  for (
    const sentence of [
      "我们在北京大学学习计算机科学。",
      "これは日本語のテキストです。",
      "他说：“你好！”",
    ]
  ) {
    for (const text of texts(sentence.repeat(200), "text/plain")) {
      assert.ok(text.startsWith(sentence) && text.endsWith(sentence));
    }
  }
});

Deno.test("chunk() cuts scripts without spaces between words", () => {
  const cases = [["ภาษา", "ไทย", "เป็น"], ["计算机", "科学"]];
  for (const words of cases) {
    for (const text of texts(words.join("").repeat(300), "text/plain")) {
      assert.ok(words.some((word) => text.startsWith(word)), text.slice(0, 12));
    }
  }
});

Deno.test("chunk() cuts right-to-left and Indic text after sentences", () => {
  const sentences = [
    "هل هذا نص عربي؟ ",
    "یہ اردو ہے۔ ",
    "यह हिन्दी का वाक्य है। ",
    "זה משפט בעברית. ",
  ];
  for (const sentence of sentences) {
    for (const text of texts(sentence.repeat(300), "text/plain")) {
      assert.ok(text.startsWith(sentence.trim()), text.slice(0, 20));
    }
  }
});

Deno.test("chunk() accepts LF, CR LF and CR as line ends, and never splits one", () => {
  const paragraphs = [1, 2, 3].map((n) => prose(`Paragraph ${n}`, 1000));
  for (const end of ["\n", "\r\n", "\r"]) {
    const chunks = texts(paragraphs.join(end + end), "text/plain");
    assert.deepEqual(chunks.map((text) => text.trim()), paragraphs);
  }
});

Deno.test("chunk() keeps a byte order mark in the first chunk, and finds a heading after it", () => {
  const [first] = checkedChunks("\ufeff# Title\n\nText.", "text/markdown");
  assert.deepEqual(first?.heading_path, ["Title"]);
});

Deno.test("chunk() cuts plain text that looks like Markdown as Markdown, but a comment is not a title", () => {
  const titled = checkedChunks(`# Title\n\n${prose("Text", 300)}`, "text/plain");
  assert.deepEqual(titled[0]?.heading_path, ["Title"]);
  const script = checkedChunks(`# remove the files\nrm -r build\n`, "text/plain");
  assert.deepEqual(script[0]?.heading_path, []);
});

Deno.test("chunk() begins a chunk at a numbered title in plain text", () => {
  const sections = [1, 2, 3, 4, 5].map((n) => `  ${n}. Terms\n\n  ${prose("Text", 700)}\n\n`);
  const chunks = texts(sections.join(""), "text/plain");
  for (const text of chunks) assert.match(text, /^ {2}\d\. Terms/);
});
