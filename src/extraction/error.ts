/** The extractor's error type, with its codes and whether each is worth retrying. */

/** Codes an extraction attempt can fail with. */
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
 * Whether a retry can succeed, by code. Errors that only depend on the bytes are permanent. Errors
 * that depend on the machine (load, memory) aren't.
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

/** Thrown when an extraction ends without a document. The `message` is safe to show to clients. */
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

/** Returns the error for bytes that violate their file format's rules. */
export function corrupt(message: string, cause?: unknown): ExtractionError {
  return new ExtractionError("DOCUMENT_CORRUPT", message, { cause });
}

/**
 * Returns the error for a file with `found` slides or sheets, when `max` is the limit.
 *
 * @param unit plural noun for what's counted, e.g. `slides`
 */
export function pageLimitExceeded(found: number, unit: string, max: number): ExtractionError {
  return new ExtractionError(
    "DOCUMENT_PAGE_LIMIT_EXCEEDED",
    `The file has ${found} ${unit}; at most ${max} are accepted`,
  );
}
