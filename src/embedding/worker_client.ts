/**
 * Runs an embedding worker with one model. The worker handles one request at a time, starts on the
 * first one, and is released when idle.
 */

import { clearTimeout, setTimeout } from "node:timers";
import { terminateWhenDone } from "../kernel/process/ending_workers.ts";
import { EmbedderError } from "./embedder.ts";
import type { BuiltinName } from "./builtin_models.ts";
import type { Purpose } from "./runtimes/runtime.ts";
import type {
  EmbeddedPassages,
  EmbeddingRequest,
  EmbeddingResponse,
  OpenedModel,
  PassageBatch,
  RuntimeName,
} from "./worker_messages.ts";

interface Job {
  readonly message: EmbeddingRequest;
  readonly resolve: (response: EmbeddingResponse) => void;
  readonly reject: (error: Error) => void;
}

/** Options for an embedding worker. */
export interface WorkerClientOptions {
  /** What most texts are for. A worker for passages runs at a lower priority than
   * everything else on the machine. */
  readonly purpose: Purpose;
  /**
   * Idle time in milliseconds before the worker ends. The next text starts it again. By default,
   * the worker never ends.
   */
  readonly idleMs?: number;
}

/**
 * A client for a single worker.
 *
 * States: idle (nothing loaded), working (one job in progress, others queued), waiting (model
 * loaded, no job).
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
   * Loads the model unless it's already loaded.
   *
   * @param runtimes Runtimes to try, in order.
   * @throws {EmbedderError} If none of them can run the model.
   */
  open(name: BuiltinName, runtimes: readonly RuntimeName[]): Promise<OpenedModel> {
    return this.#model ??= this.#open(name, runtimes);
  }

  /** Whether the model is loaded or being loaded. */
  get loaded(): boolean {
    return this.#model !== undefined;
  }

  /**
   * Embeds a text.
   *
   * @throws {EmbedderError} If the text can't be embedded or the worker ends.
   */
  async embed(text: Extract<EmbeddingRequest, { text: string }>): Promise<Float32Array> {
    const response = await this.#request(text);
    if ("vector" in response) return response.vector;
    throw errorIn(response);
  }

  /**
   * Embeds passages of a batch that other workers embed too.
   *
   * @throws {EmbedderError} If one of them can't be embedded or the worker ends.
   */
  async embedPassages(batch: PassageBatch): Promise<EmbeddedPassages> {
    const response = await this.#request(batch);
    if ("vectors" in response) return response;
    throw errorIn(response);
  }

  /** Releases the worker and its model, after the job in progress. Pending jobs fail with `error`. */
  stop(error: EmbedderError): void {
    clearTimeout(this.#idleTimer);
    if (this.#worker !== undefined) {
      terminateWhenDone(this.#worker, this.#running === undefined ? 0 : 1);
    }
    this.#worker = undefined;
    this.#model = undefined;
    const unfinished = [this.#running, ...this.#jobs.splice(0)];
    this.#running = undefined;
    for (const job of unfinished) job?.reject(error);
  }

  async #open(name: BuiltinName, runtimes: readonly RuntimeName[]): Promise<OpenedModel> {
    const { purpose } = this.#options;
    const opened = await this.#request({ open: name, runtimes, purpose });
    if ("opened" in opened) return opened;
    const reason = "error" in opened ? opened.error : "unexpected response";
    this.stop(new EmbedderError(reason));
    throw new EmbedderError(`Can't run model ${name}: ${reason}`);
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
    this.#idleTimer = setTimeout(
      () => this.stop(new EmbedderError("The embedder was stopped because it was idle")),
      idleMs,
    );
    // Don't let the timer keep the process alive.
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
      worker.terminate();
      this.#worker = undefined;
      this.stop(new EmbedderError(`The embedding worker crashed: ${event.message}`));
    };
    return worker;
  }
}

function errorIn(response: EmbeddingResponse): EmbedderError {
  return new EmbedderError(
    "error" in response ? response.error : "The embedding worker sent an unexpected response",
  );
}
