/** Calls to the service that the page came from. Nothing else is ever asked. */

/** A page of a list, as every list answers it. */
export interface Page<T> {
  readonly results: readonly T[];
  readonly next_cursor: string | null;
}

/** What a query may hold; what is empty is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A call that failed, in the words of the service, or because it couldn't be reached. */
export class RequestError extends Error {
  override readonly name = "Failure";

  constructor(
    readonly code: string,
    message: string,
    /** 0 when no answer came. */
    readonly status: number,
    readonly requestId: string | null,
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Seconds to wait, when the service says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/** What a call may have beside its method and path. */
export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: Blob | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

const BASE_PATH = "/dashboard/api";

let notifySignedOut: () => void = () => {};

/** Called whenever the service says that nobody is signed in. */
export function onSignedOut(listener: () => void): void {
  notifySignedOut = listener;
}

/**
 * One call under `/dashboard/api`.
 *
 * @throws Failure, or the signal's reason when it was aborted
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
    throw new RequestError("UNREACHABLE", "The service can't be reached", 0, null);
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
    // Not ours: something between the page and the service has answered.
    if (!(error instanceof SyntaxError)) throw error;
    const message = `Answered with status ${response.status} and no explanation`;
    return new RequestError("UNKNOWN_ANSWER", message, response.status, requestId);
  }
}

/** A query with its `?`, or nothing. */
export function queryString(query: Query): string {
  const given = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [name, String(value)]);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** The endpoints of one project: those of the API with the path after `/v1`, and a few more. */
export class ProjectApi {
  constructor(readonly id: string) {}

  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return this.call("GET", path, {
      ...(query === undefined ? {} : { query }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** `path` begins with a slash: `/memories`. */
  call<T>(method: Method, path: string, options?: CallOptions): Promise<T> {
    return call(method, `/projects/${this.id}${path}`, options);
  }
}

/** A key for one command, the same when it is repeated. */
export function idempotencyKey(): Readonly<Record<string, string>> {
  return { "idempotency-key": crypto.randomUUID() };
}
