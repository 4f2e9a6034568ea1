/**
 * A vector a token, added up: what is left where neither form of ONNX Runtime can run. Far weaker
 * than the model (it is close to weighted word matching), but it needs nothing but a table.
 *
 * The file: two 32-bit numbers (tokens, dims), a 32-bit float scale a token, an int8 row a token.
 */

import type { BuiltinModel } from "../builtin_models.ts";
import { EmbedderError } from "../embedder.ts";
import { readModelFile } from "../model_files.ts";
import { readTokenizer } from "../tokenizer.ts";
import type { Runtime } from "./runtime.ts";

/** Bytes before the scales. */
const HEADER_BYTES = 8;

/** @throws EmbedderError when the model has no table */
export function openStaticTable(model: BuiltinModel): Runtime {
  if (model.table === null) throw new EmbedderError(`${model.id} has no static table`);
  const { id, dims, file } = model.table;
  const tokenizer = readTokenizer(model);
  const bytes = readModelFile(model, file);
  const tokens = new DataView(bytes.buffer).getUint32(0, true);
  const scales = new Float32Array(bytes.buffer, HEADER_BYTES, tokens);
  const rows = new Int8Array(bytes.buffer, HEADER_BYTES + 4 * tokens);
  return {
    model: id,
    dims,
    embed(text) {
      const sum = new Float32Array(dims);
      // Without the special tokens at both ends, which are in every text.
      for (const token of tokenizer.encode(text, model.maxTokens).slice(1, -1)) {
        for (let at = 0; at < dims; at++) sum[at]! += scales[token]! * rows[token * dims + at]!;
      }
      const length = Math.hypot(...sum);
      return Promise.resolve(length === 0 ? sum : sum.map((each) => each / length));
    },
  };
}
