/** A body of any length on its way in, piece by piece: given up when it stalls, or takes too long. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, invalidRequest } from "./errors.ts";

/** How long bytes may take; tests have less patience. */
export interface Patience {
  /** Without a byte. */
  readonly stallMs: number;
  /** In all, however steadily they drip in. */
  readonly totalMs: number;
}

/**
 * The pieces of a body, as they arrive. What isn't asked for any more is not read on.
 *
 * @throws ApiError INVALID_REQUEST when the body breaks off or stalls
 */
export async function* arriving(
  body: ReadableStream<Uint8Array> | null,
  { stallMs, totalMs }: Patience,
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
    // What is cut off is not read on; a body that broke by itself can't be cancelled any more.
    if (!whole) void reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(broken("The bytes stopped arriving")), milliseconds);
  });
  try {
    return await Promise.race([reader.read(), late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw broken("The request body ended early", error);
  } finally {
    clearTimeout(timer);
  }
}

function broken(message: string, cause?: unknown): ApiError {
  const { details } = invalidRequest([{ path: "", message }]);
  return new ApiError("INVALID_REQUEST", message, { ...details && { details }, cause });
}
