/**
 * Checks that the chunker still makes the same cuts as it did for stored chunks. If a test fails,
 * some cuts have moved: increase CHUNKER_VERSION and update the digest.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chunk, CHUNKER_VERSION } from "../../../src/documents/chunking/chunk.ts";
import { MEDIA_TYPES, prose } from "./invariants.ts";

function digestOf(samples: readonly string[]): string {
  const digest = createHash("sha256");
  for (const sample of samples) {
    for (const type of MEDIA_TYPES) {
      for (const piece of chunk(sample, type)) {
        digest.update(`${piece.start_byte} ${piece.heading_path.join(">")}\n`);
      }
    }
  }
  return digest.digest("hex").slice(0, 16);
}

const STRUCTURED = [
  [1, 2, 3].map((n) =>
    `# Part ${n}\n\n${prose("Text", n * 700)}\n\n## Sub\n\n- ${prose("a", 300)}\n  - b\n\n` +
    `| x | y |\n|---|---|\n${`| ${n} | ${n} |\n`.repeat(90)}\n\`\`\`\n${
      "code();\n".repeat(300)
    }\`\`\`\n`
  ).join("\n"),
  JSON.stringify(
    Array.from({ length: 90 }, (_, id) => ({ id, text: prose(`${id}`, id * 5) })),
    null,
    1,
  ),
  "a:\n  - b: 1\n    c: 2\n\n".repeat(200),
  `<h1>T</h1>${"<p>One. Two.</p>\n<ul><li>a</li></ul>".repeat(90)}`,
  `id,text\n${'1,"a, b"\n'.repeat(400)}`,
];

const UNSPACED = [
  "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน".repeat(90),
  "我们在北京大学学习计算机科学与技术".repeat(120),
  "これは日本語のテキストです".repeat(120),
  "👩‍👩‍👧‍👦🇩🇪👍🏽".repeat(200),
  "0123456789abcdef".repeat(400),
];

Deno.test("chunk() cuts structured text as CHUNKER_VERSION 1 does", () => {
  assert.deepEqual([CHUNKER_VERSION, digestOf(STRUCTURED)], [1, "8f6d02281df66538"]);
});

Deno.test("chunk() cuts text without spaces as CHUNKER_VERSION 1 does, with this Unicode version", () => {
  assert.deepEqual([CHUNKER_VERSION, digestOf(UNSPACED)], [1, "6b7b86a8bbf66491"]);
});
