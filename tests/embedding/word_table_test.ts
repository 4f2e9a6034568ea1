/** Checks the word tables of the models. */

import { deepStrictEqual, notDeepStrictEqual } from "node:assert/strict";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { readModelFile } from "../../src/embedding/model_files.ts";
import { fieldsOf } from "../../src/embedding/runtimes/protobuf.ts";
import { WordTable } from "../../src/embedding/runtimes/word_table.ts";

/** Field numbers in ONNX messages, from `onnx.proto`. */
const MODEL_GRAPH = 7, GRAPH_INITIALIZER = 5, TENSOR_NAME = 8, TENSOR_RAW_DATA = 9;

/** Names of the tensors with the values of a word table, by their format. */
const VALUE_TENSORS = { int8: "word_i8", int4: "word_q4" };

for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
  Deno.test(`BUILTIN_MODELS.${name}.wordTable has the offsets of the tensors in the graph`, () => {
    const offsets = tensorOffsets(readModelFile(model, model.graph));
    const { format, values, scales } = model.wordTable;
    deepStrictEqual(
      [values, scales],
      [offsets.get(VALUE_TENSORS[format]), offsets.get("word_s")],
    );
  });

  Deno.test(`WordTable.rows() of ${name} returns the same rows after more than it keeps`, () => {
    const table = new WordTable(model);
    const ids = Array.from({ length: 100 }, (_, i) => 1_000 + i);
    const first = table.rows(ids);
    notDeepStrictEqual(first.subarray(0, model.dims), first.subarray(model.dims, 2 * model.dims));
    for (let id = 2_000; id < 7_000; id++) table.rows([id]);
    deepStrictEqual(table.rows(ids), first);
    deepStrictEqual(
      table.rows([ids[1]!, ids[0]!]).subarray(model.dims),
      first.slice(0, model.dims),
    );
  });
}

/** Where the data of each tensor in a model begins, by name. */
function tensorOffsets(model: Uint8Array): ReadonlyMap<string, number> {
  const graph = fieldsOf(model).find(({ number }) => number === MODEL_GRAPH)!;
  const offsets = new Map<string, number>();
  for (const { number, content } of fieldsOf(graph.content)) {
    if (number !== GRAPH_INITIALIZER) continue;
    const fields = fieldsOf(content);
    const name = fields.find((field) => field.number === TENSOR_NAME)!;
    const data = fields.find((field) => field.number === TENSOR_RAW_DATA);
    if (data === undefined) continue;
    offsets.set(
      new TextDecoder().decode(name.content),
      data.content.byteOffset - model.byteOffset,
    );
  }
  return offsets;
}
