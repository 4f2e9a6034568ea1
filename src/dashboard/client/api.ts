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
  /** Has the call carried out at most once, also if it is repeated after its response was lost. */
  readonly command?: Command;
}

/** A command of the user, which is the same one if it is repeated because its outcome is unknown. */
export class Command {
  #pending: { readonly request: string; readonly key: string } | undefined;

  /** Returns the idempotency key for a request. */
  keyFor(request: string): string {
    if (this.#pending?.request !== request) this.#pending = { request, key: randomKey() };
    return this.#pending.key;
  }

  /** Called once the outcome is known. What is sent next is a new command, even if it's equal. */
  settle(): void {
    this.#pending = undefined;
  }
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
  const { query = {}, body, raw, headers = {}, signal, command } = options;
  const target = BASE_PATH + path + queryString(query);
  const content = raw ?? (body === undefined ? null : JSON.stringify(body));
  const key = command?.keyFor(`${method} ${target} ${describe(content)}`);
  const request = async () => {
    const response = await fetch(target, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...headers,
      },
      body: content,
      credentials: "same-origin",
      ...(signal === undefined ? {} : { signal }),
    });
    return [response, await response.text()] as const;
  };
  const [response, text] = await request().catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestError("UNREACHABLE", "Cannot reach the service", 0, null);
  });
  if (response.status < 500) command?.settle();
  if (response.ok) return response.status === 204 ? undefined as T : JSON.parse(text);
  const failure = errorFromResponse(response, text);
  if (failure.code === "NOT_SIGNED_IN") notifySignedOut();
  throw failure;
}

/** Returns a text that differs between most contents. The service compares them completely. */
function describe(content: Blob | string | null): string {
  return content instanceof Blob ? `${content.size} bytes` : content ?? "";
}

function errorFromResponse(response: Response, text: string): RequestError {
  const requestId = response.headers.get("x-request-id");
  const retryAfter = Number(response.headers.get("retry-after")) || null;
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

/** Returns 128 random bits. `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
