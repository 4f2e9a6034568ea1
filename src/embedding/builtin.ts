/** Embeds texts with a built-in model in worker threads, started on the first text. */

import { BUILTIN_MODELS, type BuiltinModel, type BuiltinName } from "./builtin_models.ts";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
} from "./embedder.ts";
import { readModelFile } from "./model_files.ts";
import { QueryCache } from "./query_cache.ts";
import { EmbeddingWorkerClient } from "./worker_client.ts";
import type { RuntimeName } from "./worker_messages.ts";

/** Maximum number of characters in a text. No model reads more, so the rest is cut off. */
const MAX_TEXT_CHARACTERS = 8_000;

/** Idle time before the passage thread and its copy of the model are released, in milliseconds. */
const PASSAGES_IDLE_MS = 60_000;

/**
 * Embeds queries and passages in separate threads. A passage takes up to 30 ms, so a query would
 * take twice as long if it had to wait for one, or ran alongside one at the same priority.
 *
 * If no runtime can be opened, the next call tries again.
 */
export class BuiltinEmbedder implements Embedder {
  readonly #name: BuiltinName;
  readonly #runtimes: readonly RuntimeName[];
  readonly #cache = new QueryCache();
  readonly #queryWorker = new EmbeddingWorkerClient({ lowPriority: false });
  readonly #passageWorker = new EmbeddingWorkerClient({
    lowPriority: true,
    idleMs: PASSAGES_IDLE_MS,
  });
  #model: Promise<EmbeddingModel> | undefined;
  #status: EmbedderStatus = { model: null, runtime: null, fault: null };

  constructor(name: BuiltinName, runtimes: readonly RuntimeName[]) {
    this.#name = name;
    this.#runtimes = runtimes;
  }

  get configuredModelId(): string {
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

  embedQuery(text: string): Promise<Float32Array> {
    return this.#cache.getOrCompute(text, async () => {
      await this.model();
      await this.#queryWorker.open(this.#name, this.#runtimes);
      return await this.#queryWorker.embed({
        text: text.slice(0, MAX_TEXT_CHARACTERS),
        purpose: "query",
      });
    });
  }

  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    await this.model();
    // Use the same runtime as for queries, since vectors from different runtimes aren't comparable.
    const { opened } = await this.#queryWorker.open(this.#name, this.#runtimes);
    await this.#passageWorker.open(this.#name, [opened]);
    const embed = (text: string) =>
      this.#passageWorker.embed({ text: text.slice(0, MAX_TEXT_CHARACTERS), purpose: "passage" });
    return await Promise.all(texts.map(embed));
  }

  close(): void {
    const stopped = new EmbedderError("The embedder was stopped");
    this.#queryWorker.stop(stopped);
    this.#passageWorker.stop(stopped);
    this.#model = undefined;
  }

  async #open(): Promise<EmbeddingModel> {
    const opened = await this.#queryWorker.open(this.#name, this.#runtimes);
    const builtin: BuiltinModel = BUILTIN_MODELS[this.#name];
    const { weight, similarity, center } = builtin;
    this.#status = { model: opened.model, runtime: opened.opened, fault: opened.fault };
    return {
      id: opened.model,
      dims: opened.dims,
      weight,
      similarity,
      center: center === null ? null : new Float32Array(readModelFile(builtin, center).buffer),
    };
  }
}
