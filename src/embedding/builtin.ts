/** Embeds texts with a built-in model in worker threads, started on the first text. */

import { BUILTIN_MODELS, type BuiltinModel, type BuiltinName } from "./builtin_models.ts";
import {
  type Embedder,
  EmbedderError,
  type EmbedderStatus,
  type EmbeddingModel,
  type Searched,
} from "./embedder.ts";
import { readModelFile } from "./model_files.ts";
import { PassagePool } from "./passage_pool.ts";
import { QueryCache } from "./query_cache.ts";
import { EmbeddingWorkerClient } from "./worker_client.ts";
import type { OpenedModel, RuntimeName } from "./worker_messages.ts";

/** Maximum number of characters in a text. No model reads more, so the rest is cut off. */
const MAX_TEXT_CHARACTERS = 8_000;

/** Time without a query after which the cores count as idle, in milliseconds. */
const QUIET_MS = 250;

/** Maximum length of a single text that the query thread embeds, in characters. Takes 10 ms. */
const MAX_QUICK_CHARACTERS = 400;

/**
 * Embeds queries and passages in separate threads. A passage takes up to 30 ms, so a query would
 * take twice as long if it had to wait for one, or ran alongside one at the same priority. While
 * there are no queries, passages use all cores.
 *
 * If no runtime can be opened, the next call tries again.
 */
export class BuiltinEmbedder implements Embedder {
  readonly #name: BuiltinName;
  readonly #runtimes: readonly RuntimeName[];
  readonly #caches = { "memory query": new QueryCache(), "document query": new QueryCache() };
  readonly #queryWorker = new EmbeddingWorkerClient({ purpose: "memory query" });
  readonly #passages = new PassagePool();
  #lastQueryAt = -Infinity;
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

  embedQuery(text: string, searched: Searched): Promise<Float32Array> {
    this.#lastQueryAt = performance.now();
    this.#passages.pause();
    const hasOwnEncoder = searched === "memories" &&
      BUILTIN_MODELS[this.#name].memoryQueryEncoder !== null;
    const purpose = hasOwnEncoder ? "memory query" : "document query";
    return this.#caches[purpose].getOrCompute(text, async () => {
      await this.#openWorker();
      return await this.#queryWorker.embed({
        text: text.slice(0, MAX_TEXT_CHARACTERS),
        purpose,
      });
    });
  }

  async embedPassages(texts: readonly string[]): Promise<Float32Array[]> {
    // Use the same runtime as for queries, since vectors from different runtimes aren't comparable.
    const { opened } = await this.#openWorker();
    const passages = texts.map((text) => text.slice(0, MAX_TEXT_CHARACTERS));
    // A single new text doesn't wait for a thread of the pool to start.
    const isQuick = texts.length === 1 && texts[0]!.length <= MAX_QUICK_CHARACTERS;
    if (isQuick && (this.#isQuiet() || !this.#passages.loaded)) {
      return [await this.#queryWorker.embed({ text: texts[0]!, purpose: "passage" })];
    }
    if (this.#isQuiet()) this.#passages.resume();
    return await this.#passages.embed(this.#name, opened, passages);
  }

  #isQuiet(): boolean {
    return performance.now() - this.#lastQueryAt > QUIET_MS;
  }

  close(): void {
    const stopped = new EmbedderError("The embedder was stopped");
    this.#queryWorker.stop(stopped);
    this.#passages.stop(stopped);
    this.#model = undefined;
  }

  /**
   * Opens the worker again if it has crashed. If only another model can be opened now, its vectors
   * aren't comparable with those of the first one, so the call fails and the next one tries again.
   */
  async #openWorker(): Promise<OpenedModel> {
    const { id } = await this.model();
    const opened = await this.#queryWorker.open(this.#name, this.#runtimes);
    if (opened.model === id) {
      this.#status = { model: id, runtime: opened.opened, fault: opened.fault };
      return opened;
    }
    const error = new EmbedderError(`Can't open ${id} again: ${opened.fault}`);
    this.#status = { ...this.#status, fault: error.message };
    this.#queryWorker.stop(error);
    throw error;
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
