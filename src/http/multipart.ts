/**
 * Multipart bodies. They're small, so we read each one in full and split it at the boundary lines.
 */

import { Buffer } from "node:buffer";
import type { BodyPart } from "../contract/endpoint.ts";
import { ApiError, type ErrorCode, invalidField } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { essenceOf } from "../kernel/http/media_types.ts";
import { tooLarge } from "../kernel/http/body_limit.ts";
import { readBody, requireIdentityEncoding } from "./body.ts";

/**
 * Maximum part header size, in bytes, and maximum number of parts. Both are far more than any form
 * needs.
 */
const MAX_PART_HEADER_BYTES = 8 * 1024;
const MAX_PARTS = 64;

/** A boundary is 1 to 70 of these characters (RFC 2046, 5.1.1). */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** Size limits for a multipart body, in bytes. */
export interface MultipartLimits {
  readonly maxPartBytes: number;
  /** Limit for the whole body, including boundaries and part headers. */
  readonly maxBodyBytes: number;
  /** Error code when a limit is exceeded. Defaults to REQUEST_TOO_LARGE. */
  readonly code?: ErrorCode | undefined;
}

/** Checks whether a request declares a multipart/form-data body. */
export function isMultipart(request: Request): boolean {
  return essenceOf(request.headers.get("content-type") ?? "") === "multipart/form-data";
}

/**
 * Reads the parts in order. If the body is too large, the rest of it isn't read.
 *
 * @throws ApiError with the code in the limits if the body or a part is too large, INVALID_REQUEST
 *   if the body isn't multipart, INVALID_UTF8 if part headers aren't UTF-8, UNSUPPORTED_MEDIA_TYPE
 *   if the body is compressed or encoded
 */
export async function readMultipart(
  request: Request,
  { maxPartBytes, maxBodyBytes, code }: MultipartLimits,
): Promise<BodyPart[]> {
  const { headers } = request;
  const bytes = await readBody(
    request,
    { bytes: maxBodyBytes, code },
    () => requireIdentityEncoding(headers),
  );
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: BodyPart[] = [];
  let begin: number | null = null;
  for (const { from, to, isLast } of boundaryLines(body, boundaryOf(headers))) {
    if (begin !== null) {
      if (parts.length === MAX_PARTS) throw notMultipart(`it has more than ${MAX_PARTS} parts`);
      // Leave out the line break before the boundary but keep the one after it, since headers end
      // with an empty line.
      const part = readPart(body.subarray(begin, from - 2), parts.length + 1);
      if (part.bytes.length > maxPartBytes) {
        throw tooLarge({ bytes: maxPartBytes, code }, "A part of the form");
      }
      parts.push(part);
    }
    if (isLast) return parts;
    begin = to;
  }
  throw notMultipart(begin === null ? "the boundary is missing" : "the final boundary is missing");
}

function notMultipart(why: string): ApiError {
  return invalidField("", `The request body is not multipart/form-data: ${why}`);
}

/**
 * Yields the boundary lines in a body. Only white space can follow a boundary on its line (RFC
 * 2046, 5.1.1). Bytes before the first boundary and after the last one are ignored.
 */
function* boundaryLines(body: Buffer, boundary: string) {
  const line = Buffer.from(`--${boundary}`);
  for (let from = body.indexOf(line); from >= 0; from = body.indexOf(line, from + 1)) {
    if (from > 0 && !isLineEnd(body, from - 2)) continue;
    let to = from + line.length;
    const isLast = body[to] === DASH && body[to + 1] === DASH;
    if (isLast) to += 2;
    while (body[to] === SPACE || body[to] === TAB) to++;
    if (isLineEnd(body, to) || isLast && to === body.length) yield { from, to, isLast };
  }
}

const [TAB, LF, CR, SPACE, DASH] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

function isLineEnd(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === CR && bytes[at + 1] === LF;
}

function readPart(part: Buffer, position: number): BodyPart {
  const end = part.indexOf("\r\n\r\n");
  if (end > MAX_PART_HEADER_BYTES) {
    throw notMultipart(`the headers of part ${position} are too long`);
  }
  const headers = headersOf(part.subarray(0, Math.max(0, end)));
  const parameters = parametersOf(headers.get("content-disposition") ?? "");
  const name = parameters.get("name") ?? "";
  if (name === "") {
    throw notMultipart(
      `part ${position} has no name; expected Content-Disposition: form-data; name="…"`,
    );
  }
  if (!/^(?:7bit|8bit|binary)$/i.test(headers.get("content-transfer-encoding") ?? "binary")) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `Content-Transfer-Encoding of part "${name}" is not supported; send its bytes unencoded`,
    );
  }
  return {
    name,
    filename: filenameOf(parameters),
    contentType: headers.get("content-type") ?? null,
    bytes: part.subarray(end + 4),
  };
}

/**
 * Returns a part's headers, keyed by lowercased name. If a name is repeated, the first one wins.
 */
function headersOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const text = asUtf8(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  // Leading white space continues the previous line (RFC 5322, 2.2.3).
  for (const line of text.split(/\r\n(?![ \t])/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * A parameter with its value, optionally quoted. Within quotes, Go and older versions of curl use a
 * backslash as an escape. In browsers it's a literal character, so a quote right after it ends the
 * value.
 */
const PARAMETER = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|"([^"]*)"|([^;]*))\s*(?=;|$)/g;

/**
 * Returns the parameters of a Content-Disposition header, keyed by lowercased name. If a name is
 * repeated, the first one wins.
 */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name, escaped, quoted, bare] of disposition.matchAll(PARAMETER)) {
    const key = name!.toLowerCase();
    const value = escaped?.replaceAll(/\\(["\\])/g, "$1") ?? quoted ?? bare!;
    if (!parameters.has(key)) parameters.set(key, value.trim());
  }
  return parameters;
}

/** Browsers and curl only escape quotes and line breaks in filenames (WHATWG HTML, 4.10.21.8). */
const ESCAPED = /%(?:22|0d|0a)/gi;

/** Returns the file name. The extended parameter (RFC 8187) takes precedence over the plain one. */
function filenameOf(parameters: ReadonlyMap<string, string>): string | null {
  const extended = /^utf-8'[^']*'(.+)$/is.exec(parameters.get("filename*") ?? "")?.[1];
  if (extended !== undefined) return asUtf8(() => decodeURIComponent(extended));
  return parameters.get("filename")?.replaceAll(ESCAPED, decodeURIComponent) ?? null;
}

function asUtf8(decode: () => string): string {
  try {
    return decode();
  } catch (error) {
    throw new ApiError("INVALID_UTF8", "The headers of a part are not valid UTF-8", {
      cause: error,
    });
  }
}

/**
 * Returns a multipart body's boundary.
 *
 * @throws ApiError INVALID_REQUEST if the Content-Type has no valid boundary
 */
function boundaryOf(headers: Headers): string {
  const type = headers.get("content-type") ?? "";
  const match = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(type);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (BOUNDARY.test(boundary)) return boundary;
  throw invalidField("Content-Type", "multipart/form-data requires a valid boundary");
}

/** Returns a compact form of a part for the idempotency digest, independent of the boundary. */
export function partDigest({ bytes, ...rest }: BodyPart) {
  return { ...rest, sha256: sha256(bytes) };
}
