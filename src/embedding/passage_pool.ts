/** Embeds stored texts in several threads, as many as are idle. */

import type { BuiltinName } from "./builtin_models.ts";
import type { EmbedderError } from "./embedder.ts";
import { EmbeddingWorkerClient } from "./worker_client.ts";
import type { RuntimeName } from "./worker_messages.ts";

/** Maximum number of threads. Each has a copy of the model, 60 MB or more. */
const MAX_THREADS = 4;

/** Minimum number of texts per thread. Loading the model takes as long as embedding about 50. */
const MIN_THREAD_TEXTS = 16;

/** Idle time before a thread and its copy of the model are released, in milliseconds. */
const IDLE_MS = 60_000;

/** Embeds texts at low priority. */
export class PassagePool {
  readonly #threads: readonly EmbeddingWorkerClient[];
  readonly #isBusy: () => boolean;

  /**
   * @param isBusy returns whether the cores are needed for something more urgent. All threads but
   *   the first then stop after the text that they are at, which takes up to 30 ms
   */
  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
    this.#threads = Array.from(
      { length: Math.min(MAX_THREADS, navigator.hardwareConcurrency) },
      () => new EmbeddingWorkerClient({ lowPriority: true, idleMs: IDLE_MS }),
    );
  }

  /**
   * Returns the vectors of texts, in order.
   *
   * @throws {EmbedderError} If a text can't be embedded.
   */
  async embed(
    name: BuiltinName,
    runtime: RuntimeName,
    texts: readonly string[],
  ): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(texts.length);
    let next = 0;
    const work = async (thread: EmbeddingWorkerClient, index: number) => {
      try {
        await thread.open(name, [runtime]);
      } catch (error) {
        // Each thread has a model of its own. If there's no memory for it, the first one goes on.
        if (index === 0) throw error;
        return;
      }
      while (next < texts.length && (index === 0 || !this.#isBusy())) {
        const current = next++;
        vectors[current] = await thread.embed({ text: texts[current]!, purpose: "passage" });
      }
    };
    const count = Math.max(1, Math.floor(texts.length / MIN_THREAD_TEXTS));
    await Promise.all(this.#threads.slice(0, count).map(work));
    return vectors;
  }

  /** Releases all threads. Unfinished calls fail with `error`. */
  stop(error: EmbedderError): void {
    for (const thread of this.#threads) thread.stop(error);
  }
}
