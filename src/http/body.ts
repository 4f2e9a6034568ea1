/** Bodies, JSON above all: read within their limit and their time, decoded strictly, parsed with a bound. */

import { clearTimeout, setTimeout } from "node:timers";
import { ApiError, type ErrorCode, invalidField, invalidRequest } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** How large a body may be, and what it is called when it is larger. */
export interface BodyLimit {
  readonly bytes: number;
  readonly code: ErrorCode;
}

/** Reads a JSON body. Checks come in the order of the contract: length, type, length, text. */
export async function readJson(request: Request, limit: BodyLimit): Promise<unknown> {
  const bytes = await readBody(request, limit, () => requireJson(request.headers));
  return parseJson(decodeUtf8(bytes));
}

/**
 * Reads a body of at most `limit` bytes; the rest of a longer one is not read.
 *
 * @param checkType runs between the check of the declared length and the reading
 * @throws ApiError REQUEST_TOO_LARGE, or INVALID_REQUEST when the body doesn't arrive in time
 */
export async function readBody(
  request: Request,
  limit: BodyLimit,
  checkType: () => void,
): Promise<Uint8Array> {
  const declared = checkDeclaredLength(request, limit);
  checkType();
  // The server has already cut a body to its declared length; only the others need counting.
  return await withTimeout(Number.isNaN(declared) ? readLimited(request, limit) : request.bytes());
}

/** The length that a request declares, NaN without one. */
function checkDeclaredLength(request: Request, limit: BodyLimit): number {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > limit.bytes) throw tooLarge(limit);
  return declared;
}

/** Waits for a body as long as one may take; what breaks off is the client's fault. */
async function withTimeout<T>(pending: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), LIMITS.bodySeconds * 1_000);
  });
  try {
    return await Promise.race([pending, late]);
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

/** The answer to a body, or a part of one, that is larger than it may be. */
export function tooLarge({ bytes, code }: BodyLimit, what = "The request body"): ApiError {
  return new ApiError(code, `${what} is larger than ${bytes} bytes`, {
    details: { limit: bytes },
  });
}

function tooSlow(): ApiError {
  return new ApiError(
    "INVALID_REQUEST",
    `The request body did not arrive within ${LIMITS.bodySeconds} seconds`,
  );
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE for a compressed body: its limits would not be those of what it holds */
export function requireIdentityEncoding(headers: Headers): void {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.trim().toLowerCase() === "identity") return;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, without Content-Encoding");
}

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE unless the type is application/json in UTF-8 */
export function requireJson(headers: Headers): void {
  requireIdentityEncoding(headers);
  const [type, ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type?.trim() === "application/json" && utf8) return;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Send application/json in UTF-8");
}

/** @throws ApiError INVALID_UTF8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ApiError("INVALID_UTF8", "The request body is not valid UTF-8", { cause: error });
  }
}

/** Parses JSON that nests no deeper than any field allows. */
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

/** Counts brackets outside of strings, so that a parser never sees hostile nesting. */
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

/** Where the string that begins at `begin` ends. Jumps from quote to quote: texts are long. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
