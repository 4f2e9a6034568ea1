/** Tests the chunk invariants on generated documents. */
import assert from "node:assert/strict";
import { fc } from "../../../testing/fast_check.ts";
import { chunk } from "../../../src/documents/chunking/chunk.ts";
import { checkedChunks, MEDIA_TYPES } from "./invariants.ts";

/**
 * Fragments from every format and script, so that the generated text covers all cases in a scanner.
 */
const fragment = fc.constantFrom(
  ...["# ", "## Title\n", "Title\n=====\n", "\n---\n", "- item\n", "  - nested\n", "1. one\n"],
  ...[
    "```\n",
    "~~~ts\n",
    "| a | b |\n",
    "|---|---|\n",
    "> quote\n",
    "    code\n",
    "<!-- page 3 -->\n",
  ],
  ...["\n", "\n\n", "\r\n", "\r", "\t", " ", "\u00a0", "\u3000", "\u2028", "\ufeff", "\f"],
  ...[
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ",",
    ":",
    "'",
    "key: value\n",
    "[table]\n",
    "a = 1\n",
    "---\n",
  ],
  ...[
    "<p>",
    "</p>",
    "<h2>",
    "</h2>",
    "<a href='",
    "<br/>",
    "<![CDATA[",
    "]]>",
    "<script>",
    "&amp;",
  ],
  ...["a", "B", "word ", "Sentence. ", "etc. ", "1,200", "long".repeat(40), "x ".repeat(200)],
  ...[
    "我们在北京。",
    "これはテキスト",
    "ภาษาไทยเป็นภาษา",
    "نص عربي ",
    "עברית ",
    "हिन्दी। ",
    "한국어 ",
  ],
  ...["👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "e\u0301", "\u0301", "\u200d", "𝒳", "\u1100\u1161\u11a8"],
);
const document = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fragment },
    { weight: 2, arbitrary: fc.tuple(fragment, fc.nat(300)).map(([text, n]) => text.repeat(n)) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  ),
  { maxLength: 60 },
).map((parts) => parts.join(""));
const mediaType = fc.constantFrom(...MEDIA_TYPES);

Deno.test("chunk() returns the content byte for byte, within the limits and with correct offsets", () => {
  fc.assert(
    fc.property(document, mediaType, (content, type) => {
      checkedChunks(content, type);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("chunk() is a pure function of content and media type", () => {
  fc.assert(
    fc.property(document, mediaType, (content, type) => {
      const before = chunk(content, type);
      chunk("# Something else\n\n" + content, "text/markdown");
      assert.deepEqual(chunk(content, type), before);
    }),
    { numRuns: 300 },
  );
});

Deno.test("chunk() counts a lone surrogate as three bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\ud800", "\udc00", "a", "😀", " ")), (units) => {
      checkedChunks(units.join("").repeat(100), "text/plain");
    }),
    { numRuns: 200 },
  );
});

Deno.test("chunk() returns a blank chunk only inside white space longer than 800 bytes", () => {
  fc.assert(
    fc.property(document, mediaType, (content, type) => {
      fc.pre(content.trim() !== "");
      for (const piece of chunk(content, type)) {
        if (piece.content.trim() !== "") continue;
        const position = new TextDecoder().decode(
          new TextEncoder().encode(content).slice(0, piece.start_byte),
        ).length;
        const before = content.slice(0, position);
        const after = content.slice(position + piece.content.length);
        const run = before.slice(before.trimEnd().length) + piece.content +
          after.slice(0, after.length - after.trimStart().length);
        assert.ok(new TextEncoder().encode(run).length > 800, JSON.stringify(run));
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("chunk() never splits a grapheme cluster unless it is longer than the window", () => {
  const cluster = fc.constantFrom(
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "👍🏽",
    "e\u0301",
    "ก็",
    "क्ष",
    "\u1100\u1161\u11a8",
    "a",
  );
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  fc.assert(
    fc.property(fc.array(cluster, { minLength: 1, maxLength: 30 }), fc.nat(600), (parts, times) => {
      const content = parts.join("").repeat(times + 1);
      const boundaries = new Set<number>();
      for (const { index } of segmenter.segment(content)) boundaries.add(index);
      let position = 0;
      for (const piece of chunk(content, "text/plain")) {
        assert.ok(boundaries.has(position), `a cut inside a cluster at ${position}`);
        position += piece.content.length;
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("heading_path or the text contains every heading above a passage", () => {
  const section = fc.record({
    level: fc.integer({ min: 1, max: 6 }),
    sentences: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(section, { minLength: 1, maxLength: 12 }), (sections) => {
      const content = sections.map(({ level, sentences }, index) =>
        `${"#".repeat(level)} Title-${index}\n\n${
          `Passage-${index} says so. `.repeat(sentences)
        }\n\n`
      ).join("");
      const over: string[][] = [];
      let open: { level: number; title: string }[] = [];
      for (const [index, { level }] of sections.entries()) {
        open = [...open.filter((outer) => outer.level < level), { level, title: `Title-${index}` }];
        over.push(open.map((heading) => heading.title));
      }
      for (const piece of chunk(content, "text/markdown")) {
        for (const [, index] of piece.content.matchAll(/Passage-(\d+)/g)) {
          for (const title of over[Number(index)] ?? []) {
            const stated = piece.heading_path.includes(title) ||
              new RegExp(`# ${title}\\n`).test(piece.content);
            assert.ok(stated, `${title} is missing for passage ${index}`);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});
