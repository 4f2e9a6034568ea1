/**
 * Receives a file's bytes: computes their hash, stops at the expected size, and fails if they
 * stall.
 */

import { createHash } from "node:crypto";
import { type BodyTimeouts, readWithTimeouts } from "../kernel/http/body_stream.ts";
import { ApiError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Blobs, StoredBlob } from "../store/blobs/blobs.ts";

/** The received bytes. */
export interface ReceivedFile {
  /** Number of bytes read. Exceeds the expected size if we stopped early. */
  readonly size: number;
  /** SHA-256 of the bytes read. */
  readonly sha256: string;
  /** The stored file, or null if it doesn't match or wasn't meant to be stored. */
  readonly blob: StoredBlob | null;
}

/** A file's expected size and digest, and where to store it. */
export interface ExpectedFile {
  /** Expected number of bytes. Reading stops after the piece that exceeds it. */
  readonly size: number;
  /** Where to store the file, or null to read it without storing. */
  readonly blobs: Blobs | null;
  /** Expected SHA-256. Null accepts anything. */
  readonly sha256: string | null;
}

const BODY_TIMEOUTS: BodyTimeouts = {
  stallMs: LIMITS.uploadStallSeconds * 1_000,
  totalMs: LIMITS.uploadMinutes * 60_000,
};

/**
 * Checks a request's declared length.
 *
 * @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE
 */
export function refuseTooLarge(headers: Headers): void {
  if (Number(headers.get("content-length") ?? 0) > LIMITS.uploadFileBytes) throw tooLarge();
}

/**
 * Reads a body and stores it as a blob if length and digest match. Otherwise its bytes are never
 * visible.
 *
 * @throws ApiError DOCUMENT_UPLOAD_TOO_LARGE, or INVALID_REQUEST if the body ends early or stalls
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
    const matches = size === expected.size && (expected.sha256 ?? sha256) === sha256;
    const blob = matches ? await writer?.finish() ?? null : null;
    return { size, sha256, blob };
  } finally {
    await writer?.discard();
  }
}

function tooLarge(): ApiError {
  return new ApiError(
    "DOCUMENT_UPLOAD_TOO_LARGE",
    `File must be at most ${LIMITS.uploadFileBytes} bytes`,
    { details: { limit: LIMITS.uploadFileBytes } },
  );
}
