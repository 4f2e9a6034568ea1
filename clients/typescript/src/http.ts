/** Sends requests: address, key, timeouts, retries, and errors from responses. */

import {
  APIError,
  apiError,
  CommonplaceError,
  ConnectionFailed,
  TimedOut,
  UnexpectedResponse,
} from "./errors.ts";

/** Options of every call. */
export interface RequestOptions {
  /** Aborts the call. It then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take without receiving anything. Defaults to the client's. */
  readonly timeout?: number | undefined;
  /** Attempts after the first one. Defaults to the client's. */
  readonly maxRetries?: number | undefined;
  /**
   * Identifies a change. Repeating a call with the same key returns the first response and changes
   * nothing. Defaults to a random key that is kept over the retries of this call. A blank
   * key counts as none.
   */
  readonly idempotencyKey?: string | undefined;
}

/** One request, before retries. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Returns the body of an attempt, if it isn't JSON. */
  readonly content?: () => BodyInit;
  /** Whether the request changes nothing, so that it needs no idempotency key. */
  readonly reads?: boolean;
  /** Whether a successful response is a file instead of JSON. */
  readonly receivesFile?: boolean;
}

/** Where and how requests are sent. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly timeout: number;
  readonly maxRetries: number;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A longer `Retry-After` is reported instead of waited for. */
const MAX_RETRY_AFTER_SECONDS = 60;
const RETRIED_STATUS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const MAX_EXCERPT_CHARACTERS = 500;
/** Maximum delay of a timer. Runtimes treat a longer delay as 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** Time for a large file to be transferred. */
export const TRANSFER_TIMEOUT_MS = 3_600_000;
/** Media type of requests and responses that are the bytes of a file. */
const FILE_TYPE = "application/octet-stream";

/**
 * What can't be an id. URLs drop "." and ".." even if they are encoded, which would change the path,
 * and half a character can't be encoded.
 */
const NOT_AN_ID = /^\.{0,2}$|\p{Cs}/u;

/** Returns a path with each value encoded. Throws if a value can't be a part of a path. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw(
    { raw: parts },
    ...values.map((value) => {
      if (typeof value === "string" && !NOT_AN_ID.test(value)) return encodeURIComponent(value);
      throw new CommonplaceError(`Expected an id, received ${JSON.stringify(value)}`);
    }),
  );
}

/** Sends one request, and again if that is safe and can help. */
export async function send<T>(
  connection: Connection,
  request: ApiRequest,
  options: RequestOptions = {},
): Promise<T> {
  const { signal, maxRetries = connection.maxRetries } = options;
  const headers = headersOf(connection, request, options);
  for (let attempt = 0;; attempt++) {
    signal?.throwIfAborted();
    try {
      return await sendOnce<T>(connection, request, headers, options);
    } catch (error) {
      signal?.throwIfAborted();
      const delay = retryDelay(error, attempt);
      if (delay === null || attempt >= maxRetries) throw error;
      await sleep(delay, signal);
    }
  }
}

function headersOf(
  { apiKey }: Connection,
  { method, body, content, reads = method === "GET" }: ApiRequest,
  { idempotencyKey }: RequestOptions,
): Record<string, string> {
  return {
    accept: "application/json",
    ...apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
    ...body === undefined ? {} : { "content-type": "application/json" },
    ...content === undefined ? {} : { "content-type": FILE_TYPE },
    ...reads ? {} : {
      "idempotency-key": headerOf("idempotencyKey", idempotencyKey?.trim() || randomKey()),
    },
  };
}

/**
 * Returns the value of a header without the line feed that a file can add to it. Throws if it can't be
 * sent, with an error that doesn't show it: it can be a key.
 */
export function headerOf(name: string, value: string): string {
  const trimmed = value.trim();
  if (/^[\x20-\x7e]*$/.test(trimmed)) return trimmed;
  throw new CommonplaceError(`Expected ${name} to have only printable ASCII characters`);
}

function encodeBody({ body }: ApiRequest): string | null {
  if (body === undefined) return null;
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new CommonplaceError(`The request can't be sent as JSON: ${cause}`, { cause });
  }
}

async function sendOnce<T>(
  connection: Connection,
  request: ApiRequest,
  headers: Record<string, string>,
  { signal, timeout = connection.timeout }: RequestOptions,
): Promise<T> {
  const { method, path, query, content } = request;
  const call = `${method} ${path}`;
  const url = connection.baseUrl + path + queryString(query);
  const sent = content?.() ?? encodeBody(request);
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const late = new TimedOut(`${call} received nothing for ${timeout} ms`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(late), Math.min(timeout, MAX_TIMER_MS));
  };
  restartTimer();
  try {
    const response = await connection.fetch(url, {
      method,
      headers,
      body: sent,
      redirect: "manual",
      signal: controller.signal,
      // Required for a body that is a stream; not in the types of every runtime.
      ...sent instanceof ReadableStream ? { duplex: "half" } : {},
    });
    return read(response, await receive(response, restartTimer), request) as T;
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof CommonplaceError) throw error;
    throw new ConnectionFailed(`${call} failed: no response from ${connection.baseUrl}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Returns the bytes of a response. Calls `onReceived` before and after each part of them. */
async function receive(response: Response, onReceived: () => void): Promise<Uint8Array> {
  // A `fetch` of the caller's own may not have streams.
  if (typeof response.body?.getReader !== "function") {
    return new Uint8Array(await response.arrayBuffer());
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (;;) {
    onReceived();
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/** Returns the body of a response, or throws its error. */
function read(
  response: Response,
  bytes: Uint8Array,
  { method, path, receivesFile }: ApiRequest,
): unknown {
  const { status, headers } = response;
  const call = `${method} ${path}`;
  if (status === 204) return undefined;
  const type = headers.get("content-type") ?? "";
  if (response.ok && receivesFile && type === FILE_TYPE) return bytes;
  const text = new TextDecoder().decode(bytes);
  const isJson = type.includes("json");
  const value = isJson ? parse(text) : undefined;
  if (response.ok && value !== undefined) return value;
  // The body of a success ends early: whether the change was made is unknown until the retry.
  if (response.ok && isJson) throw new ConnectionFailed(`${call} failed: the response was cut off`);
  const fields = errorFields(value);
  const redirected = status === 0 || (status >= 300 && status < 400);
  if (redirected || response.ok || (fields === null && !RETRIED_STATUS.has(status))) {
    const target = headers.get("location");
    const what = redirected ? `a redirect${target ? ` to ${target}` : ""}` : `no JSON (${status})`;
    const message = `${call} returned ${what}. Check that baseUrl is the address of Commonplace`;
    throw new UnexpectedResponse(message, status, text.slice(0, MAX_EXCERPT_CHARACTERS));
  }
  throw apiError({
    status,
    retry_after: retryAfter(headers),
    ...fields ?? {
      code: `HTTP_${status}`,
      message: `${call} returned status ${status}`,
      request_id: headers.get("x-request-id"),
      details: null,
    },
  }, call);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorFields(value: unknown) {
  if (typeof value !== "object" || value === null) return null;
  const { code, message, request_id, details } = value as Record<string, unknown>;
  if (typeof code !== "string" || typeof message !== "string") return null;
  return {
    code,
    message,
    request_id: typeof request_id === "string" ? request_id : null,
    details: typeof details === "object" ? details as Record<string, unknown> | null : null,
  };
}

/** Returns the seconds of a `Retry-After` header, which can also be a date. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get("retry-after");
  if (value === null) return null;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1_000);
}

/** Returns the milliseconds before the next attempt, or null if none can help. */
function retryDelay(error: unknown, attempt: number): number | null {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  const jitter = Math.random() * ceiling;
  if (error instanceof ConnectionFailed || error instanceof TimedOut) return jitter;
  if (!(error instanceof APIError)) return null;
  if (!RETRIED_STATUS.has(error.status) && error.code !== "PROJECTION_NOT_BUILT") return null;
  if (error.retry_after === null) return jitter;
  return error.retry_after > MAX_RETRY_AFTER_SECONDS ? null : error.retry_after * 1_000;
}

/** Resolves after a time. Throws the signal's reason if it is aborted before. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => (end(), reject(signal?.reason));
    const timer = setTimeout(() => (end(), resolve()), milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  });
}

function queryString(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    parameters.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
