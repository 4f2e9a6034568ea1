/** Work in a thread of its own: questions go in, answers come back, a dead thread is replaced. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, type ErrorCode } from "./errors.ts";

interface PendingRequest<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface RequestMessage<Question> {
  /** Absent where no answer is wanted. */
  readonly id?: number;
  readonly request: Question;
}

type ResponseMessage<Answer> =
  | { readonly id: number; readonly response: Answer }
  | { readonly id: number; readonly error: string; readonly apiError: SerializedApiError | null };

/** An error that clients are told about, as it crosses from thread to thread. */
interface SerializedApiError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfter: number | undefined;
}

/**
 * One worker and the answers that it owes. It starts with the first question. With a limit to its
 * idleness it ends after so long without a question, and the next one starts it again.
 */
export class WorkerClient<Question, Answer> {
  readonly #url: URL;
  readonly #name: string;
  readonly #idleTimeoutMs: number | undefined;
  readonly #pending = new Map<number, PendingRequest<Answer>>();
  #worker: Worker | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 0;

  /**
   * @param name what the worker reads as `self.name`: its one piece of configuration
   * @param idleTimeoutMs after so long without a question the worker ends; never when not given
   */
  constructor(url: URL, name = "", idleTimeoutMs?: number) {
    this.#url = url;
    this.#name = name;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Questions that wait for their answer. */
  get load(): number {
    return this.#pending.size;
  }

  request(request: Question): Promise<Answer> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker ??= this.#start();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.postMessage({ id, request } satisfies RequestMessage<Question>);
    });
  }

  /** Tells the worker more about what it was asked; there is no answer. */
  notify(message: Question): void {
    this.#worker?.postMessage({ request: message } satisfies RequestMessage<Question>);
  }

  close(): void {
    this.#worker?.terminate();
    this.#rejectAll(new Error("The worker was stopped"));
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { type: "module", name: this.#name });
    worker.onmessage = ({ data }: MessageEvent<ResponseMessage<Answer>>) => {
      const waiting = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if ("response" in data) waiting?.resolve(data.response);
      else waiting?.reject(reviveError(data.apiError, new Error(data.error)));
      if (this.#pending.size === 0) this.#scheduleClose();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#rejectAll(new Error(`The worker died: ${event.message}`));
    };
    return worker;
  }

  #scheduleClose(): void {
    if (this.#idleTimeoutMs === undefined) return;
    this.#idleTimer = setTimeout(() => this.close(), this.#idleTimeoutMs);
    // A process that has nothing else to do may end before this.
    this.#idleTimer.unref();
  }

  #rejectAll(error: Error): void {
    clearTimeout(this.#idleTimer);
    this.#worker = undefined;
    for (const waiting of this.#pending.values()) waiting.reject(error);
    this.#pending.clear();
  }
}

function reviveError(apiError: SerializedApiError | null, cause: Error): Error {
  if (apiError === null) return cause;
  const { code, message, retryAfter } = apiError;
  return new ApiError(code, message, {
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The other side, inside the worker: answers every question, with an error if it must. */
export function serveRequests<Request, Response>(
  handle: (request: Request) => Response | Promise<Response>,
): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<RequestMessage<Request>>) => void;
    postMessage(message: ResponseMessage<Response>): void;
  };
  scope.onmessage = async ({ data: { id, request } }) => {
    try {
      const response = await handle(request);
      if (id !== undefined) scope.postMessage({ id, response });
    } catch (error) {
      // Nobody waits for this one: it ends the thread, and with it fails all that is owed.
      if (id === undefined) throw error;
      const apiError = error instanceof ApiError
        ? { code: error.code, message: error.message, retryAfter: error.retryAfter }
        : null;
      scope.postMessage({ id, error: (error as Error).stack ?? String(error), apiError });
    }
  };
}
