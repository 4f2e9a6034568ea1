/** Reads a body of any length piece by piece, and gives up when it stalls or takes too long. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, invalidRequest } from "./errors.ts";

/** How long bytes may take; tests have less patience. */
export interface BodyTimeouts {
  /** The longest pause between two pieces. */
  readonly stallMs: number;
  /** The longest time in all, however steadily they drip in. */
  readonly totalMs: number;
}

/**
 * The pieces of a body as they arrive. Once the caller stops iterating, the rest is not read.
 *
 * @throws ApiError INVALID_REQUEST when the body breaks off or stalls
 */
export async function* readWithTimeouts(
  body: ReadableStream<Uint8Array> | null,
  { stallMs, totalMs }: BodyTimeouts,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  const deadline = performance.now() + totalMs;
  let whole = false;
  try {
    for (;;) {
      const wait = Math.min(stallMs, deadline - performance.now());
      const { value, done } = await readWithin(reader, wait);
      whole = done;
      if (done) return;
      yield value;
    }
  } finally {
    // A body that broke off by itself can't be cancelled any more.
    if (!whole) void reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(bodyError("The bytes stopped arriving")), timeoutMs);
  });
  try {
    return await Promise.race([reader.read(), late]);
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
