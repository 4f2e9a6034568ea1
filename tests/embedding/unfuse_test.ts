/** Makes sure that replacing a model's fused steps changes its speed but not its vectors. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { InferenceSession as Session } from "onnxruntime-node";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { readModelFile } from "../../src/embedding/model_files.ts";
import { DISABLED_FUSIONS, unfuse } from "../../src/embedding/runtimes/unfuse.ts";
import { readTokenizer } from "../../src/embedding/tokenizer.ts";

// Otherwise, ONNX Runtime would report its usage.
Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
const { InferenceSession, Tensor } = (await import("onnxruntime-node")).default;

const TEXTS = [
  "Maria loves green tea.",
  "",
  "Where did the two of them go after the concert in Lisbon, and who paid for it in the end?",
  "一段中文 and some words 🍵 that no vocabulary has: zxqv",
];

for (const [name, model] of Object.entries(BUILTIN_MODELS)) {
  Deno.test(`unfuse() preserves the vectors of ${name}`, async () => {
    const original = readModelFile(model, model.graph);
    const graph = unfuse(original);
    deepStrictEqual(fusedStepsIn(original), ["BiasGelu", "SkipLayerNormalization"]);
    deepStrictEqual(fusedStepsIn(graph), []);
    strictEqual(unfuse(graph).length, graph.length);
    const before = await InferenceSession.create(original);
    const after = await InferenceSession.create(graph, {
      extra: { optimization: { disable_specified_optimizers: DISABLED_FUSIONS } },
    });
    const tokenizer = readTokenizer(model);
    for (const text of TEXTS) {
      const ids = tokenizer.encode(text, model.maxTokens);
      const [a, b] = [await embed(before, ids), await embed(after, ids)];
      ok(a.reduce((sum, x, at) => sum + x * b[at]!, 0) > 0.99, text);
    }
    await before.release();
    await after.release();
  });
}

function fusedStepsIn(model: Uint8Array): string[] {
  const bytes = new TextDecoder("latin1").decode(model);
  return ["BiasGelu", "SkipLayerNormalization"].filter((name) => bytes.includes(name));
}

async function embed(session: Session, ids: readonly number[]): Promise<Float32Array> {
  const shape = [1, ids.length];
  const { embedding } = await session.run({
    input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
  });
  return embedding!.data as Float32Array;
}
