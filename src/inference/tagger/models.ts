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
      sha256: "b3ae6264b77d374bfbd9aced95452efb9ec52f3ffcee3cb38c1fb51f64b18468",
    },
    multilingual: false,
  },
  e5: {
    id: "tagger-e5",
    embedder: BUILTIN_MODELS.e5,
    graph: {
      name: "model.onnx",
      sha256: "a0fa71a02e9013f08dbc2f1cb342706d8dc10e0f3f7604f0a8bc07e2ee3c628e",
    },
    multilingual: true,
  },
};
