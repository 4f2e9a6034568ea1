/** What all resources share: the connection, the default scope, pages and waiting. */

import { ConnectionFailed, TimedOut, Unavailable } from "./errors.ts";
import {
  type ApiRequest,
  type Connection,
  MAX_TIMER_MS,
  type RequestOptions,
  send,
  sleep,
} from "./http.ts";
import type { components } from "./models.ts";
import { type Page, Pages } from "./pages.ts";

/** The generated types of all bodies and responses, by name. */
export type Schemas = components["schemas"];

/** Owners of a record. Null removes a default of the client; undefined keeps it. */
export interface Scope {
  readonly user_id?: string | null | undefined;
  readonly agent_id?: string | null | undefined;
  readonly run_id?: string | null | undefined;
}

/** A body without the fields that have parameters of their own, with a scope. */
export type Fields<Body, Own extends string = never> =
  & Omit<Body, keyof Scope | Own>
  & Scope;

/** Where to continue a list, and how many records to read at once. */
export interface PageFields {
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

/** Options of something that takes a while. */
export interface WaitOptions<Progress> {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait. */
  readonly timeout?: number | undefined;
  /** Called with each state that is read. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

/** Sends requests with the client's connection and scope. */
export class Caller {
  readonly #connection: Connection;
  #address = { hasResponded: false };

  constructor(connection: Connection, readonly scope: Scope) {
    this.#connection = {
      ...connection,
      fetch: async (input, init) => {
        const response = await connection.fetch(input, init);
        this.#address.hasResponded = true;
        return response;
      },
    };
  }

  /** Whether something has ever responded at the address. */
  get hasResponse(): boolean {
    return this.#address.hasResponded;
  }

  /** Shares what another caller of the same address finds out about it. */
  shareAddress(other: Caller): void {
    this.#address = other.#address;
  }

  send<T>(request: ApiRequest, options?: RequestOptions): Promise<T> {
    return send<T>(this.#connection, request, options);
  }

  get<T>(path: string, query: object | undefined, options?: RequestOptions): Promise<T> {
    return this.send<T>({ method: "GET", path, query }, options);
  }

  /** Returns fields with the client's scope where they have none. */
  scoped(fields: object = {}): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries({ ...withoutUndefined(this.scope), ...withoutUndefined(fields) })
        .filter(([name, value]) => !(value === null && name in SCOPE)),
    );
  }

  /** Returns a list that `GET` reads page by page. */
  list<T>(path: string, query: object & PageFields = {}, options?: RequestOptions): Pages<T> {
    const read = (cursor?: string) => this.get<Page<T>>(path, { ...query, cursor }, options);
    return new Pages(read, query.cursor);
  }
}

/** A group of endpoints. */
export class Resource {
  constructor(protected readonly caller: Caller) {}
}

const SCOPE: Readonly<Required<Scope>> = { user_id: null, agent_id: null, run_id: null };

/** Returns the fields that were given. An id that is undefined must never widen a scope. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}

/** Errors while the service restarts. */
const OUTAGES = [ConnectionFailed, TimedOut, Unavailable];

/**
 * Reads something until it is done, less and less often. Continues if the service can't be reached,
 * but not if it never could be: then its address may be wrong.
 *
 * @throws TimedOut if it takes longer than the timeout. Its cause is the error of the last complete
 *   read, if that failed
 */
export async function poll<T>(
  caller: Caller,
  what: string,
  read: (options: RequestOptions) => Promise<T>,
  isDone: (state: T) => boolean,
  { signal, timeout, onProgress }: WaitOptions<T> & { readonly timeout: number },
): Promise<T> {
  const deadline = new AbortController();
  let cause: unknown;
  const end = () =>
    deadline.abort(new TimedOut(`${what} takes longer than ${timeout} ms`, { cause }));
  const timer = setTimeout(end, Math.min(timeout, MAX_TIMER_MS));
  const abort = () => deadline.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    for (let delay = FIRST_POLL_MS;; delay = Math.min(MAX_POLL_MS, delay * 1.5)) {
      const state = await read({ signal: deadline.signal }).catch((error) => {
        if (deadline.signal.aborted || !OUTAGES.some((type) => error instanceof type)) throw error;
        if (error instanceof ConnectionFailed && !caller.hasResponse) throw error;
        cause = error;
      });
      if (state !== undefined) {
        cause = undefined;
        onProgress?.(state);
        if (isDone(state)) return state;
      }
      await sleep(delay, deadline.signal);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
