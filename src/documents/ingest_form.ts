/** Converts a multipart body's parts to the JSON fields of an ingest request. */

import type { BodyPart } from "../contract/endpoint.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { isAccepted, typeOfFile } from "./media_types.ts";

/** Text parts. Others are ignored, just like unknown fields. */
const TEXT_PARTS = [
  "source_key",
  "title",
  "source_uri",
  "user_id",
  "agent_id",
  "run_id",
  "metadata",
] as const;

/**
 * Returns the fields for the JSON body.
 *
 * @throws ApiError DOCUMENT_FILE_REQUIRED unless there is exactly one file under `file`,
 *   UNSUPPORTED_DOCUMENT_MEDIA_TYPE, INVALID_UTF8, or INVALID_REQUEST if a part is repeated
 */
export function ingestBodyOf(parts: readonly BodyPart[]): Record<string, unknown> {
  const [file, ...more] = parts.filter((part) => part.name === "file");
  const filename = file?.filename;
  if (file === undefined || !filename || more.length > 0) {
    throw new ApiError(
      "DOCUMENT_FILE_REQUIRED",
      'Send exactly one part with the name "file" and a filename',
    );
  }
  const mimeType = typeOfFile(file.contentType, filename);
  // Checked before decoding: a PDF isn't valid UTF-8 either, but the actual problem is its type.
  if (!isAccepted(mimeType)) {
    throw new ApiError(
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      `Media type "${mimeType}" is not accepted here; use POST /v1/document-uploads`,
    );
  }
  const fields = textFields(parts);
  return {
    source_key: filename,
    title: filename,
    ...fields,
    ...("metadata" in fields ? { metadata: parseMetadata(fields["metadata"]!) } : {}),
    mime_type: mimeType,
    content: decode(file),
  };
}

function textFields(parts: readonly BodyPart[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name of TEXT_PARTS) {
    const matches = parts.filter((part) => part.name === name);
    if (matches.length > 1) throw invalidField(name, "Must not be repeated");
    if (matches.length === 1) fields[name] = decode(matches[0]!);
  }
  return fields;
}

/**
 * Parses JSON. Invalid JSON remains a string, which the schema then rejects, since metadata must be
 * an object.
 */
function parseMetadata(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Decodes UTF-8. Every byte counts; even a byte order mark is part of the content. */
function decode(part: BodyPart): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part.bytes);
  } catch (error) {
    throw new ApiError("INVALID_UTF8", `The part "${part.name}" is not valid UTF-8`, {
      cause: error,
    });
  }
}
