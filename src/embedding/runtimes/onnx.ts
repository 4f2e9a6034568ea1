/**
 * Runs a model's graph on ONNX Runtime, either natively or as WASM. Each run processes one text:
 * dynamic int8 quantizes over the whole batch, so a text's vector would depend on the other texts
 * in it. Separate runs cost the same and are exactly reproducible.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BuiltinModel, ModelFile } from "../builtin_models.ts";
import { freeBytes, readModelFile, verifyAsset } from "../model_files.ts";
import { trimHeapNow } from "../../kernel/process/heap.ts";
import { readTokenizer } from "../tokenizer.ts";
import type { Purpose, Runtime } from "./runtime.ts";
import { DISABLED_FUSIONS, unfuse } from "./unfuse.ts";
import { WordTable } from "./word_table.ts";

/** Element types of tensors in use, and their arrays. */
interface ElementArrays {
  int64: BigInt64Array;
  float32: Float32Array;
}

/** A run's inputs or outputs by name. */
type Tensors = Record<string, unknown>;

/** An opened graph. */
export interface Session {
  /** Creates an input. */
  tensor<T extends keyof ElementArrays>(
    type: T,
    data: ElementArrays[T],
    dims: readonly number[],
  ): unknown;
  /** Runs the graph and returns its outputs by name. */
  run(inputs: Tensors): Promise<Record<string, Float32Array>>;
}

/** The subset of ONNX Runtime that both builds share. */
interface Onnx {
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
  createSession(graph: Uint8Array | string, options: SessionOptions): Promise<{
    run(inputs: Tensors): Promise<Record<string, { readonly data: unknown }>>;
  }>;
}

/** Options of a session. */
export interface SessionOptions {
  /**
   * Whether to keep memory between runs (ONNX Runtime's arena), which is the default. Without it,
   * texts of 256 tokens take 8 % more CPU, and inputs of up to 128 tokens take no more.
   */
  readonly arena?: boolean;
}

/** How a graph can be run: the native library, or WASM. */
export type OnnxBuild = "native" | "wasm";

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

/**
 * Opens a graph, which is a file, or bytes that are freed afterwards. WASM is about ten times slower,
 * but needs no native code.
 *
 * @throws If the build can't be loaded or the graph can't be opened.
 */
export async function openSession(
  build: OnnxBuild,
  graph: Uint8Array<ArrayBuffer> | string,
  options: SessionOptions = {},
): Promise<Session> {
  const { Tensor, createSession } = await (build === "native" ? loadNative() : loadWasm());
  const session = await createSession(graph, options);
  if (typeof graph !== "string") freeBytes(graph);
  // Opening takes copies of the weights that were freed since: 21 MB for a graph of 11 MB.
  trimHeapNow();
  return {
    tensor: (type, data, dims) => new Tensor(type, data, dims),
    async run(inputs) {
      const outputs = Object.entries(await session.run(inputs));
      return Object.fromEntries(outputs.map(([name, { data }]) => [name, data as Float32Array]));
    },
  };
}

async function loadNative(): Promise<Onnx> {
  // By default, ONNX Runtime reports its use to Microsoft (since 1.30) and reads the machine id.
  // Without permission to disable this, the call throws and nothing is loaded.
  Deno.env.set("ORT_DISABLE_TELEMETRY", "1");
  const { InferenceSession, Tensor } = (await import("onnxruntime-node")).default;
  return {
    Tensor: Tensor as Onnx["Tensor"],
    createSession: async (graph, { arena = true }) =>
      await InferenceSession.create(graph as string, {
        ...SESSION,
        enableCpuMemArena: arena,
      }) as Awaited<ReturnType<Onnx["createSession"]>>,
  };
}

async function loadWasm(): Promise<Onnx> {
  // The package resolves URLs against the page's origin. In a worker loaded from a file, that
  // origin isn't a valid URL.
  Reflect.deleteProperty(globalThis, "location");
  const { env, InferenceSession, Tensor } = await import("onnxruntime-web/wasm");
  env.wasm.numThreads = 1;
  // Read the file here. Otherwise the package would fetch it, which requires a permission.
  const code = import.meta.resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm");
  env.wasm.wasmBinary = readFileSync(fileURLToPath(code)).buffer;
  return {
    Tensor: Tensor as Onnx["Tensor"],
    createSession: async (graph) =>
      await InferenceSession.create(typeof graph === "string" ? readFileSync(graph) : graph, {
        graphOptimizationLevel: "all",
        extra: { optimization: SESSION.extra.optimization },
      }) as Awaited<ReturnType<Onnx["createSession"]>>,
  };
}

/** Computes a text's vector from its tokens. */
type Encoder = (ids: readonly number[]) => Promise<Float32Array>;

/**
 * Opens an embedding model on a build of ONNX Runtime.
 *
 * @param first What the first text is for. If the model has another encoder for another purpose,
 * that one is opened with its first text.
 */
export async function openOnnx(
  build: OnnxBuild,
  model: BuiltinModel,
  first: Purpose,
): Promise<Runtime> {
  const tokenizer = readTokenizer(model);
  const published = once(() => openPublishedEncoder(build, model));
  const { memoryQueryEncoder } = model;
  let fault: string | null = null;
  const memoryQuery = once(async () => {
    try {
      return await openMemoryQueryEncoder(build, model, memoryQueryEncoder!);
    } catch (error) {
      // The published encoder's vectors can be compared with the stored ones, too.
      const encoder = await published();
      fault = (error as Error).message;
      return encoder;
    }
  });
  const encoders = {
    passage: published,
    "document query": published,
    "memory query": memoryQueryEncoder === null ? published : memoryQuery,
  };
  await encoders[first]();
  return {
    model: model.id,
    dims: model.dims,
    fault,
    async embed(text, purpose) {
      const prefix = purpose === "passage" ? model.passagePrefix : model.queryPrefix;
      const encode = await encoders[purpose]();
      return await encode(tokenizer.encode(prefix + text, model.maxTokens));
    },
  };
}

async function openPublishedEncoder(build: OnnxBuild, model: BuiltinModel): Promise<Encoder> {
  const file = readModelFile(model, model.graph);
  const graph = unfuse(file);
  freeBytes(file);
  const session = await openSession(build, graph);
  return async (ids) => {
    const shape = [1, ids.length];
    const { embedding } = await session.run({
      input_ids: session.tensor("int64", BigInt64Array.from(ids, BigInt), shape),
      attention_mask: session.tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    });
    return Float32Array.from(embedding!);
  };
}

async function openMemoryQueryEncoder(
  build: OnnxBuild,
  model: BuiltinModel,
  file: ModelFile,
): Promise<Encoder> {
  const graph = verifyAsset(`embedding/${model.id}`, file);
  const session = await openSession(build, graph);
  const table = new WordTable(model);
  return async (ids) => {
    const words = session.tensor("float32", table.rows(ids), [1, ids.length, model.dims]);
    const { embedding } = await session.run({ words });
    return Float32Array.from(embedding!);
  };
}

/** Returns a function that opens something when it's first called, and then returns the same. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () =>
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
}
