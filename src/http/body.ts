/**
 * Reads request bodies with a size limit and a timeout, decodes them strictly, and parses JSON with
 * limited nesting.
 */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, invalidField, invalidRequest } from "../kernel/errors.ts";
import { type BodyLimit, checkDeclaredLength, tooLarge } from "../kernel/http/body_limit.ts";
import { LIMITS } from "../kernel/limits.ts";

/**
 * Reads a JSON body. The contract fixes the order of the checks: declared length, type, actual
 * length, text.
 */
export async function readJson(request: Request, limit: BodyLimit): Promise<unknown> {
  const bytes = await readBody(request, limit, () => requireJson(request.headers));
  return parseJson(decodeUtf8(bytes));
}

/**
 * Reads a body of at most `limit` bytes. The rest of a longer body isn't read.
 *
 * @param checkType checks the media type; runs after the declared length is checked and before the
 *   body is read
 * @throws ApiError with the limit's error code if the body is too large, or INVALID_REQUEST if it
 *   doesn't arrive in time
 */
export async function readBody(
  request: Request,
  limit: BodyLimit,
  checkType: () => void,
): Promise<Uint8Array> {
  const declared = checkDeclaredLength(request.headers, limit);
  checkType();
  // The HTTP server cuts bodies off at their declared length, so only those without one need
  // counting.
  return await withTimeout(Number.isNaN(declared) ? readLimited(request, limit) : request.bytes());
}

/** Waits for a body until the timeout. An interrupted body counts as a client error. */
async function withTimeout<T>(pending: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError()), LIMITS.bodySeconds * 1_000);
  });
  try {
    return await Promise.race([pending, timeout]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("INVALID_REQUEST", "The request body ended early", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readLimited(request: Request, limit: BodyLimit): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request.body ?? []) {
    length += part.length;
    if (length > limit.bytes) throw tooLarge(limit);
    parts.push(part);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

function timeoutError(): ApiError {
  return new ApiError(
    "INVALID_REQUEST",
    `The request body did not arrive within ${LIMITS.bodySeconds} seconds`,
  );
}

/**
 * Makes sure that a body isn't compressed. Otherwise, the size limits would apply only to the
 * compressed bytes.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE if it is compressed
 */
export function requireIdentityEncoding(headers: Headers): void {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.trim().toLowerCase() === "identity") return;
  throw new ApiError(
    "UNSUPPORTED_MEDIA_TYPE",
    "Content-Encoding is not supported; send the body uncompressed",
  );
}

/**
 * Makes sure that the media type is application/json, encoded as UTF-8.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE if it isn't
 */
export function requireJson(headers: Headers): void {
  requireIdentityEncoding(headers);
  const [type, ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type?.trim() === "application/json" && utf8) return;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json in UTF-8");
}

/**
 * Decodes UTF-8.
 *
 * @throws ApiError INVALID_UTF8 if the bytes aren't valid UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ApiError("INVALID_UTF8", "The request body is not valid UTF-8", { cause: error });
  }
}

/**
 * Parses JSON up to the maximum depth any field allows.
 *
 * @throws ApiError INVALID_REQUEST if the text is nested more deeply or isn't JSON
 */
export function parseJson(text: string): unknown {
  if (exceedsDepth(text, LIMITS.jsonDepth)) {
    throw invalidField("", `The request body nests deeper than ${LIMITS.jsonDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `The request body is not JSON: ${(error as Error).message}`;
    throw invalidRequest([{ path: "", message }]);
  }
}

/**
 * Checks whether JSON is nested more deeply than a limit. Counts brackets outside of strings, so
 * the parser never gets to see maliciously deep nesting.
 */
function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/**
 * Returns the index of the quote that closes the string at `begin`. Jumps from quote to quote,
 * since strings can be long.
 */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
