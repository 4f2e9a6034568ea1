/** Taking in the bytes of a snapshot: counted as they arrive, given up when they stall. */

import { type BodyTimeouts, readWithTimeouts } from "../kernel/body_stream.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const BODY_TIMEOUTS: BodyTimeouts = {
  stallMs: LIMITS.uploadStallSeconds * 1_000,
  totalMs: LIMITS.importMinutes * 60_000,
};

/** @throws ApiError REQUEST_TOO_LARGE by the length that a request declares */
export function refuseTooLarge(headers: Headers, limit: number): void {
  if (Number(headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
}

/**
 * The bytes of a snapshot, as they arrive.
 *
 * @throws ApiError REQUEST_TOO_LARGE past the limit, INVALID_REQUEST when they break off or stall
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
