/** Multipart bodies: parsed while they arrive, given up at the first byte that is too many. */

import {
  MaxFileSizeExceededError,
  MaxTotalSizeExceededError,
  MultipartParseError,
  MultipartParser,
  type MultipartPart,
} from "@remix-run/multipart-parser";
import type { BodyPart } from "../contract/endpoint.ts";
import { ApiError, type ErrorCode, invalidField } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { inTime, tooLarge } from "./body.ts";

/** Headers of one part, in bytes; and how many parts. Far above what any form needs. */
const HEADER_BYTES = 8 * 1024;
const PARTS = 64;

/** Boundaries are 1 to 70 of these characters (RFC 2046, 5.1.1). */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

/** What a multipart body may hold. */
export interface MultipartLimits {
  readonly partLimit: number;
  readonly limit: number;
  /** The code for a body that holds more. */
  readonly code: ErrorCode;
}

/** Whether a request says that its body is multipart/form-data. */
export function isMultipart(request: Request): boolean {
  const type = request.headers.get("content-type") ?? "";
  return type.split(";")[0]!.trim().toLowerCase() === "multipart/form-data";
}

/**
 * Reads the parts in order. The rest of a body that is too large is not read.
 *
 * @throws ApiError with the limits' code, INVALID_REQUEST for what is no multipart, INVALID_UTF8
 * for part headers that are no UTF-8
 */
export async function readMultipart(
  request: Request,
  limits: MultipartLimits,
): Promise<BodyPart[]> {
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  return await inTime(readParts(request, boundary, limits));
}

async function readParts(
  request: Request,
  boundary: string,
  limits: MultipartLimits,
): Promise<BodyPart[]> {
  const parser = new MultipartParser(boundary, {
    maxHeaderSize: HEADER_BYTES,
    maxFileSize: limits.partLimit,
    maxTotalSize: limits.limit,
    maxParts: PARTS + 1,
  });
  // The parser knows no preamble (RFC 2046, 5.1.1): here it is the content of a part of its own, up
  // to the line end before the first boundary. Without one, this line end is ours.
  const opening = new TextEncoder().encode(`--${boundary}\r\n\r\n\r\n\r\n`);
  const parts: BodyPart[] = [];
  try {
    for (const _ of parser.write(opening));
    let isPreamble = true;
    for await (const bytes of request.body ?? []) {
      // What follows the last boundary says nothing (RFC 2046: the epilogue).
      if (bytes.length === 0 || isComplete(parser)) continue;
      for (const part of parser.write(bytes)) {
        if (!isPreamble) parts.push(readPart(part));
        isPreamble = false;
      }
    }
    parser.finish();
  } catch (error) {
    throw refusal(error, limits);
  }
  return parts;
}

function refusal(error: unknown, { partLimit, limit, code }: MultipartLimits): unknown {
  if (!(error instanceof MultipartParseError)) return error;
  if (error instanceof MaxFileSizeExceededError) {
    return tooLarge({ bytes: partLimit, code }, "A part of the form");
  }
  return error instanceof MaxTotalSizeExceededError
    ? tooLarge({ bytes: limit, code })
    : invalidField("", `The request body is not multipart/form-data: ${error.message}`);
}

function isComplete(parser: MultipartParser): boolean {
  try {
    parser.finish();
    return true;
  } catch (error) {
    if (error instanceof MultipartParseError) return false;
    throw error;
  }
}

function readPart(part: MultipartPart): BodyPart {
  try {
    const { name, filename } = part;
    return {
      name: name ?? "",
      filename: filename === undefined ? null : unescaped(filename, part.headers),
      contentType: part.headers["content-type"] ?? null,
      bytes: part.bytes,
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ApiError("INVALID_UTF8", "The headers of a part are not valid UTF-8", {
      cause: error,
    });
  }
}

/** Browsers and curl write quotes and line ends of a filename so, and nothing else (WHATWG HTML, 4.10.21.8). */
const ESCAPED = /%(?:22|0d|0a)/gi;

function unescaped(filename: string, headers: MultipartPart["headers"]): string {
  // An extended parameter (RFC 8187) has been decoded already.
  if (/;\s*filename\*=/i.test(headers["content-disposition"] ?? "")) return filename;
  return filename.replaceAll(ESCAPED, decodeURIComponent);
}

/** @throws ApiError INVALID_REQUEST when there is none */
function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? "";
  if (BOUNDARY.test(boundary)) return boundary;
  throw invalidField("Content-Type", "multipart/form-data needs a boundary");
}

/** A part in a few bytes, the same whatever boundary it was sent with. */
export function digestOf({ bytes, ...rest }: BodyPart) {
  return { ...rest, sha256: sha256(bytes) };
}
