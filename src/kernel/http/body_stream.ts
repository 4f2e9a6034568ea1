/** Reads a request body chunk by chunk, and fails if it stalls or takes too long. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, invalidRequest } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { tooLarge } from "./body_limit.ts";

/** Timeouts for a request body. Tests use shorter ones. */
export interface BodyTimeouts {
  /** Maximum time between chunks, in milliseconds. */
  readonly stallMs: number;
  /** Maximum time for the whole body, in milliseconds, however steadily it arrives. */
  readonly totalMs: number;
}

/** What is needed of a reader. */
type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/**
 * Yields a body's chunks as they arrive. If the caller stops iterating, the rest isn't read.
 *
 * @param body the body; null yields nothing
 * @param open opens the body; by default, each chunk is yielded in a buffer of its own
 * @throws ApiError INVALID_REQUEST if the body stalls, takes too long or ends early
 */
export async function* readWithTimeouts(
  body: ReadableStream<Uint8Array> | null,
  { stallMs, totalMs }: BodyTimeouts,
  open: (body: ReadableStream<Uint8Array>) => BodyReader = (body) => body.getReader(),
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = open(body);
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

/** Timeouts for a snapshot, or another file to import. */
const IMPORT_TIMEOUTS: BodyTimeouts = {
  stallMs: LIMITS.uploadStallSeconds * 1_000,
  totalMs: LIMITS.importMinutes * 60_000,
};

/** Size of the buffer for a file to import, in bytes. Deno reads no more at once. */
const IMPORT_BUFFER_BYTES = 64 * 1024;

/**
 * Yields the bytes of a file to import as they arrive. A chunk is only valid until the next one is
 * requested.
 *
 * @throws ApiError REQUEST_TOO_LARGE if there are more than `limit` bytes
 * @throws ApiError INVALID_REQUEST if the request is aborted or stalls
 */
export async function* importBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  timeouts: BodyTimeouts = IMPORT_TIMEOUTS,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of readWithTimeouts(body, timeouts, readThroughOneBuffer)) {
    size += bytes.length;
    if (size > limit) throw tooLarge({ bytes: limit });
    yield bytes;
  }
}

/**
 * Opens a body for reading through a single buffer. With a new one per chunk, up to 60 MB of them
 * wait to be collected while a large file arrives.
 */
function readThroughOneBuffer(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = openByteStream(body);
  if (reader === null) return body.getReader();
  let buffer = new ArrayBuffer(IMPORT_BUFFER_BYTES);
  return {
    async read() {
      const result = await reader.read(new Uint8Array(buffer));
      if (result.done) return { done: true };
      buffer = result.value.buffer;
      return result;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Returns null for a stream that doesn't accept buffers. Those of requests do. */
function openByteStream(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function readWithin(reader: BodyReader, timeoutMs: number) {
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
