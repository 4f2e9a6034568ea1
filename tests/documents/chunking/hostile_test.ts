/**
 * Tests content designed to be slow or to break the scanners. At this size, each test takes about
 * 20 ms; anything that isn't linear would take many minutes. `scripts/bench/chunking.ts` measures
 * the time.
 */
import assert from "node:assert/strict";
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

for (const [name, unit] of HOSTILE) {
  Deno.test(`chunk() splits endless ${name} in every format`, () => {
    const content = unit.repeat(Math.ceil(SIZE / new TextEncoder().encode(unit).length));
    for (const type of MEDIA_TYPES) checkedChunks(content, type);
  });
}

Deno.test("chunk() splits JSON with ten thousand levels without recursion", () => {
  const levels = 10_000;
  const content = '{"a":['.repeat(levels) + "1" + "]}".repeat(levels);
  assert.ok(checkedChunks(content, "application/json").length > 10);
});

Deno.test("chunk() doesn't cut the lines of a code fence that is never closed", () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} of the code`);
  for (const piece of checkedChunks("```ts\n" + lines.join("\n"), "text/markdown").slice(1)) {
    assert.match(piece.content, /^line \d+ of the code\n/);
  }
});
