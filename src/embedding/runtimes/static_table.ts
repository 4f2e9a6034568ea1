/**
 * Embeds a text as the sum of its token vectors, for machines that can't run ONNX Runtime at all.
 * The result is much weaker than the model's and close to weighted word matching, but all it takes
 * is a table.
 *
 * File format: two 32-bit numbers (tokens, dims), one 32-bit float scale per token, and one int8
 * row per token.
 */

import type { BuiltinModel } from "../builtin_models.ts";
import { EmbedderError } from "../embedder.ts";
import { readModelFile } from "../model_files.ts";
import { readTokenizer } from "../tokenizer.ts";
import type { Runtime } from "./runtime.ts";

/** Size of the header before the scales. */
const HEADER_BYTES = 8;

/**
 * Opens a model's static table.
 *
 * @throws {EmbedderError} If the model has no table.
 */
export function openStaticTable(model: BuiltinModel): Runtime {
  if (model.table === null) throw new EmbedderError(`Model ${model.id} has no static table`);
  const { id, dims, file } = model.table;
  const tokenizer = readTokenizer(model);
  const bytes = readModelFile(model, file);
  const tokens = new DataView(bytes.buffer).getUint32(0, true);
  const scales = new Float32Array(bytes.buffer, HEADER_BYTES, tokens);
  const rows = new Int8Array(bytes.buffer, HEADER_BYTES + 4 * tokens);
  return {
    model: id,
    dims,
    fault: null,
    embed(text) {
      const sum = new Float32Array(dims);
      // Skip the special tokens at both ends, since every text has them.
      for (const token of tokenizer.encode(text, model.maxTokens).slice(1, -1)) {
        for (let dim = 0; dim < dims; dim++) {
          sum[dim]! += scales[token]! * rows[token * dims + dim]!;
        }
      }
      const length = Math.hypot(...sum);
      return Promise.resolve(length === 0 ? sum : sum.map((component) => component / length));
    },
  };
}
