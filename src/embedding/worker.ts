/** Runs inside an embedding worker: one model on one runtime, one message at a time. */

import { lowerPriority } from "../kernel/process/priority.ts";
import { BUILTIN_MODELS } from "./builtin_models.ts";
import { openOnnx } from "./runtimes/onnx.ts";
import type { Runtime } from "./runtimes/runtime.ts";
import { openStaticTable } from "./runtimes/static_table.ts";
import type {
  EmbeddedPassages,
  EmbeddingRequest,
  EmbeddingResponse,
  OpenRequest,
  PassageBatch,
} from "./worker_messages.ts";

const scope = self as unknown as {
  onmessage: (event: MessageEvent<EmbeddingRequest>) => void;
  postMessage(message: EmbeddingResponse): void;
};

let runtime: Runtime | undefined;

scope.onmessage = async ({ data }) => {
  try {
    if ("open" in data) {
      if (data.purpose === "passage") lowerPriority(0);
      scope.postMessage(await open(data));
    } else if ("passages" in data) scope.postMessage(await embedPassages(data));
    else scope.postMessage({ vector: await runtime!.embed(data.text, data.purpose) });
  } catch (error) {
    scope.postMessage({ error: (error as Error).message });
  }
};

async function open({ open: name, runtimes, purpose }: OpenRequest): Promise<EmbeddingResponse> {
  const model = BUILTIN_MODELS[name];
  const openers = {
    native: () => openOnnx("native", model, purpose),
    wasm: () => openOnnx("wasm", model, purpose),
    static: () => openStaticTable(model),
  };
  const faults: string[] = [];
  for (const runtimeName of runtimes) {
    try {
      runtime = await openers[runtimeName]();
      if (runtime.fault !== null) faults.push(runtime.fault);
      const fault = faults.length === 0 ? null : faults.join("; ");
      return { opened: runtimeName, model: runtime.model, dims: runtime.dims, fault };
    } catch (error) {
      faults.push(`${runtimeName}: ${(error as Error).message}`);
    }
  }
  return { error: faults.join("; ") };
}

async function embedPassages({ passages, next, pause }: PassageBatch): Promise<EmbeddedPassages> {
  const indexes: number[] = [];
  const vectors: Float32Array[] = [];
  while (pause === null || Atomics.load(pause, 0) === 0) {
    const index = Atomics.add(next, 0, 1);
    if (index >= passages.length) break;
    vectors.push(await runtime!.embed(passages[index]!, "passage"));
    indexes.push(index);
  }
  return { indexes, vectors };
}
