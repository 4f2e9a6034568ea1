/** The models that ship with the program: their files and checksums, tokenizers, and weights. */

import type { EmbeddingModel } from "./embedder.ts";

/** A file in a model's folder. Its checksum is also listed in that folder's NOTICE. */
export interface ModelFile {
  readonly name: string;
  readonly sha256: string;
}

/** Where a graph's file has its table of word vectors, as offsets of two tensors in bytes. */
export interface WordTableOffsets {
  /** How the values are stored: in 8 or 4 bits each. */
  readonly format: "int8" | "int4";
  readonly values: number;
  readonly scales: number;
}

/** A model in `assets/embedding`. */
export interface BuiltinModel {
  readonly id: string;
  readonly dims: number;
  readonly graph: ModelFile;
  readonly wordTable: WordTableOffsets;
  /**
   * An encoder that was trained further on questions about memories, so that they come closer to
   * the vectors of the relevant texts. Null if they are embedded like other queries.
   */
  readonly memoryQueryEncoder: ModelFile | null;
  readonly tokenizer: { readonly kind: "wordpiece" | "unigram"; readonly file: ModelFile };
  readonly maxTokens: number;
  /** Prefixes the model was trained with for questions and texts. */
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly center: ModelFile | null;
  readonly weight: EmbeddingModel["weight"];
  readonly similarity: EmbeddingModel["similarity"];
  /** A table with one vector per token, used if no runtime can run the graph. */
  readonly table: { readonly id: string; readonly dims: number; readonly file: ModelFile } | null;
}

/** Built-in models, keyed by the names `--embedder` accepts. */
export const BUILTIN_MODELS = {
  minilm: {
    id: "all-minilm-l6-v2-int8",
    dims: 384,
    graph: {
      name: "model.onnx",
      sha256: "0e4614e57073107f6346654a291440b5b2a003467816f71a78e2e0155669d8f7",
    },
    wordTable: { format: "int8", values: 13_571, scales: 11_734_045 },
    memoryQueryEncoder: {
      name: "memory_query_encoder.onnx",
      sha256: "265b2314b5f901b1e613570a063db9729dc13d1ffaf20478a31660cb7c8d0bc2",
    },
    tokenizer: {
      kind: "wordpiece",
      file: {
        name: "vocab.txt",
        sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
      },
    },
    maxTokens: 256,
    queryPrefix: "",
    passagePrefix: "",
    center: null,
    weight: { memories: 1, documents: 1 },
    // The encoder of memory queries makes all texts a little less similar to short queries.
    similarity: {
      memories: { none: 0.17, same: 0.8 },
      documents: { none: 0.2, same: 0.8 },
    },
    table: {
      id: "all-minilm-l6-v2-static128",
      dims: 128,
      file: {
        name: "static128.bin",
        sha256: "67a7292e6bb2e3c04cbaab415a43dc8e75aaf19b424064caa18721b4007bccf7",
      },
    },
  },
  e5: {
    id: "multilingual-e5-small-int8",
    dims: 384,
    graph: {
      name: "model.onnx",
      sha256: "9b204b3ff4b5d211f0669d0c9f102f5f80f0e434c1ce20c15e6b0152389753e9",
    },
    wordTable: { format: "int4", values: 26_920, scales: 48_034_097 },
    memoryQueryEncoder: null,
    tokenizer: {
      kind: "unigram",
      file: {
        name: "unigram.bin",
        sha256: "2c08bdd3ded10a14243d69ad2a9b85a38db667b7ad97ed17078d886333aa88ad",
      },
    },
    maxTokens: 512,
    queryPrefix: "query: ",
    passagePrefix: "passage: ",
    center: {
      name: "mean.f32",
      sha256: "fd202a26cfea4be62adcc636cd9b5ac4bd8c475fc9a7d9d79725765297662027",
    },
    weight: { memories: 0.6, documents: 0.8 },
    similarity: {
      memories: { none: 0.78, same: 0.93 },
      documents: { none: 0.78, same: 0.93 },
    },
    table: null,
  },
} as const satisfies Record<string, BuiltinModel>;

export type BuiltinName = keyof typeof BUILTIN_MODELS;

/**
 * Returns the name of a built-in model, given its name or its id, with or without the ending
 * `-int8`. Returns undefined if there's no such model.
 */
export function findBuiltin(text: string): BuiltinName | undefined {
  return Object.keys(BUILTIN_MODELS).filter(isBuiltin)
    .find((name) =>
      [name, `${name}-int8`, BUILTIN_MODELS[name].id].some((id) =>
        [text, `${text}-int8`].includes(id)
      )
    );
}

/** Checks whether a name refers to a built-in model. */
export function isBuiltin(name: string): name is BuiltinName {
  return Object.hasOwn(BUILTIN_MODELS, name);
}
