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
      sha256: "d5b99e74a140ba0c85e6efe11c87af37e892b764743b0a8ed8d8421d730ddefc",
    },
    multilingual: false,
  },
  e5: {
    id: "tagger-e5",
    embedder: BUILTIN_MODELS.e5,
    graph: {
      name: "model.onnx",
      sha256: "f0a9c0217ab04f4518e88652769d153535e6110ad4b6742cebbf98d4261b5177",
    },
    multilingual: true,
  },
};
