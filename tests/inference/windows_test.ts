/** Tests how the sentences of a message become inputs of the tagger. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { readTokenizer } from "../../src/embedding/tokenizer.ts";
import { TAGGERS } from "../../src/inference/tagger/models.ts";
import { windowsOf } from "../../src/inference/tagger/windows.ts";
import { testWith } from "../../testing/tools.ts";

const ROOT = join(import.meta.dirname!, "../..");
const tokenizer = readTokenizer(TAGGERS.minilm.embedder);

/** Sentences whose words have one token each. */
const SENTENCES = ["one two", "three", "four five six", "seven", "eight nine ten eleven"];

const textsOf = (sentences: readonly string[], maxTokens: number) =>
  windowsOf(sentences, tokenizer, maxTokens)
    .map(({ text, parts }) => [text, parts.length]);

Deno.test("windowsOf() puts a special token before each sentence, and one at the end", () => {
  const [window] = windowsOf(SENTENCES.slice(0, 2), tokenizer, 128);
  deepStrictEqual(window!.ids, [101, 2028, 2048, 102, 2093, 102]);
  deepStrictEqual(window!.parts.map(({ start, end }) => [start, end]), [[0, 3], [3, 6]]);
  deepStrictEqual(window!.parts[1]!.words, [{ start: 0, end: 5, token: 4 }]);
});

Deno.test("windowsOf() fills windows with sentences, and repeats the last one of a window", () => {
  deepStrictEqual(textsOf(SENTENCES, 8), [
    ["one two\nthree", 2],
    ["three\nfour five six", 1],
    ["four five six\nseven", 1],
    ["seven\neight nine ten eleven", 1],
  ]);
  for (const { ids, shapes, parts } of windowsOf(SENTENCES, tokenizer, 8)) {
    ok(ids.length <= 8);
    strictEqual(ids.length, shapes.length);
    strictEqual(parts.at(-1)!.end, ids.length);
  }
});

Deno.test("windowsOf() repeats no sentence for which there's no room", () => {
  deepStrictEqual(textsOf(SENTENCES, 6), [
    ["one two\nthree", 2],
    ["four five six", 1],
    ["seven", 1],
    ["eight nine ten eleven", 1],
  ]);
});

Deno.test("windowsOf() cuts a sentence that is longer than a window", () => {
  const [window] = windowsOf([SENTENCES[4]!], tokenizer, 5);
  strictEqual(window!.ids.length, 5);
  deepStrictEqual(window!.parts[0]!.words.map(({ end }) => end), [5, 10, 14]);
});

Deno.test("windowsOf() makes a part of a sentence without words, and no window of no sentence", () => {
  deepStrictEqual(textsOf(["", "one"], 8), [["\none", 2]]);
  deepStrictEqual(windowsOf([], tokenizer, 8), []);
});

testWith(["python3"], "windowsOf() does what the training does", () => {
  const program = `
import json, pieces, rows
from markup import Sentence
tokenizer = pieces.WordPiece("../../assets/embedding/all-minilm-l6-v2-int8/vocab.txt")
message = [Sentence(text, [], [], 0, None) for text in json.loads(input())]
print(json.dumps([
    [row.ids, row.shapes, [[part.start, part.end] for part in row.parts]]
    for limit in (6, 8, 12, 128) for row in rows.encode(message, tokenizer, limit)
]))`;
  const { status, stdout, stderr } = spawnSync("python3", ["-c", program], {
    cwd: join(ROOT, "scripts/train"),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    input: JSON.stringify(SENTENCES),
    encoding: "utf8",
  });
  strictEqual(status, 0, stderr);
  const windows = [6, 8, 12, 128].flatMap((limit) => windowsOf(SENTENCES, tokenizer, limit));
  deepStrictEqual(
    JSON.parse(stdout),
    windows.map(({ ids, shapes, parts }) => [
      ids,
      shapes,
      parts.map(({ start, end }) => [start, end]),
    ]),
  );
});
