/** The interface for tokenizers, and the choice of tokenizer for a model. */

import type { BuiltinModel } from "./builtin_models.ts";
import { readModelFile } from "./model_files.ts";
import { Unigram } from "./unigram.ts";
import { WordPiece } from "./wordpiece.ts";

/** Converts text into the token ids that a model reads. */
export interface Tokenizer {
  /** Returns at most `maxTokens` ids, including the special tokens at the start and the end. */
  encode(text: string, maxTokens: number): number[];
}

/**
 * Reads a model's tokenizer.
 *
 * @throws {EmbedderError} If its file is missing or was changed.
 */
export function readTokenizer(model: BuiltinModel): Tokenizer {
  const bytes = readModelFile(model, model.tokenizer.file);
  return model.tokenizer.kind === "wordpiece"
    ? new WordPiece(new TextDecoder().decode(bytes).trimEnd().split("\n"))
    : new Unigram(bytes);
}
