/** Defines the tokenizer interface and picks the right tokenizer for a model. */

import type { BuiltinModel } from "./builtin_models.ts";
import { readModelFile } from "./model_files.ts";
import { Unigram } from "./unigram.ts";
import { WordPiece } from "./wordpiece.ts";

/** Converts text into a model's token ids. */
export interface Tokenizer {
  /** Returns at most `maxTokens` ids, including the special tokens at the start and end. */
  encode(text: string, maxTokens: number): number[];
}

/**
 * Reads a model's tokenizer.
 *
 * @throws {EmbedderError} If its file is missing or has been changed.
 */
export function readTokenizer(model: BuiltinModel): Tokenizer {
  const bytes = readModelFile(model, model.tokenizer.file);
  return model.tokenizer.kind === "wordpiece"
    ? new WordPiece(new TextDecoder().decode(bytes).trimEnd().split("\n"))
    : new Unigram(bytes);
}
