/** Converts model provider errors for the task queue: the cause, whether to retry, and when. */

/** API error codes caused by providers. */
export type ProviderErrorCode =
  | "PROVIDER_NOT_CONFIGURED"
  | "PROVIDER_UNAVAILABLE"
  | "PROVIDER_INVALID_RESPONSE"
  | "PROVIDER_RATE_LIMITED";

/**
 * A failed extraction attempt. The message never contains any part of the input or the response.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
  /** How long the provider asked us to wait before retrying, in milliseconds. */
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

/**
 * Returns the error for an unusable response. It's retryable, since another attempt can succeed.
 */
export const invalidResponse = (reason: string): ProviderError =>
  new ProviderError(
    "PROVIDER_INVALID_RESPONSE",
    `Provider returned an invalid response: ${reason}`,
    {
      retryable: true,
    },
  );

/**
 * Parses a `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns how long to wait in milliseconds, or undefined if the header is absent or invalid
 */
export function parseRetryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (header.trim() !== "" && Number.isFinite(seconds) && seconds >= 0) {
    return Math.round(seconds * 1000);
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Returns the error for an HTTP status.
 *
 * @param header value of `Retry-After`
 * @param now current time, needed for dates in `Retry-After`
 */
export function errorForStatus(status: number, header: string | null, now: number): ProviderError {
  const retryAfterMs = parseRetryAfterMs(header, now);
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) {
    return new ProviderError("PROVIDER_RATE_LIMITED", "Provider rate limit exceeded", {
      retryable: true,
      ...retryAfter,
    });
  }
  if (status === 401 || status === 403 || status === 404) {
    return new ProviderError(
      "PROVIDER_NOT_CONFIGURED",
      `Provider rejected the configured key, model or URL (HTTP ${status})`,
      { retryable: false },
    );
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return new ProviderError("PROVIDER_UNAVAILABLE", `Provider returned HTTP ${status}`, {
      retryable: true,
      ...retryAfter,
    });
  }
  return new ProviderError(
    "PROVIDER_INVALID_RESPONSE",
    `Provider rejected the request (HTTP ${status})`,
    { retryable: false },
  );
}
