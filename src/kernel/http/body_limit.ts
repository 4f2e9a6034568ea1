/** Limits for the size of request bodies. */

import { ApiError, type ErrorCode } from "../errors.ts";

/** Maximum size of a body, and the error code if it's exceeded. */
export interface BodyLimit {
  readonly bytes: number;
  /** Defaults to REQUEST_TOO_LARGE. */
  readonly code?: ErrorCode | undefined;
}

/**
 * Checks a request's declared length and returns it, or NaN if there is none.
 *
 * @throws ApiError with the limit's error code if it's too large
 */
export function checkDeclaredLength(headers: Headers, limit: BodyLimit): number {
  const declared = Number(headers.get("content-length") ?? Number.NaN);
  if (declared > limit.bytes) throw tooLarge(limit);
  return declared;
}

/** Returns the error for a body, or part of one, that's too large. */
export function tooLarge(
  { bytes, code = "REQUEST_TOO_LARGE" }: BodyLimit,
  what = "The request body",
): ApiError {
  return new ApiError(code, `${what} is larger than ${bytes} bytes`, {
    details: { limit: bytes },
  });
}
