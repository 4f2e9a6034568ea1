/** Taking in the bytes of a file: hashed on the way, cut off at their size, given up when they stall. */

import { createHash } from "node:crypto";
import { type BodyTimeouts, readWithTimeouts } from "../kernel/body_stream.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Blobs, StoredBlob } from "../store/blobs.ts";

/** What has arrived. */
export interface ReceivedFile {
  /** Bytes that were read; more than expected when the rest was cut off. */
  readonly size: number;
  /** SHA-256 of the bytes that were read. */
  readonly sha256: string;
  /** The file on disk; null when the bytes aren't those that were expected, or none were. */
  readonly blob: StoredBlob | null;
}

/** What is expected of the bytes. */
export interface ExpectedFile {
  /** How many there should be. Reading stops with the piece that goes beyond. */
  readonly size: number;
  /** Where they are stored if they are as expected; null only reads them. */
  readonly blobs: Blobs | null;
  /** Their digest; null takes any. */
  readonly sha256: string | null;
}

const BODY_TIMEOUTS: BodyTimeouts = {
  stallMs: LIMITS.uploadStallSeconds * 1_000,
  totalMs: LIMITS.uploadMinutes * 60_000,
};

/** @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE by the length that a request declares */
export function refuseTooLarge(headers: Headers): void {
  if (Number(headers.get("content-length") ?? 0) > LIMITS.uploadFileBytes) throw tooLarge();
}

/**
 * Reads a body. It becomes a blob only when it is as long as expected and has the digest that was
 * expected: bytes that are wrong are never visible.
 *
 * @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE, or INVALID_REQUEST when the body breaks off or stalls
 */
export async function receiveBytes(
  body: ReadableStream<Uint8Array> | null,
  expected: ExpectedFile,
  timeouts: BodyTimeouts = BODY_TIMEOUTS,
): Promise<ReceivedFile> {
  const digest = createHash("sha256");
  const writer = await expected.blobs?.writer() ?? null;
  let size = 0;
  try {
    for await (const bytes of readWithTimeouts(body, timeouts)) {
      size += bytes.length;
      if (size > LIMITS.uploadFileBytes) throw tooLarge();
      digest.update(bytes);
      if (size > expected.size) break;
      await writer?.write(bytes);
    }
    const sha256 = digest.digest("hex");
    const fits = size === expected.size && (expected.sha256 ?? sha256) === sha256;
    const blob = fits ? await writer?.finish() ?? null : null;
    return { size, sha256, blob };
  } finally {
    await writer?.discard();
  }
}

function tooLarge(): ApiError {
  return new ApiError(
    "DOCUMENT_UPLOAD_TOO_LARGE",
    `A file may be at most ${LIMITS.uploadFileBytes} bytes`,
    { details: { limit: LIMITS.uploadFileBytes } },
  );
}
