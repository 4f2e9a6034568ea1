/** The built-in models: a worker that is started when the first text has to be embedded. */

import { BUILTIN_MODELS, type BuiltinName } from "./builtin_models.ts";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
} from "./embedder.ts";
import { checkedBytes } from "./model_files.ts";
import { QueryCache } from "./query_cache.ts";
import type { Purpose } from "./runtimes/runtime.ts";
import type { FromEmbeddingWorker, RuntimeName, ToEmbeddingWorker } from "./worker_messages.ts";

/** Queries longer than this are cut: it is more than any model reads. */
const LONGEST_TEXT = 8_000;

interface Job {
  readonly message: ToEmbeddingWorker;
  readonly resolve: (answer: FromEmbeddingWorker) => void;
  readonly reject: (error: Error) => void;
}

/**
 * States: idle (nothing loaded), working (one job is with the worker, others wait), failed (no
 * runtime could be opened; the next call tries again). Queries overtake passages.
 */
export class BuiltinEmbedder implements Embedder {
  readonly #name: BuiltinName;
  readonly #runtimes: readonly RuntimeName[];
  readonly #cache = new QueryCache();
  readonly #queries: Job[] = [];
  readonly #passages: Job[] = [];
  #worker: Worker | undefined;
  #running: Job | undefined;
  #model: Promise<EmbeddingModel> | undefined;
  #status: EmbedderStatus = { model: null, runtime: null, fault: null };

  constructor(name: BuiltinName, runtimes: readonly RuntimeName[]) {
    this.#name = name;
    this.#runtimes = runtimes;
  }

  get intended(): string {
    return BUILTIN_MODELS[this.#name].id;
  }

  get status(): EmbedderStatus {
    return this.#status;
  }

  model(): Promise<EmbeddingModel> {
    return this.#model ??= this.#open().catch((error: unknown) => {
      this.#model = undefined;
      this.#status = { model: null, runtime: null, fault: (error as Error).message };
      throw error;
    });
  }

  query(text: string): Promise<Float32Array> {
    return this.#cache.get(text, () => this.#embed(this.#queries, text, "query"));
  }

  passages(texts: readonly string[]): Promise<Float32Array[]> {
    return Promise.all(texts.map((text) => this.#embed(this.#passages, text, "passage")));
  }

  close(): void {
    this.#stop(new EmbedderError("The embedder was stopped"));
  }

  async #embed(queue: Job[], text: string, purpose: Purpose): Promise<Float32Array> {
    await this.model();
    const answer = await this.#ask(queue, { text: text.slice(0, LONGEST_TEXT), purpose });
    if ("vector" in answer) return answer.vector;
    throw new EmbedderError("error" in answer ? answer.error : "The embedder answered out of turn");
  }

  async #open(): Promise<EmbeddingModel> {
    const opened = await this.#ask(this.#queries, { open: this.#name, runtimes: this.#runtimes });
    if (!("opened" in opened)) {
      const reason = "error" in opened ? opened.error : "it answered out of turn";
      this.#stop(new EmbedderError(reason));
      throw new EmbedderError(`The model ${this.#name} can't be run: ${reason}`);
    }
    const { weight, similarity, center, ...builtin } = BUILTIN_MODELS[this.#name];
    this.#status = { model: opened.model, runtime: opened.opened, fault: opened.fault };
    return {
      id: opened.model,
      dims: opened.dims,
      weight,
      similarity,
      center: center === null
        ? null
        : new Float32Array(checkedBytes({ ...builtin, weight, similarity, center }, center).buffer),
    };
  }

  #ask(queue: Job[], message: ToEmbeddingWorker): Promise<FromEmbeddingWorker> {
    return new Promise((resolve, reject) => {
      queue.push({ message, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== undefined) return;
    this.#running = this.#queries.shift() ?? this.#passages.shift();
    if (this.#running === undefined) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(this.#running.message);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromEmbeddingWorker>) => {
      const job = this.#running;
      this.#running = undefined;
      job?.resolve(data);
      this.#next();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(new EmbedderError(`The embedding worker died: ${event.message}`));
    };
    return worker;
  }

  /** Lets go of the worker; what waited fails, and the next call starts anew. */
  #stop(error: EmbedderError): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#model = undefined;
    const owed = [this.#running, ...this.#queries.splice(0), ...this.#passages.splice(0)];
    this.#running = undefined;
    for (const job of owed) job?.reject(error);
  }
}
