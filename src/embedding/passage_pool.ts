/** Embeds stored texts in several threads, as many as are idle. */

import type { BuiltinName } from "./builtin_models.ts";
import { EmbedderError } from "./embedder.ts";
import { EmbeddingWorkerClient } from "./worker_client.ts";
import type { RuntimeName } from "./worker_messages.ts";

/** Maximum number of threads. Each has a copy of the model, 60 MB or more. */
const MAX_THREADS = 4;

/** Minimum number of texts per thread. Loading the model takes as long as embedding about 50. */
const MIN_THREAD_TEXTS = 16;

/** Idle time before a thread and its copy of the model are released, in milliseconds. */
const IDLE_MS = 60_000;

/** An index beyond that of any text. The threads add to it. */
const NO_MORE_TEXTS = 2 ** 30;

/** Embeds texts at low priority. */
export class PassagePool {
  readonly #threads: readonly EmbeddingWorkerClient[];
  /** 1 while the cores are needed for something more urgent. Shared with the threads. */
  readonly #pause = sharedInteger();
  /** Index of the next text of the latest batch. Shared with the threads. */
  #next = sharedInteger();

  constructor() {
    this.#threads = Array.from(
      { length: Math.min(MAX_THREADS, navigator.hardwareConcurrency) },
      () => new EmbeddingWorkerClient({ purpose: "passage", idleMs: IDLE_MS }),
    );
  }

  /** Whether a thread has its model loaded, or is loading it. */
  get loaded(): boolean {
    return this.#threads[0]!.loaded;
  }

  /** Stops all threads but the first, after the text that they are at: at most 30 ms. */
  pause(): void {
    Atomics.store(this.#pause, 0, 1);
  }

  /** Lets the next batch use all threads. */
  resume(): void {
    Atomics.store(this.#pause, 0, 0);
  }

  /**
   * Returns the vectors of texts, in order. Each thread takes the next text until none are left, so
   * that they finish together and the event loop has no part in it.
   *
   * @throws {EmbedderError} If a text can't be embedded.
   */
  async embed(
    name: BuiltinName,
    runtime: RuntimeName,
    passages: readonly string[],
  ): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(passages.length);
    let done = 0;
    const next = this.#next = sharedInteger();
    const work = async (thread: EmbeddingWorkerClient, index: number) => {
      const pause = index === 0 ? null : this.#pause;
      if (pause !== null && Atomics.load(pause, 0) !== 0) return;
      try {
        await thread.open(name, [runtime]);
      } catch (error) {
        // Each thread has a model of its own. If there's no memory for it, the first one goes on.
        if (index === 0) throw error;
        return;
      }
      const embedded = await thread.embedPassages({ passages, next, pause });
      embedded.indexes.forEach((index, at) => vectors[index] = embedded.vectors[at]!);
      done += embedded.indexes.length;
    };
    const count = Math.max(1, Math.floor(passages.length / MIN_THREAD_TEXTS));
    await Promise.all(this.#threads.slice(0, count).map(work));
    // A stop can come between two messages to a thread.
    if (done < passages.length) throw new EmbedderError("The embedder was stopped");
    return vectors;
  }

  /** Releases all threads, each after the text that it's at. Unfinished calls fail with `error`. */
  stop(error: EmbedderError): void {
    Atomics.store(this.#next, 0, NO_MORE_TEXTS);
    for (const thread of this.#threads) thread.stop(error);
  }
}

function sharedInteger(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}
