/** Splits a sentence into the tagger's words and tokens. `scripts/train/pieces.py` does the same. */

import type { Tokenizer } from "../../embedding/tokenizer.ts";

/** Runs of letters and digits, and single other characters. */
const WORD = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

/** Spellings of a word, which an uncased tokenizer loses, in the order of the model's table. */
const SHAPES = ["lower", "capitalized", "capitals", "digits", "mixed"] as const;

/** A word and its place in the sentence, in UTF-16 units. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** Index of its first token. */
  readonly token: number;
}

/** The tokens of a sentence. */
export interface Tokens {
  readonly ids: readonly number[];
  readonly shapes: readonly number[];
  readonly words: readonly Word[];
}

/** Tokenizes a sentence. Words that don't fit into `maxTokens` are left out. */
export function tokenize(sentence: string, tokenizer: Tokenizer, maxTokens: number): Tokens {
  const ids: number[] = [], shapes: number[] = [];
  const words: Word[] = [];
  let previousEnd = -1;
  for (const { 0: word, index: start } of sentence.matchAll(WORD)) {
    const pieces = tokenizer.encodeWord(word, start !== previousEnd);
    previousEnd = start + word.length;
    if (pieces.length === 0) continue;
    if (ids.length + pieces.length > maxTokens) break;
    words.push({ start, end: previousEnd, token: ids.length });
    const shape = shapeOf(word);
    for (const piece of pieces) {
      ids.push(piece);
      shapes.push(shape);
    }
  }
  return { ids, shapes, words };
}

function shapeOf(word: string): number {
  return SHAPES.indexOf(shapeName(word));
}

function shapeName(word: string): typeof SHAPES[number] {
  const lower = word.toLowerCase(), upper = word.toUpperCase();
  if (/\p{Nd}/u.test(word)) return "digits";
  if (word === lower) return "lower";
  if (word.length > 1 && word === upper) return "capitals";
  const rest = word.slice(1);
  return word[0] !== lower[0] && rest === rest.toLowerCase() ? "capitalized" : "mixed";
}
