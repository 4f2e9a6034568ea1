/** Runs the builtin engine in threads, and sets aside what they can't read. */

import {
  WorkerClient,
  WorkerClosedError,
  WorkerTimeoutError,
} from "../kernel/process/worker_client.ts";
import type {
  Extraction,
  ExtractionRequest,
  Extractor,
  TextReading,
  UnreadCode,
  UnreadMessage,
} from "./extractor.ts";
import type { Explanation } from "./explanation_schema.ts";
import { NO_TAGGER, type TaggerConfig, type TaggerStatus } from "./tagger/opener.ts";
import type { ReadingRequest, ReadingResponse, StatedText, WorkerName } from "./worker.ts";

/** Version of the builtin engine. Raise it when it reads the same text differently. */
const ENGINE_VERSION = 30;

/**
 * Idle time before the thread for texts exits and frees its copy of the engine. Restarting it takes
 * half a second.
 */
const TEXTS_IDLE_MS = 60_000;

/** Time limit for starting a thread, opening the tagger and reading a first text, in milliseconds. */
const START_LIMIT_MS = 5 * 60_000;

/** The first text that a thread reads. Most of its start is the first use of the rules. */
const FIRST_TEXT: StatedText = { text: "I live in Porto.", date: "2026-01-01T00:00:00.000Z" };

/**
 * Time limit of a request, in milliseconds: a fixed part, in which a busy machine gets around to
 * the thread, and 30 times what a text usually takes.
 */
const BASE_LIMIT_MS = 60_000;
const LIMIT_MS_PER_KILOBYTE = 1_000;

const limitOfRequest = (characters: number) =>
  BASE_LIMIT_MS + characters / 1_000 * LIMIT_MS_PER_KILOBYTE;

/**
 * Maximum number of messages of an add that may exceed the time limit. The ones behind them are
 * left unread, since the whole add has a time limit, too.
 */
const MAX_MESSAGE_TIMEOUTS = 3;

/** How long to look for the messages at fault, in milliseconds. */
const SEARCH_LIMIT_MS = 3 * 60_000;

/** Maximum number of texts of a batch that may exceed the time limit. */
const MAX_TEXT_TIMEOUTS = 20;

/**
 * Maximum length of the texts that are read with one request, in characters. Its time limit is ten
 * minutes then; a derivation has an hour.
 */
const MAX_TOGETHER_CHARACTERS = 500_000;

/** Options of the threads. */
export interface BuiltinWorkersOptions {
  readonly tagger: TaggerConfig;
  /** Time limit of a request by the length of its texts, in milliseconds. */
  readonly limitOf?: (characters: number) => number;
}

/**
 * Runs the builtin engine in separate threads. It takes 600 ms to warm up and 30 ms per kilobyte of
 * text, which would block the event loop. Adds and texts have a thread each, so adds don't wait for
 * an import's texts, which can take minutes. The latter runs at a lower priority.
 *
 * A thread that doesn't respond in time is replaced, and what it was reading is read again piece by
 * piece, to find out which text it was.
 */
export class BuiltinWorkers implements Extractor {
  readonly name = "builtin";
  readonly #tagger: TaggerConfig;
  readonly #adds: LimitedThread;
  readonly #texts: LimitedThread;
  #status = NO_TAGGER;

  constructor({ tagger, limitOf = limitOfRequest }: BuiltinWorkersOptions) {
    this.#tagger = tagger;
    this.#adds = new LimitedThread("adds", limitOf);
    this.#texts = new LimitedThread("texts", limitOf, TEXTS_IDLE_MS);
  }

  /** Engine, version and tagger. A text is read again when one of them changes. */
  get reader(): string {
    return `builtin-${ENGINE_VERSION}-${this.#tagger.name ?? "none"}`;
  }

  /** The tagger in use, known once a text was read. */
  get taggerStatus(): TaggerStatus {
    return this.#status;
  }

  async extract(request: ExtractionRequest, signal?: AbortSignal): Promise<Extraction> {
    const whole = await this.#facts(request);
    if ("facts" in whole) return whole;
    if (request.messages.length === 1) {
      return { facts: [], unread: [{ message: 0, code: whole.unread }] };
    }
    // Find the messages at fault, then read the others together, since they refer to each other.
    const unread = await this.#findUnread(request, signal);
    signal?.throwIfAborted();
    const failed = new Set(unread.map(({ message }) => message));
    const messages = request.messages.map((message, index) =>
      failed.has(index) ? { ...message, content: "" } : message
    );
    const rest = failed.size === 0 ? whole : await this.#facts({ ...request, messages });
    if ("facts" in rest) return { facts: rest.facts, unread: [...unread, ...rest.unread] };
    // Each can be read, but not all of them together.
    const all = request.messages.map((_, message) => ({ message, code: rest.unread }));
    return { facts: [], unread: all };
  }

  /**
   * Yields a reading per verbatim text, in the same order: all of them at once, or one after another
   * if they are too long or can't be read together.
   */
  async *claims(
    texts: readonly StatedText[],
    signal?: AbortSignal,
  ): AsyncGenerator<readonly TextReading[], void> {
    if (texts.length === 0) return;
    const size = sizeOf(texts);
    if (texts.length === 1 || size <= MAX_TOGETHER_CHARACTERS) {
      const together = await this.#texts.request({ texts, tagger: this.#tagger }, size);
      if ("readings" in together) {
        this.#status = together.tagger;
        return yield together.readings;
      }
      if (texts.length === 1) return yield [{ unread: unreadOf(together) }];
    }
    let timeouts = 0;
    for (const text of texts) {
      signal?.throwIfAborted();
      const readings = timeouts < MAX_TEXT_TIMEOUTS
        ? (await Array.fromAsync(this.claims([text]))).flat()
        : [{ unread: "TIME_LIMIT" } as const];
      if (readings.some(isTimeout)) timeouts++;
      yield readings;
    }
  }

  /** Explains what the engine reads in a text, or returns why it can't be read. */
  async explain(text: StatedText): Promise<Explanation | { readonly unread: UnreadCode }> {
    const message = { explain: text, tagger: this.#tagger };
    const response = await this.#adds.request(message, text.text.length);
    return "explanation" in response ? response.explanation : { unread: unreadOf(response) };
  }

  close(): void {
    this.#adds.close();
    this.#texts.close();
  }

  /** Reads the messages one after another, and returns those that can't be read. */
  async #findUnread(
    request: ExtractionRequest,
    signal: AbortSignal | undefined,
  ): Promise<UnreadMessage[]> {
    const unread: UnreadMessage[] = [];
    const end = performance.now() + SEARCH_LIMIT_MS;
    for (const [message, one] of request.messages.entries()) {
      signal?.throwIfAborted();
      const isLate = performance.now() > end ||
        unread.filter(({ code }) => code === "TIME_LIMIT").length >= MAX_MESSAGE_TIMEOUTS;
      const alone = isLate
        ? { unread: "TIME_LIMIT" } as const
        : await this.#facts({ ...request, messages: [one] });
      if (!("facts" in alone)) unread.push({ message, code: alone.unread });
      else unread.push(...alone.unread.map(({ code }) => ({ message, code })));
    }
    return unread;
  }

  async #facts(request: ExtractionRequest): Promise<Extraction | { unread: UnreadCode }> {
    const size = sizeOf(request.messages.map(({ content }) => ({ text: content })));
    const response = await this.#adds.request({ request, tagger: this.#tagger }, size);
    if (!("extraction" in response)) return { unread: unreadOf(response) };
    this.#status = response.tagger;
    return response.extraction;
  }
}

const isTimeout = (reading: TextReading) => "unread" in reading && reading.unread === "TIME_LIMIT";

const unreadOf = (response: object): UnreadCode =>
  "unread" in response ? response.unread as UnreadCode : "ENGINE_ERROR";

const sizeOf = (texts: readonly { readonly text: string }[]) =>
  texts.reduce((sum, { text }) => sum + text.length, 0);

/** A thread that reads one request at a time, each within its time limit. */
class LimitedThread {
  readonly #client: WorkerClient<ReadingRequest, ReadingResponse>;
  readonly #limitOf: (characters: number) => number;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(name: WorkerName, limitOf: (characters: number) => number, idleMs?: number) {
    this.#client = new WorkerClient(new URL("./worker.ts", import.meta.url), name, idleMs);
    this.#limitOf = limitOf;
  }

  /**
   * Returns the response, or why there is none. The time limit begins when the requests before it
   * are done and the thread has started: on a busy machine, the start can take longer than texts
   * may.
   *
   * @param characters length of the texts in the request
   * @throws {WorkerClosedError} if the thread is closed
   * @throws {Error} if the thread doesn't start
   */
  request(
    message: ReadingRequest,
    characters: number,
  ): Promise<ReadingResponse | { readonly unread: UnreadCode }> {
    const response = this.#last.then(async () => {
      if (this.#closed) throw new WorkerClosedError("The worker was stopped");
      if (!this.#client.isRunning) {
        const first = { texts: [FIRST_TEXT], tagger: message.tagger };
        await this.#client.request(first, START_LIMIT_MS);
      }
      try {
        return await this.#client.request(message, this.#limitOf(characters));
      } catch (error) {
        if (error instanceof WorkerClosedError) throw error;
        return {
          unread: error instanceof WorkerTimeoutError ? "TIME_LIMIT" : "ENGINE_ERROR",
        } as const;
      }
    });
    this.#last = response.catch(() => {});
    return response;
  }

  close(): void {
    this.#closed = true;
    this.#client.closeWhenDone();
  }
}
