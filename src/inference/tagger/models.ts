/** The taggers that ship with the program, by the embedding model whose word table they share. */

import {
  BUILTIN_MODELS,
  type BuiltinModel,
  type ModelFile,
} from "../../embedding/builtin_models.ts";

/** A tagger in `assets/inference`. */
export interface TaggerModel {
  readonly id: string;
  /** The embedding model whose tokenizer and word table it uses. */
  readonly embedder: BuiltinModel;
  readonly graph: ModelFile;
  /** Whether it was trained on other languages than English. */
  readonly multilingual: boolean;
}

/** Names of the taggers. Each one is that of its embedding model. */
export const TAGGER_NAMES = ["minilm", "e5"] as const;

export type TaggerName = typeof TAGGER_NAMES[number];

/** Taggers by name. */
export const TAGGERS: Readonly<Record<TaggerName, TaggerModel>> = {
  minilm: {
    id: "tagger-minilm",
    embedder: BUILTIN_MODELS.minilm,
    graph: {
      name: "model.onnx",
      sha256: "7f516ecab0a4b49941cbe4deea1560c84724f0e594ce159a0329c0badab0d945",
    },
    multilingual: false,
  },
  e5: {
    id: "tagger-e5",
    embedder: BUILTIN_MODELS.e5,
    graph: {
      name: "model.onnx",
      sha256: "0f0c54cf2661fac00312dea6d201251c84c7118d4fee37c8f71d663b65a330d0",
    },
    multilingual: true,
  },
};
