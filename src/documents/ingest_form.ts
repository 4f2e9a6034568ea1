/** The form of an ingest: from the parts of a multipart body to the fields of the JSON body. */

import type { BodyPart } from "../contract/endpoint.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { isAccepted, typeOfFile } from "./media_types.ts";

/** The parts that are text; any other is ignored, as unknown fields are. */
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
 * @throws ApiError DOCUMENT_FILE_REQUIRED unless there is exactly one file under `file`,
 * UNSUPPORTED_DOCUMENT_MEDIA_TYPE, INVALID_UTF8, or INVALID_REQUEST for a part given twice
 */
export function ingestBodyOf(parts: readonly BodyPart[]): Record<string, unknown> {
  const [file, ...more] = parts.filter((part) => part.name === "file");
  const filename = file?.filename;
  if (file === undefined || !filename || more.length > 0) {
    throw new ApiError(
      "DOCUMENT_FILE_REQUIRED",
      'Send exactly one part under the name "file", with a filename',
    );
  }
  const mimeType = typeOfFile(file.contentType, filename);
  // Refused before it is read: a PDF is no UTF-8 either, but that is not what is wrong with it.
  if (!isAccepted(mimeType)) {
    throw new ApiError(
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      `"${mimeType}" is not taken as it is; use POST /v1/document-uploads`,
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
    const given = parts.filter((part) => part.name === name);
    if (given.length > 1) throw invalidField(name, "Must be given at most once");
    if (given.length === 1) fields[name] = decode(given[0]!);
  }
  return fields;
}

/** What is no JSON stays a text, which the schema then refuses: metadata is an object. */
function parseMetadata(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Every byte counts: a byte order mark is part of the content. */
function decode(part: BodyPart): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part.bytes);
  } catch (error) {
    throw new ApiError("INVALID_UTF8", `The part "${part.name}" is not valid UTF-8`, {
      cause: error,
    });
  }
}
