/** Uploads in the desktop variant: text only, stored as is, without the extractor. */

import { readFile } from "node:fs/promises";
import { commandEndpoint, type Endpoint } from "../contract/endpoint.ts";
import { ExtractionError } from "../extraction/error.ts";
import { isTextKind, kindOfMediaType } from "../extraction/kinds.ts";
import { mayBeText } from "../extraction/signatures.ts";
import type { ExtractionJob, ExtractionResult } from "../extraction/runner.ts";
import { ApiError } from "../kernel/errors.ts";
import { utf8Length } from "../kernel/text.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { CreateBody } from "./schema.ts";

/** E-mail is excluded: it's text, but needs an extractor. */
const isAccepted = (mediaType: string) => {
  const kind = kindOfMediaType(mediaType);
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(mediaType)?.[1] ?? "utf-8";
  return kind !== undefined && kind !== "eml" && isTextKind(kind) && /^utf-?8$/i.test(charset);
};

/**
 * Returns this variant's upload endpoints. Creating an upload fails for anything other than a UTF-8
 * text file.
 */
export function textOnly(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.map((endpoint) => {
    if (endpoint.operationId !== "createUpload" || !("change" in endpoint)) return endpoint;
    return commandEndpoint({
      ...endpoint,
      change(call) {
        const { content_type } = call.body as CreateBody;
        if (isAccepted(content_type)) return endpoint.change(call);
        throw new ApiError(
          "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
          `Files of type "${content_type}" are not accepted; the desktop variant accepts only UTF-8 text`,
        );
      },
    });
  });
}

/**
 * Replaces `runExtraction` for text files, using the content as the document.
 *
 * @throws ExtractionError if the file is not UTF-8 text, is empty or is too large
 */
export async function extractUtf8Text(job: ExtractionJob): Promise<ExtractionResult> {
  const bytes = await readFile(job.inputPath);
  // As in the extractor, a file of another type is rejected even if it's valid UTF-8.
  if (!mayBeText(bytes)) {
    throw new ExtractionError(
      "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
      `The file was declared as ${job.declaredType}, but its content is not text`,
    );
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new ExtractionError("DOCUMENT_CORRUPT", "The file is not valid UTF-8", { cause });
  }
  if (text.trim() === "") {
    throw new ExtractionError("EXTRACTED_DOCUMENT_EMPTY", "The file contains no text");
  }
  if (utf8Length(text) > LIMITS.documentBytes) {
    throw new ExtractionError(
      "EXTRACTED_DOCUMENT_TOO_LARGE",
      `The text must be at most ${LIMITS.documentBytes} bytes`,
    );
  }
  return { markdown: text, pageCount: null, extractor: "commonplace/text", extractorVersion: "1" };
}
