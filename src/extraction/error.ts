/** The one error type of the extractor: a worker code, and whether another attempt can help. */

/** Codes an extraction attempt can end with. */
export type ExtractionErrorCode =
  | "EXTRACTION_FAILED"
  | "EXTRACTION_TIMEOUT"
  | "EXTRACTION_CRASHED"
  | "EXTRACTED_DOCUMENT_EMPTY"
  | "DOCUMENT_ENCRYPTED"
  | "DOCUMENT_CORRUPT"
  | "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"
  | "EXTRACTED_DOCUMENT_TOO_LARGE"
  | "DOCUMENT_PAGE_LIMIT_EXCEEDED";

/**
 * Whether a later attempt may end differently. What depends on the bytes alone is permanent;
 * what depends on the machine (its load, its memory) is not.
 */
export const RETRYABLE: Readonly<Record<ExtractionErrorCode, boolean>> = {
  EXTRACTION_FAILED: true,
  EXTRACTION_TIMEOUT: true,
  EXTRACTION_CRASHED: true,
  EXTRACTED_DOCUMENT_EMPTY: false,
  DOCUMENT_ENCRYPTED: false,
  DOCUMENT_CORRUPT: false,
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: false,
  EXTRACTED_DOCUMENT_TOO_LARGE: false,
  DOCUMENT_PAGE_LIMIT_EXCEEDED: false,
};

/** An extraction that ended without a document. `message` is safe to show to a client. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
  readonly code: ExtractionErrorCode;
  readonly retryable: boolean;

  constructor(code: ExtractionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryable = RETRYABLE[code];
  }
}

/** The error for bytes that break the rules of their own format. */
export function corrupt(message: string, cause?: unknown): ExtractionError {
  return new ExtractionError("DOCUMENT_CORRUPT", message, { cause });
}

/** The error for a file of `found` slides or sheets, of which `most` are accepted. */
export function pageLimitExceeded(found: number, unit: string, max: number): ExtractionError {
  return new ExtractionError(
    "DOCUMENT_PAGE_LIMIT_EXCEEDED",
    `The file has ${found} ${unit}; at most ${max} are accepted`,
  );
}
