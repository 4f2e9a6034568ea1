/** What tokenizers have in common, and how a model's own is made. */

import type { BuiltinModel } from "./builtin_models.ts";
import { readModelFile } from "./model_files.ts";
import { Unigram } from "./unigram.ts";
import { WordPiece } from "./wordpiece.ts";

/** Text into the numbers that a model reads. */
export interface Tokenizer {
  /** At most `most` ids, the special ones at the beginning and the end among them. */
  encode(text: string, maxTokens: number): number[];
}

/** Reads the tokenizer of a model. @throws EmbedderError when its file is missing or was changed */
export function readTokenizer(model: BuiltinModel): Tokenizer {
  const bytes = readModelFile(model, model.tokenizer.file);
  return model.tokenizer.kind === "wordpiece"
    ? new WordPiece(new TextDecoder().decode(bytes).trimEnd().split("\n"))
    : new Unigram(bytes);
}
