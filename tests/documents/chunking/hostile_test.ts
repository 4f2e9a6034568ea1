/** Content made to be slow or to break the scanners: all of it is chunked, in linear time. */
import assert from "node:assert/strict";
import { chunk } from "../../../src/documents/chunking/chunk.ts";
import { checkedChunks, MEDIA_TYPES } from "./invariants.ts";

const HOSTILE: readonly (readonly [name: string, unit: string])[] = [
  ["one letter", "a"],
  ["spaces", " "],
  ["newlines", "\n"],
  ["lone carriage returns", "\r"],
  ["CR LF", "\r\n"],
  ["one letter a line", "a\n"],
  ["combining marks", "\u0301"],
  ["marks on spaces", " \u0301"],
  ["emoji families", "👩‍👩‍👧‍👦"],
  ["one endless emoji sequence", "👩‍"],
  ["flags", "🇩🇪"],
  ["Chinese without punctuation", "我们在北京大学学习"],
  ["Thai", "ภาษาไทยเป็นภาษา"],
  ["byte order marks", "\ufeff"],
  ["lone surrogates", "\ud800"],
  ["full stops", ". "],
  ["list markers", "- "],
  ["empty items", "-\n"],
  ["headings", "# a\n"],
  ["underlined titles", "a\n=\n"],
  ["quote marks", ">"],
  ["fences", "```\n"],
  ["backticks", "`"],
  ["link brackets", "# [[[[(((("],
  ["table bars", "|\n|-|\n"],
  ["opening brackets", "["],
  ["opening objects", '{"a":'],
  ["quotes", '"'],
  ["escapes", '"\\'],
  ["commas", ","],
  ["less-than signs", "<"],
  ["tags that never end", "<a"],
  ["attributes that never end", "<a b='<a c=\""],
  ["comments that never end", "<!--"],
  ["character data that never ends", "<![CDATA["],
  ["scripts that never end", "<script>"],
  ["HTML headings that never end", "<h1>"],
  ["elements in elements", "<a>"],
  ["quoted cells that never end", ',"'],
];

const SIZE = 250_000;
/** A quarter of a megabyte takes 10 to 40 ms; what isn't linear would take many seconds. */
const PATIENCE_MS = 1_000;

for (const [name, unit] of HOSTILE) {
  Deno.test(`${name} without end are chunked in time in every format`, () => {
    const content = unit.repeat(Math.ceil(SIZE / new TextEncoder().encode(unit).length));
    for (const type of MEDIA_TYPES) {
      const began = performance.now();
      chunk(content, type);
      const took = performance.now() - began;
      assert.ok(took < PATIENCE_MS, `${type}: ${took.toFixed(0)} ms`);
    }
    checkedChunks(content, "text/plain");
    checkedChunks(content, "text/markdown");
  });
}

Deno.test("JSON of ten thousand levels is chunked without recursion", () => {
  const levels = 10_000;
  const content = '{"a":['.repeat(levels) + "1" + "]}".repeat(levels);
  assert.ok(checkedChunks(content, "application/json").length > 10);
});

Deno.test("a code fence that is never closed keeps its lines whole", () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} of the code`);
  for (const one of checkedChunks("```ts\n" + lines.join("\n"), "text/markdown").slice(1)) {
    assert.match(one.content, /^line \d+ of the code\n/);
  }
});
