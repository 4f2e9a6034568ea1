/** How plain text and the scripts of the world are cut. */
import assert from "node:assert/strict";
import { chunk } from "../../../src/documents/chunking/chunk.ts";
import { checkedChunks, prose, texts } from "./invariants.ts";

Deno.test("empty content has no chunks", () => {
  assert.deepEqual(chunk("", "text/plain"), []);
});

Deno.test("short content is one chunk, white space and all", () => {
  for (const content of ["a", " \n", "\ufeffText\r\n", "  # A\n\n\n"]) {
    assert.deepEqual(texts(content, "text/markdown"), [content]);
  }
});

Deno.test("a chunk has its place, its bytes and its text", () => {
  assert.deepEqual(chunk("Zürich 🏔", "text/plain"), [
    { index: 0, content: "Zürich 🏔", start_byte: 0, end_byte: 12, heading_path: [] },
  ]);
});

Deno.test("paragraphs that fit are kept whole", () => {
  const paragraphs = [1, 2, 3, 4].map((n) => prose(`Paragraph ${n}`, 1000));
  assert.deepEqual(
    texts(paragraphs.join("\n\n"), "text/plain").map((text) => text.trimEnd()),
    paragraphs,
  );
});

Deno.test("a paragraph that is too long is cut after sentences", () => {
  for (const text of texts(prose("It", 9000), "text/plain")) assert.match(text, /\.\s*$/);
});

Deno.test("a tiny rest is merged with its neighbour", () => {
  const content = `${prose("The text", 1300)}\n\nThe end.`;
  assert.equal(texts(content, "text/plain").length, 1);
});

Deno.test("abbreviations, initials and numbers end no sentence", () => {
  const unit =
    "Dr. J. Smith paid approx. 1.5 million to Acme Inc. Ltd. for no. 7 in fig. 3, vs. Jones ";
  for (const text of texts(unit.repeat(60).trim() + ".", "text/plain").slice(1)) {
    assert.doesNotMatch(text, /^(?:Smith|J\.|Acme|Ltd|Jones|5)/);
  }
});

Deno.test("lines of a log are not cut", () => {
  const lines = Array.from(
    { length: 200 },
    (_, n) => `2026-01-01T00:00:${n} INFO Started. Request ${n} was served. Took 3 ms`,
  );
  for (const text of texts(lines.join("\n"), "text/plain")) {
    assert.match(text, /^2026-/);
    assert.match(text, /Took 3 ms\n?$/);
  }
});

Deno.test("text wrapped to a width is cut after sentences, not at the end of any line", () => {
  const wrapped = prose("Wrapped text", 6000).replace(/(.{50,60}) /g, "$1\n");
  for (const text of texts(wrapped, "text/plain")) assert.match(text, /\.\s*$/);
});

Deno.test("a line without sentences is cut between words, at a comma if one is near", () => {
  for (const text of texts("alpha beta gamma delta ".repeat(300), "text/plain")) {
    assert.match(text, /^(?:alpha|beta|gamma|delta) /);
  }
  for (const text of texts("alpha beta, gamma delta ".repeat(300).trim(), "text/plain").slice(1)) {
    assert.match(text, /^gamma /);
  }
});

Deno.test("Chinese and Japanese are cut after their own full stops", () => {
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

Deno.test("scripts without spaces are cut between words", () => {
  const cases = [["ภาษา", "ไทย", "เป็น"], ["计算机", "科学"]];
  for (const words of cases) {
    for (const text of texts(words.join("").repeat(300), "text/plain")) {
      assert.ok(words.some((word) => text.startsWith(word)), text.slice(0, 12));
    }
  }
});

Deno.test("right-to-left and Indic text is cut after its sentences", () => {
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

Deno.test("line ends may be LF, CR LF or CR, and are never parted", () => {
  const paragraphs = [1, 2, 3].map((n) => prose(`Paragraph ${n}`, 1000));
  for (const end of ["\n", "\r\n", "\r"]) {
    const chunks = texts(paragraphs.join(end + end), "text/plain");
    assert.deepEqual(chunks.map((text) => text.trim()), paragraphs);
  }
});

Deno.test("a byte order mark stays with the first chunk and hides no heading", () => {
  const [first] = checkedChunks("\ufeff# Title\n\nText.", "text/markdown");
  assert.deepEqual(first?.heading_path, ["Title"]);
});

Deno.test("plain text that looks like Markdown is cut like it, but a comment is no title", () => {
  const titled = checkedChunks(`# Title\n\n${prose("Text", 300)}`, "text/plain");
  assert.deepEqual(titled[0]?.heading_path, ["Title"]);
  const script = checkedChunks(`# remove the files\nrm -r build\n`, "text/plain");
  assert.deepEqual(script[0]?.heading_path, []);
});

Deno.test("a numbered title in plain text begins its chunk", () => {
  const sections = [1, 2, 3, 4, 5].map((n) => `  ${n}. Terms\n\n  ${prose("Text", 700)}\n\n`);
  const chunks = texts(sections.join(""), "text/plain");
  for (const text of chunks) assert.match(text, /^ {2}\d\. Terms/);
});
