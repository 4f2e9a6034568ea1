/**
 * A model's graph on ONNX Runtime, native or as WASM. One text a run: dynamic int8 quantises over
 * the whole batch, so that in a batch a text's vector would depend on its neighbours; one at a time
 * costs the same and can be repeated exactly.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BuiltinModel } from "../builtin_models.ts";
import { readModelFile } from "../model_files.ts";
import { readTokenizer } from "../tokenizer.ts";
import type { Runtime } from "./runtime.ts";
import { DISABLED_FUSIONS, unfuse } from "./unfuse.ts";

/** The few things that both forms of ONNX Runtime are used for. */
interface Onnx {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => unknown;
  createSession(graph: Uint8Array): Promise<Session>;
}

interface Session {
  run(feeds: Record<string, unknown>): Promise<Record<string, { readonly data: unknown }>>;
}

/**
 * One thread without spinning: the event loop and the search workers need the other cores
 * (measured: a second thread gains nothing at these lengths).
 */
const SESSION = {
  intraOpNumThreads: 1,
  graphOptimizationLevel: "all",
  extra: {
    session: { intra_op: { allow_spinning: "0" } },
    optimization: { disable_specified_optimizers: DISABLED_FUSIONS },
  },
} as const;

/** The native library. @throws when it can't be loaded here */
export async function openNative(model: BuiltinModel): Promise<Runtime> {
  // It reports its use to its maker otherwise (since 1.30), and asks the machine for its identity.
  // Without the permission to say no, this throws, and nothing is loaded.
  Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
  const { InferenceSession, Tensor } = (await import("onnxruntime-node")).default;
  return await open(model, {
    Tensor: Tensor as unknown as Onnx["Tensor"],
    createSession: async (graph) =>
      await InferenceSession.create(graph, SESSION) as unknown as Session,
  });
}

/** The same as WASM: about ten times slower, but nothing native. @throws when it can't be loaded */
export async function openWasm(model: BuiltinModel): Promise<Runtime> {
  // The package makes URLs relative to the page's origin, which for a worker of a file is no URL.
  Reflect.deleteProperty(globalThis, "location");
  const { env, InferenceSession, Tensor } = await import("onnxruntime-web/wasm");
  env.wasm.numThreads = 1;
  // Read here, since the package would fetch it, and files can't be fetched without leave.
  const code = import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm");
  env.wasm.wasmBinary = readFileSync(fileURLToPath(code)).buffer;
  return await open(model, {
    Tensor: Tensor as unknown as Onnx["Tensor"],
    createSession: async (graph) =>
      await InferenceSession.create(graph, {
        graphOptimizationLevel: "all",
        extra: { optimization: SESSION.extra.optimization },
      }) as unknown as Session,
  });
}

async function open(model: BuiltinModel, { Tensor, createSession }: Onnx): Promise<Runtime> {
  const tokenizer = readTokenizer(model);
  const file = readModelFile(model, model.graph);
  const graph = unfuse(file);
  freeBytes(file);
  const session = await createSession(graph);
  freeBytes(graph);
  return {
    model: model.id,
    dims: model.dims,
    async embed(text, purpose) {
      const prefix = purpose === "query" ? model.queryPrefix : model.passagePrefix;
      const ids = tokenizer.encode(prefix + text, model.maxTokens);
      const shape = [1, ids.length];
      const { embedding } = await session.run({
        input_ids: new Tensor("int64", BigInt64Array.from(ids, BigInt), shape),
        attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
      });
      return Float32Array.from(embedding!.data as Float32Array);
    },
  };
}

/** Frees bytes at once: tens of megabytes that the garbage collector of an idle worker would keep. */
function freeBytes(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}
