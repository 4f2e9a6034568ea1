/** Calls to the service that served the page. The page never calls any other host. */

/** One page of a list. */
export interface Page<T> {
  readonly results: readonly T[];
  readonly next_cursor: string | null;
}

/** Query parameters. Empty ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A failed call: the service either returned an error or couldn't be reached. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  constructor(
    readonly code: string,
    message: string,
    /** HTTP status, or 0 if there was no response. */
    readonly status: number,
    readonly requestId: string | null,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Seconds to wait before a retry, if specified by the service. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Options for a call. */
export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as is. */
  readonly raw?: Blob | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

const BASE_PATH = "/dashboard/api";

let notifySignedOut: () => void = () => {};

/** Sets the listener called when the service reports that no one is signed in. */
export function onSignedOut(listener: () => void): void {
  notifySignedOut = listener;
}

/**
 * Calls an endpoint under `/dashboard/api` and returns the parsed response.
 *
 * @throws RequestError if the call fails, or the signal's reason if it was aborted
 */
export async function call<T>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<T> {
  const { query = {}, body, raw, headers = {}, signal } = options;
  const response = await fetch(BASE_PATH + path + queryString(query), {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    credentials: "same-origin",
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestError("UNREACHABLE", "Cannot reach the service", 0, null);
  });
  if (response.ok) return response.status === 204 ? undefined as T : await response.json();
  const failure = await errorFromResponse(response);
  if (failure.code === "NOT_SIGNED_IN") notifySignedOut();
  throw failure;
}

async function errorFromResponse(response: Response): Promise<RequestError> {
  const requestId = response.headers.get("x-request-id");
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  const text = await response.text();
  try {
    const { code, message, details } = JSON.parse(text);
    return new RequestError(code, message, response.status, requestId, details ?? {}, retryAfter);
  } catch (error) {
    // Not JSON, so it must come from something in between, e.g. a proxy.
    if (!(error instanceof SyntaxError)) throw error;
    const message = `Received status ${response.status} without an error message`;
    return new RequestError("UNKNOWN_ANSWER", message, response.status, requestId);
  }
}

/** Returns a query string starting with `?`, or an empty string if there are no parameters. */
export function queryString(query: Query): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

/**
 * A project's endpoints: those of the API, addressed by their path after `/v1`, and a handful that
 * only the dashboard has.
 */
export class ProjectApi {
  constructor(readonly id: string) {}

  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return this.call("GET", path, {
      ...(query === undefined ? {} : { query }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Calls an endpoint. `path` starts with a slash, e.g. `/memories`. */
  call<T>(method: Method, path: string, options?: CallOptions): Promise<T> {
    return call(method, `/projects/${this.id}${path}`, options);
  }
}

/** Returns a header with a new idempotency key, shared by one command and its retries. */
export function idempotencyKey(): Readonly<Record<string, string>> {
  return { "idempotency-key": crypto.randomUUID() };
}
