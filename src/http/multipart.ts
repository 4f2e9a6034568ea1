/** Multipart bodies: small, so read whole; then cut at the lines that are the boundary, and nowhere else. */

import { Buffer } from "node:buffer";
import type { BodyPart } from "../contract/endpoint.ts";
import { ApiError, type ErrorCode, invalidField } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { essenceOf } from "../kernel/media_types.ts";
import { readBody, requireIdentityEncoding, tooLarge } from "./body.ts";

/** Headers of one part, in bytes; and how many parts. Far above what any form needs. */
const MAX_PART_HEADER_BYTES = 8 * 1024;
const MAX_PARTS = 64;

/** Boundaries are 1 to 70 of these characters (RFC 2046, 5.1.1). */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** What a multipart body may hold, in bytes. */
export interface MultipartLimits {
  readonly maxPartBytes: number;
  /** Of the whole body, with all that stands between the parts. */
  readonly maxBodyBytes: number;
  /** The code for a body that holds more. */
  readonly code: ErrorCode;
}

/** Whether a request says that its body is multipart/form-data. */
export function isMultipart(request: Request): boolean {
  return essenceOf(request.headers.get("content-type") ?? "") === "multipart/form-data";
}

/**
 * Reads the parts in order. The rest of a body that is too large is not read.
 *
 * @throws ApiError with the limits' code, INVALID_REQUEST for what is no multipart, INVALID_UTF8 for
 * part headers that are no UTF-8, UNSUPPORTED_MEDIA_TYPE for what is compressed or encoded
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
      // Without the line end before the boundary, and with the one behind: an empty line ends headers.
      const part = readPart(body.subarray(begin, from - 2), parts.length + 1);
      if (part.bytes.length > maxPartBytes) {
        throw tooLarge({ bytes: maxPartBytes, code }, "A part of the form");
      }
      parts.push(part);
    }
    if (isLast) return parts;
    begin = to;
  }
  throw notMultipart(begin === null ? "it has no boundary" : "it has no last boundary");
}

function notMultipart(why: string): ApiError {
  return invalidField("", `The request body is not multipart/form-data: ${why}`);
}

/**
 * The lines of a body that are its boundary and nothing more, but white space at their end (RFC 2046,
 * 5.1.1). What stands before the first or after the last says nothing.
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
    throw notMultipart(`part ${position} has no name (Content-Disposition: form-data; name="…")`);
  }
  if (!/^(?:7bit|8bit|binary)$/i.test(headers.get("content-transfer-encoding") ?? "binary")) {
    throw new ApiError(
      "UNSUPPORTED_MEDIA_TYPE",
      `Send the part "${name}" as it is, without Content-Transfer-Encoding`,
    );
  }
  return {
    name,
    filename: filenameOf(parameters),
    contentType: headers.get("content-type") ?? null,
    bytes: part.subarray(end + 4),
  };
}

/** The headers of a part by their names in lower case; the first of each counts. */
function headersOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const text = asUtf8(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  // A line that begins with white space goes on with the one before (RFC 5322, 2.2.3).
  for (const line of text.split(/\r\n(?![ \t])/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * A parameter and its value, in quotes or not. A backslash in quotes may be an escape, as in Go and
 * older curl, or stand for itself, as in browsers: then the quote behind it ends the value.
 */
const PARAMETER = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|"([^"]*)"|([^;]*))\s*(?=;|$)/g;

/** The parameters of a Content-Disposition by their names in lower case; the first of each counts. */
function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name, escaped, quoted, bare] of disposition.matchAll(PARAMETER)) {
    const key = name!.toLowerCase();
    const value = escaped?.replaceAll(/\\(["\\])/g, "$1") ?? quoted ?? bare!;
    if (!parameters.has(key)) parameters.set(key, value.trim());
  }
  return parameters;
}

/** Browsers and curl write quotes and line ends of a filename so, and nothing else (WHATWG HTML, 4.10.21.8). */
const ESCAPED = /%(?:22|0d|0a)/gi;

/** The name of a file; the extended parameter (RFC 8187) goes before the plain one. */
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

/** @throws ApiError INVALID_REQUEST when there is none */
function boundaryOf(headers: Headers): string {
  const type = headers.get("content-type") ?? "";
  const match = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(type);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (BOUNDARY.test(boundary)) return boundary;
  throw invalidField("Content-Type", "multipart/form-data needs a boundary");
}

/** A part in a few bytes, the same whatever boundary it was sent with. */
export function partDigest({ bytes, ...rest }: BodyPart) {
  return { ...rest, sha256: sha256(bytes) };
}
