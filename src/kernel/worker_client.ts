/** Work in a thread of its own: questions go in, answers come back, a dead thread is replaced. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, type ErrorCode } from "./errors.ts";

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Asked<Question> {
  /** Absent where no answer is wanted. */
  readonly id?: number;
  readonly question: Question;
}

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: string; readonly known: KnownError | null };

/** An error that clients are told about, as it crosses from thread to thread. */
interface KnownError {
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
  readonly #idleMs: number | undefined;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #worker: Worker | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #next = 0;

  /**
   * @param name what the worker reads as `self.name`: its one piece of configuration
   * @param idleMs after so long without a question the worker ends; never when not given
   */
  constructor(url: URL, name = "", idleMs?: number) {
    this.#url = url;
    this.#name = name;
    this.#idleMs = idleMs;
  }

  /** Questions that wait for their answer. */
  get load(): number {
    return this.#waiting.size;
  }

  ask(question: Question): Promise<Answer> {
    clearTimeout(this.#idle);
    const worker = this.#worker ??= this.#start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, question } satisfies Asked<Question>);
    });
  }

  /** Tells the worker more about what it was asked; there is no answer. */
  tell(more: Question): void {
    this.#worker?.postMessage({ question: more } satisfies Asked<Question>);
  }

  close(): void {
    this.#worker?.terminate();
    this.#fail(new Error("The worker was stopped"));
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { type: "module", name: this.#name });
    worker.onmessage = ({ data }: MessageEvent<Answered<Answer>>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("answer" in data) waiting?.resolve(data.answer);
      else waiting?.reject(revived(data.known, new Error(data.error)));
      if (this.#waiting.size === 0) this.#rest();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`The worker died: ${event.message}`));
    };
    return worker;
  }

  #rest(): void {
    if (this.#idleMs === undefined) return;
    this.#idle = setTimeout(() => this.close(), this.#idleMs);
    // A process that has nothing else to do may end before this.
    this.#idle.unref();
  }

  #fail(error: Error): void {
    clearTimeout(this.#idle);
    this.#worker = undefined;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function revived(known: KnownError | null, cause: Error): Error {
  if (known === null) return cause;
  const { code, message, retryAfter } = known;
  return new ApiError(code, message, {
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The other side, inside the worker: answers every question, with an error if it must. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<Asked<Question>>) => void;
    postMessage(message: Answered<Answer>): void;
  };
  scope.onmessage = async ({ data: { id, question } }) => {
    try {
      const answered = await answer(question);
      if (id !== undefined) scope.postMessage({ id, answer: answered });
    } catch (error) {
      // Nobody waits for this one: it ends the thread, and with it fails all that is owed.
      if (id === undefined) throw error;
      const known = error instanceof ApiError
        ? { code: error.code, message: error.message, retryAfter: error.retryAfter }
        : null;
      scope.postMessage({ id, error: (error as Error).stack ?? String(error), known });
    }
  };
}
