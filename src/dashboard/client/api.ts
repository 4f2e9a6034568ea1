/** Calls to the service that the page was loaded from. The page never calls any other host. */

/** One page of a list. */
export interface Page<T> {
  readonly results: readonly T[];
  readonly next_cursor: string | null;
}

/** Query parameters. Empty values are left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A failed call: either the service returned an error response, or it could not be reached. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  constructor(
    readonly code: string,
    message: string,
    /** HTTP status, or 0 if there was no response. */
    readonly status: number,
    readonly requestId: string | null,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Seconds to wait before retrying, if the service specifies it. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** Options for a call. */
export interface CallOptions {
  readonly query?: Query;
  /** Body to send as JSON. */
  readonly body?: unknown;
  /** Body to send unchanged. */
  readonly raw?: Blob | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

const BASE_PATH = "/dashboard/api";

let notifySignedOut: () => void = () => {};

/** Sets the listener that is called when the service reports that no one is signed in. */
export function onSignedOut(listener: () => void): void {
  notifySignedOut = listener;
}

/**
 * Calls an endpoint under `/dashboard/api` and returns the parsed response.
 *
 * @throws RequestError if the call fails, or the signal's reason if the call was aborted
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
    // The response is not JSON, so it must come from something in between, such as a proxy.
    if (!(error instanceof SyntaxError)) throw error;
    const message = `Received status ${response.status} without an error message`;
    return new RequestError("UNKNOWN_ANSWER", message, response.status, requestId);
  }
}

/** Returns a query string that begins with `?`, or an empty string if no parameter is set. */
export function queryString(query: Query): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [name, String(value)]);
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries)}`;
}

/**
 * The endpoints of one project: the API endpoints, addressed by their path after `/v1`, and a few
 * that only the dashboard has.
 */
export class ProjectApi {
  constructor(readonly id: string) {}

  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return this.call("GET", path, {
      ...(query === undefined ? {} : { query }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** Calls an endpoint. `path` begins with a slash, for example `/memories`. */
  call<T>(method: Method, path: string, options?: CallOptions): Promise<T> {
    return call(method, `/projects/${this.id}${path}`, options);
  }
}

/** Returns a header with a new idempotency key, to be shared by one command and its retries. */
export function idempotencyKey(): Readonly<Record<string, string>> {
  return { "idempotency-key": crypto.randomUUID() };
}
