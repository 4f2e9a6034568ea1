/** Defines the tokenizer interface and picks the right tokenizer for a model. */

import type { BuiltinModel } from "./builtin_models.ts";
import { freeBytes, readModelFile } from "./model_files.ts";
import { Unigram } from "./unigram.ts";
import { WordPiece } from "./wordpiece.ts";

/** Converts text into a model's token ids. */
export interface Tokenizer {
  /** Returns at most `maxTokens` ids, including the special tokens at the start and end. */
  encode(text: string, maxTokens: number): number[];
  /** Ids of the special tokens at the start and end of a text. */
  readonly ends: readonly [first: number, last: number];
  /**
   * Returns the ids of a single word or punctuation mark, without the special tokens.
   *
   * @param afterSpace whether white space or nothing is in front of it
   */
  encodeWord(word: string, afterSpace: boolean): number[];
}

/**
 * Reads a model's tokenizer.
 *
 * @throws {EmbedderError} If its file is missing or has been changed.
 */
export function readTokenizer(model: BuiltinModel): Tokenizer {
  const bytes = readModelFile(model, model.tokenizer.file);
  const tokenizer = model.tokenizer.kind === "wordpiece"
    ? new WordPiece(new TextDecoder().decode(bytes).trimEnd())
    : new Unigram(bytes);
  freeBytes(bytes);
  return tokenizer;
}
