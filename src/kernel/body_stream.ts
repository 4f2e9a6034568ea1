/** Reads a request body chunk by chunk, and fails if it stalls or takes too long. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, invalidRequest } from "./errors.ts";

/** Timeouts for a request body. Tests use shorter ones. */
export interface BodyTimeouts {
  /** Maximum time between chunks, in milliseconds. */
  readonly stallMs: number;
  /** Maximum time for the whole body, in milliseconds, however steadily it arrives. */
  readonly totalMs: number;
}

/**
 * Yields a body's chunks as they arrive. If the caller stops iterating, the rest isn't read.
 *
 * @param body the body; null yields nothing
 * @throws ApiError INVALID_REQUEST if the body stalls, takes too long or ends early
 */
export async function* readWithTimeouts(
  body: ReadableStream<Uint8Array> | null,
  { stallMs, totalMs }: BodyTimeouts,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  const deadline = performance.now() + totalMs;
  let ended = false;
  try {
    for (;;) {
      const wait = Math.min(stallMs, deadline - performance.now());
      const { value, done } = await readWithin(reader, wait);
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    // A body that already failed can't be cancelled.
    if (!ended) void reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(bodyError("The request body stopped arriving")), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), timeout]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw bodyError("The request body ended early", error);
  } finally {
    clearTimeout(timer);
  }
}

function bodyError(message: string, cause?: unknown): ApiError {
  const { details } = invalidRequest([{ path: "", message }]);
  return new ApiError("INVALID_REQUEST", message, { ...details && { details }, cause });
}
