/** Compares our tokenizers' ids with the reference implementations'. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { readTokenizer } from "../../src/embedding/tokenizer.ts";
import { REFERENCE } from "./reference_ids.ts";

Deno.test("WordPiece.encode() returns the same ids as the reference implementation", () => {
  const tokenizer = readTokenizer(BUILTIN_MODELS.minilm);
  for (const { text, wordpiece } of REFERENCE) {
    deepStrictEqual(tokenizer.encode(text, 256), wordpiece, text);
  }
});

Deno.test("Unigram.encode() returns the same ids as the reference implementation", () => {
  const tokenizer = readTokenizer(BUILTIN_MODELS.e5);
  for (const { text, unigram } of REFERENCE) {
    deepStrictEqual(tokenizer.encode(text, 512), unigram, text);
  }
});

Deno.test("Tokenizer.encode() truncates a long text and keeps the end token", () => {
  const long = "word ".repeat(1_000);
  for (const [model, end] of [[BUILTIN_MODELS.minilm, 102], [BUILTIN_MODELS.e5, 2]] as const) {
    const ids = readTokenizer(model).encode(long, 64);
    strictEqual(ids.length, 64);
    strictEqual(ids.at(-1), end);
  }
});
