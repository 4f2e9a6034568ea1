/** Sends requests to a worker thread and handles them there. A failed worker is replaced. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, type ErrorCode } from "../errors.ts";
import { NO_REPORT, type ReportStep } from "../progress.ts";
import { terminateWhenDone } from "./ending_workers.ts";

/** Thrown when a worker doesn't respond within the time limit. It's replaced. */
export class WorkerTimeoutError extends Error {
  override readonly name = "WorkerTimeoutError";
}

/** Thrown when a worker was closed while a request was pending. */
export class WorkerClosedError extends Error {
  override readonly name = "WorkerClosedError";
}

interface PendingRequest<Response> {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  readonly report: ReportStep;
}

interface RequestMessage<Request> {
  /** Absent if no response is expected. */
  readonly id?: number;
  readonly request: Request;
}

type ResponseMessage<Response> =
  | { readonly id: number; readonly step: string }
  | { readonly id: number; readonly response: Response }
  | { readonly id: number; readonly error: SerializedError };

/** How an error is passed between threads. */
interface SerializedError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Result code of SQLite (sqlite.org/rescode.html). */
  readonly errcode: number | undefined;
  readonly apiError: SerializedApiError | null;
}

/** How an ApiError is passed between threads. */
interface SerializedApiError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfter: number | undefined;
}

/**
 * Sends requests to a single worker, started by the first one. With an idle timeout, the worker is
 * terminated after that long without a request, then started again by the next one.
 */
export class WorkerClient<Request, Response> {
  readonly #url: URL;
  readonly #name: string;
  readonly #idleTimeoutMs: number | undefined;
  readonly #pending = new Map<number, PendingRequest<Response>>();
  #worker: Worker | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 0;

  /**
   * @param name read by the worker as `self.name`; its only configuration
   * @param idleTimeoutMs defaults to no timeout
   */
  constructor(url: URL, name = "", idleTimeoutMs?: number) {
    this.#url = url;
    this.#name = name;
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  /** Whether the worker is running, so that the next request doesn't start one. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Number of in-flight requests. */
  get load(): number {
    return this.#pending.size;
  }

  /**
   * Sends a request and returns the response.
   *
   * @param timeLimitMs time after which the worker is terminated; it starts now, so there must be
   *   no other pending requests
   * @param report called with each step that the worker reports
   * @throws the error from the worker's handler, a WorkerTimeoutError, a WorkerClosedError, a
   *   DataCloneError if the request can't be copied, or another Error if the worker fails
   */
  request(
    request: Request,
    timeLimitMs?: number,
    report: ReportStep = NO_REPORT,
  ): Promise<Response> {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker ??= this.#start();
    const id = this.#nextId++;
    try {
      worker.postMessage({ id, request } satisfies RequestMessage<Request>);
    } catch (error) {
      // It can't be copied, so the worker doesn't have it.
      this.#scheduleClose();
      return Promise.reject(error);
    }
    const response = new Promise<Response>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, report });
    });
    if (timeLimitMs === undefined) return response;
    const timer = setTimeout(() => {
      worker.terminate();
      this.#rejectAll(new WorkerTimeoutError(`No response within ${timeLimitMs} ms`));
    }, timeLimitMs);
    return response.finally(() => clearTimeout(timer));
  }

  /**
   * Sends the worker additional data for an earlier request, without expecting a response. No-op if
   * no worker is running.
   */
  notify(message: Request): void {
    this.#worker?.postMessage({ request: message } satisfies RequestMessage<Request>);
  }

  /** Terminates the worker and rejects all pending requests. */
  close(): void {
    this.#worker?.terminate();
    this.#rejectAll(new WorkerClosedError("The worker was stopped"));
  }

  /** The same, but lets the worker finish the pending requests. Needed if it runs native code. */
  closeWhenDone(): void {
    if (this.#worker !== undefined) terminateWhenDone(this.#worker, this.#pending.size);
    this.#rejectAll(new WorkerClosedError("The worker was stopped"));
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { type: "module", name: this.#name });
    worker.onmessage = ({ data }: MessageEvent<ResponseMessage<Response>>) => {
      const pending = this.#pending.get(data.id);
      if ("step" in data) return pending?.report(data.step);
      this.#pending.delete(data.id);
      if ("response" in data) pending?.resolve(data.response);
      else pending?.reject(reviveError(data.error));
      this.#scheduleClose();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#rejectAll(new Error(`The worker died: ${event.message}`));
    };
    return worker;
  }

  /** No-op while a request is pending. */
  #scheduleClose(): void {
    if (this.#idleTimeoutMs === undefined || this.#pending.size > 0) return;
    this.#idleTimer = setTimeout(() => this.close(), this.#idleTimeoutMs);
    // Don't keep an otherwise idle process alive for this.
    this.#idleTimer.unref();
  }

  #rejectAll(error: Error): void {
    clearTimeout(this.#idleTimer);
    this.#worker = undefined;
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}

function reviveError({ message: text, stack, errcode, apiError }: SerializedError): Error {
  const cause = Object.assign(new Error(text), {
    stack,
    ...(errcode === undefined ? {} : { errcode }),
  });
  if (apiError === null) return cause;
  const { code, message, retryAfter } = apiError;
  return new ApiError(code, message, {
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Returns the name that a worker was created with, inside the worker. */
export function workerName(): string {
  return (self as unknown as { readonly name: string }).name;
}

/**
 * Handles requests inside a worker. If `handle` throws, the request fails with that error.
 *
 * @param handle also gets a function that reports a step of the work
 */
export function serveRequests<Request, Response>(
  handle: (request: Request, report: ReportStep) => Response | Promise<Response>,
): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<RequestMessage<Request>>) => void;
    postMessage(message: ResponseMessage<Response>): void;
  };
  scope.onmessage = async ({ data: { id, request } }) => {
    try {
      const report = id === undefined
        ? NO_REPORT
        : (step: string) => scope.postMessage({ id, step });
      const response = await handle(request, report);
      if (id !== undefined) scope.postMessage({ id, response });
    } catch (error) {
      // There's no caller to report this to. The error ends the thread, so all pending requests
      // fail.
      if (id === undefined) throw error;
      const apiError = error instanceof ApiError
        ? { code: error.code, message: error.message, retryAfter: error.retryAfter }
        : null;
      const { message = String(error), stack, errcode } = error as Error & { errcode?: number };
      scope.postMessage({ id, error: { message, stack, errcode, apiError } });
    }
  };
}
