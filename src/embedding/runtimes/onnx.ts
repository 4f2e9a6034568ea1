/**
 * Runs a model's graph on ONNX Runtime, either natively or as WASM. Each run processes one text:
 * dynamic int8 quantizes over the whole batch, so a text's vector would depend on the other texts
 * in it. Separate runs cost the same and are exactly reproducible.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BuiltinModel } from "../builtin_models.ts";
import { readModelFile } from "../model_files.ts";
import { readTokenizer } from "../tokenizer.ts";
import type { Runtime } from "./runtime.ts";
import { DISABLED_FUSIONS, unfuse } from "./unfuse.ts";

/** The subset of ONNX Runtime that both builds share. */
interface Onnx {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => unknown;
  createSession(graph: Uint8Array): Promise<Session>;
}

interface Session {
  run(feeds: Record<string, unknown>): Promise<Record<string, { readonly data: unknown }>>;
}

/**
 * A single thread without spinning, to leave the other cores to the event loop and the search
 * workers. We measured that a second thread gains nothing at these lengths.
 */
const SESSION = {
  intraOpNumThreads: 1,
  graphOptimizationLevel: "all",
  extra: {
    session: { intra_op: { allow_spinning: "0" } },
    optimization: { disable_specified_optimizers: DISABLED_FUSIONS },
  },
} as const;

/** Opens a model with the native library. Throws if the library can't be loaded. */
export async function openNative(model: BuiltinModel): Promise<Runtime> {
  // By default, ONNX Runtime reports its use to Microsoft (since 1.30) and reads the machine id.
  // Without permission to disable this, the call throws and nothing is loaded.
  Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
  const { InferenceSession, Tensor } = (await import("onnxruntime-node")).default;
  return await open(model, {
    Tensor: Tensor as unknown as Onnx["Tensor"],
    createSession: async (graph) =>
      await InferenceSession.create(graph, SESSION) as unknown as Session,
  });
}

/**
 * Opens a model with the WASM build. About ten times slower, but needs no native code. Throws if
 * the build can't be loaded.
 */
export async function openWasm(model: BuiltinModel): Promise<Runtime> {
  // The package resolves URLs against the page's origin. In a worker loaded from a file, that
  // origin isn't a valid URL.
  Reflect.deleteProperty(globalThis, "location");
  const { env, InferenceSession, Tensor } = await import("onnxruntime-web/wasm");
  env.wasm.numThreads = 1;
  // Read the file here. Otherwise the package would fetch it, which requires a permission.
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

/**
 * Free the bytes right away. In an idle worker, the garbage collector would hold on to tens of
 * megabytes.
 */
function freeBytes(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0);
}
