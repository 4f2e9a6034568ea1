/** Receives a snapshot's bytes, with a size limit and timeouts. */

import { type BodyTimeouts, readWithTimeouts } from "../kernel/body_stream.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const BODY_TIMEOUTS: BodyTimeouts = {
  stallMs: LIMITS.uploadStallSeconds * 1_000,
  totalMs: LIMITS.importMinutes * 60_000,
};

/**
 * Throws if a request's declared length is too large.
 *
 * @throws {ApiError} REQUEST_TOO_LARGE if `Content-Length` exceeds the limit
 */
export function refuseTooLarge(headers: Headers, limit: number): void {
  if (Number(headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
}

/**
 * Yields a snapshot's bytes as they arrive.
 *
 * @throws {ApiError} REQUEST_TOO_LARGE if there are more than `limit` bytes
 * @throws {ApiError} INVALID_REQUEST if the request is aborted or stalls
 */
export async function* snapshotBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  timeouts: BodyTimeouts = BODY_TIMEOUTS,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of readWithTimeouts(body, timeouts)) {
    size += bytes.length;
    if (size > limit) throw tooLarge(limit);
    yield bytes;
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError("REQUEST_TOO_LARGE", `The request body is larger than ${limit} bytes`, {
    details: { limit },
  });
}
