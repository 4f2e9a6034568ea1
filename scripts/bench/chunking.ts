/**
 * Measures how long it takes to chunk a megabyte of text in each format: `deno bench
 * scripts/bench/chunking.ts`.
 */
import { chunk } from "../../src/documents/chunking/chunk.ts";

const SENTENCES = "The first sentence is short. The second one, which is longer, says more of it. ";
const SECTION = `## A section\n\n${SENTENCES.repeat(9)}\n\n- ${SENTENCES}\n- one\n  - two\n\n` +
  "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```ts\nconst a = 1;\n```\n\n";

const SAMPLES: readonly (readonly [name: string, mediaType: string, unit: string])[] = [
  ["Markdown", "text/markdown", SECTION],
  ["plain text", "text/plain", `${SENTENCES.repeat(9)}\n\n`],
  ["one line of words", "text/plain", "alpha beta gamma delta "],
  ["one word", "text/plain", "a"],
  ["Chinese without punctuation", "text/plain", "我们在北京大学学习计算机科学"],
  ["Thai", "text/plain", "ภาษาไทยเป็นภาษา"],
  ["emoji families", "text/plain", "👩‍👩‍👧‍👦"],
  ["combining marks", "text/plain", "\u0301"],
  ["newlines", "text/plain", "\n"],
  ["only headings", "text/markdown", "# a\n"],
  ["only underlined headings", "text/markdown", "a\n=\n"],
  ["JSON Lines", "application/json", '{"id":1,"name":"a name","tags":["a","b"]}\n'],
  ["deeply nested JSON", "application/json", '{"a":['],
  ["YAML", "application/yaml", "key:\n  - a: 1\n    b: two\n"],
  ["HTML", "text/html", "<div><h2>Title</h2><p>Hello world. And more.</p></div>\n"],
  ["unclosed HTML headings", "text/html", "<h1>"],
  ["XML", "application/xml", "<row><a>1</a><b>two</b></row>\n"],
  ["CSV", "text/csv", '1,two,"three\nfour"\n'],
];

for (const [name, mediaType, unit] of SAMPLES) {
  const content = unit.repeat(Math.floor(1_000_000 / new TextEncoder().encode(unit).length));
  Deno.bench(name, () => {
    chunk(content, mediaType);
  });
}
