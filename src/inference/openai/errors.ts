/** Failures of a model provider, typed for the queue: what happened, whether to try again, and when. */

/** Error codes of the interface that a provider can cause. */
export type ProviderErrorCode =
  | "PROVIDER_NOT_CONFIGURED"
  | "PROVIDER_UNAVAILABLE"
  | "PROVIDER_INVALID_RESPONSE"
  | "PROVIDER_RATE_LIMITED";

/** A failed extraction attempt. The message never carries anything of the input or of the answer. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;

  constructor(
    code: ProviderErrorCode,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number },
  ) {
    super(message);
    this.code = code;
    this.retryable = options.retryable;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** Shorthand for an answer that cannot be used; another attempt may get a better one. */
export const invalidResponse = (why: string): ProviderError =>
  new ProviderError("PROVIDER_INVALID_RESPONSE", `Provider answer is not usable: ${why}`, {
    retryable: true,
  });

/** Milliseconds of a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function parseRetryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (header.trim() !== "" && Number.isFinite(seconds) && seconds >= 0) {
    return Math.round(seconds * 1000);
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** The error of an HTTP status; `now` is the clock against which a date in `Retry-After` is read. */
export function errorForStatus(status: number, header: string | null, now: number): ProviderError {
  const wait = parseRetryAfterMs(header, now);
  const after = wait === undefined ? {} : { retryAfterMs: wait };
  if (status === 429) {
    return new ProviderError("PROVIDER_RATE_LIMITED", "Provider rate limit reached", {
      retryable: true,
      ...after,
    });
  }
  if (status === 401 || status === 403 || status === 404) {
    return new ProviderError(
      "PROVIDER_NOT_CONFIGURED",
      `Provider refused the configured key, model or address (HTTP ${status})`,
      { retryable: false },
    );
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return new ProviderError("PROVIDER_UNAVAILABLE", `Provider answered HTTP ${status}`, {
      retryable: true,
      ...after,
    });
  }
  return new ProviderError(
    "PROVIDER_INVALID_RESPONSE",
    `Provider rejected the request (HTTP ${status})`,
    { retryable: false },
  );
}
