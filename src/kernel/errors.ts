/** The one error that answers are made of, and the table from code to HTTP status. */

/** Every code that clients can see, with its status. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_UTF8: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  DOCUMENT_FILE_REQUIRED: 400,
  INVALID_DOCUMENT_METADATA: 400,
  INVALID_SNAPSHOT: 400,
  INVALID_API_KEY: 401,
  NOT_SIGNED_IN: 401,
  SIGN_IN_FAILED: 401,
  INSUFFICIENT_CREDITS: 402,
  PERMISSION_DENIED: 403,
  FOREIGN_ORIGIN: 403,
  NOT_FOUND: 404,
  MEMORY_NOT_FOUND: 404,
  SCOPE_ENTITY_NOT_FOUND: 404,
  OPERATION_NOT_FOUND: 404,
  OPERATION_NOT_RETRYABLE: 404,
  DOCUMENT_NOT_FOUND: 404,
  DOCUMENT_UPLOAD_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_CONFLICT: 409,
  VERSION_CONFLICT: 409,
  DOCUMENT_UPLOAD_SIZE_MISMATCH: 409,
  DOCUMENT_UPLOAD_CHECKSUM_MISMATCH: 409,
  DOCUMENT_UPLOAD_IMMUTABLE: 409,
  DOCUMENT_UPLOAD_INCOMPLETE: 409,
  SOURCE_ASSET_BUSY: 409,
  SOURCE_ASSET_READY: 409,
  IMPORT_TARGET_NOT_EMPTY: 409,
  SNAPSHOT_ID_CONFLICT: 409,
  DERIVATION_DISABLED: 409,
  PROJECTION_NOT_BUILT: 409,
  ENTITY_REMOVAL_TOO_LARGE: 409,
  REQUEST_TOO_LARGE: 413,
  DOCUMENT_TOO_LARGE: 413,
  DOCUMENT_UPLOAD_TOO_LARGE: 413,
  EXTRACTED_DOCUMENT_TOO_LARGE: 413,
  DOCUMENT_PAGE_LIMIT_EXCEEDED: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  STORAGE_UNAVAILABLE: 503,
  SERVICE_STOPPING: 503,
} as const;

/** A stable, machine-readable error code. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** One thing wrong with a request: where (dots between the parts of the path), and what. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What an error may carry beside its code and message. */
export interface ApiErrorOptions {
  /** Part of the answer, under `details`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds after which a client may try again; becomes the `Retry-After` header. */
  readonly retryAfter?: number;
  /** How often was allowed what now has to wait; becomes the `RateLimit-*` headers. */
  readonly allowance?: number;
  /** What happened underneath; goes to the log, never to the client. */
  readonly cause?: unknown;
}

/** A failure that the client is told about. Anything else thrown is an INTERNAL_ERROR. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly allowance: number | undefined;

  constructor(readonly code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.details = options.details;
    this.retryAfter = options.retryAfter;
    this.allowance = options.allowance;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Anything thrown, as clients may see it: what is no ApiError is an INTERNAL_ERROR, and its cause. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError("INTERNAL_ERROR", "Something went wrong inside the service", {
    cause: thrown,
  });
}

/** INVALID_REQUEST that names every field which is wrong. */
export function invalidRequest(issues: readonly Issue[], code: ErrorCode = "INVALID_REQUEST") {
  const first = issues[0];
  const message = first === undefined
    ? "The request is invalid"
    : first.path === ""
    ? first.message
    : `${first.path}: ${first.message}`;
  return new ApiError(code, message, { details: { issues } });
}

/** INVALID_REQUEST about one field. */
export function invalidField(path: string, message: string): ApiError {
  return invalidRequest([{ path, message }]);
}
