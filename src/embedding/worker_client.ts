/** A thread that embeds: one model, one text after the other, started by the first and let go. */

import { clearTimeout, setTimeout } from "node:timers";
import { EmbedderError } from "./embedder.ts";
import type { BuiltinName } from "./builtin_models.ts";
import type {
  EmbeddingRequest,
  EmbeddingResponse,
  OpenedModel,
  RuntimeName,
} from "./worker_messages.ts";

interface Job {
  readonly message: EmbeddingRequest;
  readonly resolve: (answer: EmbeddingResponse) => void;
  readonly reject: (error: Error) => void;
}

/** How a thread works. */
export interface WorkerClientOptions {
  /** Whether whatever else the machine does comes first. */
  readonly lowPriority: boolean;
  /** After so many milliseconds without a text it ends; the next text starts it again. */
  readonly idleMs?: number;
}

/**
 * States: idle (nothing loaded), working (one job is with the worker, others wait), waiting (the
 * model is loaded, there is no job).
 */
export class EmbeddingWorkerClient {
  readonly #options: WorkerClientOptions;
  readonly #jobs: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #model: Promise<OpenedModel> | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WorkerClientOptions) {
    this.#options = options;
  }

  /**
   * Loads the model, unless it is there already.
   *
   * @param runtimes the ones to try, in this order
   * @throws EmbedderError when none of them can run it
   */
  open(name: BuiltinName, runtimes: readonly RuntimeName[]): Promise<OpenedModel> {
    return this.#model ??= this.#open(name, runtimes);
  }

  /** Whether the model is there, or on its way. */
  get loaded(): boolean {
    return this.#model !== undefined;
  }

  /** @throws EmbedderError when the text can't be embedded, or the thread ends */
  async embed(text: Extract<EmbeddingRequest, { text: string }>): Promise<Float32Array> {
    const answer = await this.#request(text);
    if ("vector" in answer) return answer.vector;
    throw new EmbedderError("error" in answer ? answer.error : "The embedder answered out of turn");
  }

  /** Lets go of the model; what waits fails. */
  stop(error: EmbedderError): void {
    clearTimeout(this.#idleTimer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#model = undefined;
    const owed = [this.#running, ...this.#jobs.splice(0)];
    this.#running = undefined;
    for (const job of owed) job?.reject(error);
  }

  async #open(name: BuiltinName, runtimes: readonly RuntimeName[]): Promise<OpenedModel> {
    const { lowPriority } = this.#options;
    const opened = await this.#request({ open: name, runtimes, lowPriority });
    if ("opened" in opened) return opened;
    const reason = "error" in opened ? opened.error : "it answered out of turn";
    this.stop(new EmbedderError(reason));
    throw new EmbedderError(`The model ${name} can't be run: ${reason}`);
  }

  #request(message: EmbeddingRequest): Promise<EmbeddingResponse> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ message, resolve, reject });
      this.#runNext();
    });
  }

  #runNext(): void {
    if (this.#running !== undefined) return;
    clearTimeout(this.#idleTimer);
    this.#running = this.#jobs.shift();
    if (this.#running === undefined) return this.#startIdleTimer();
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(this.#running.message);
  }

  #startIdleTimer(): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    this.#idleTimer = setTimeout(() => this.stop(new EmbedderError("The embedder rests")), idleMs);
    // A process that has nothing else to do need not wait for this.
    this.#idleTimer.unref();
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<EmbeddingResponse>) => {
      const job = this.#running;
      this.#running = undefined;
      job?.resolve(data);
      this.#runNext();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.stop(new EmbedderError(`The embedding worker died: ${event.message}`));
    };
    return worker;
  }
}
