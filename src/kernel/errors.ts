/** The error type behind every error response, with the HTTP status for each error code. */

/** HTTP status per code visible to clients. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_UTF8: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  DOCUMENT_FILE_REQUIRED: 400,
  INVALID_DOCUMENT_METADATA: 400,
  INVALID_SNAPSHOT: 400,
  INVALID_IMPORT: 400,
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
  OPERATION_FILE_NOT_FOUND: 404,
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
  NOT_SUPPORTED: 501,
  STORAGE_UNAVAILABLE: 503,
  SERVICE_STOPPING: 503,
} as const;

/** A stable, machine-readable error code. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** A single problem with a request. `path` is the dotted path to the field. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Optional error properties, on top of code and message. */
export interface ApiErrorOptions {
  /** Included in the response as `details`. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds before a client may retry, sent as the `Retry-After` header. */
  readonly retryAfter?: number;
  /** Attempts allowed by the limit that was exceeded, sent as the `RateLimit-*` headers. */
  readonly allowance?: number;
  /** What the client needs to get access, sent as the `WWW-Authenticate` header. */
  readonly challenge?: string | undefined;
  /** Underlying error. Logged, but never sent to the client. */
  readonly cause?: unknown;
}

/**
 * An error reported to the client. Anything else thrown is reported as INTERNAL_ERROR.
 *
 * @example
 * ```ts
 * import { ApiError } from "./errors.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const error = new ApiError("RATE_LIMITED", "Too many requests", { retryAfter: 30 });
 * strictEqual(error.status, 429);
 * ```
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfter: number | undefined;
  readonly allowance: number | undefined;
  readonly challenge: string | undefined;

  constructor(readonly code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.details = options.details;
    this.retryAfter = options.retryAfter;
    this.allowance = options.allowance;
    this.challenge = options.challenge ?? (code === "INVALID_API_KEY" ? "Bearer" : undefined);
  }

  /** HTTP status for the code. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/**
 * Returns an ApiError unchanged, and wraps anything else in an INTERNAL_ERROR with the original as
 * its cause.
 *
 * @example
 * ```ts
 * import { ApiError, asApiError } from "./errors.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const notFound = new ApiError("NOT_FOUND", "Not found");
 * strictEqual(asApiError(notFound), notFound);
 * strictEqual(asApiError(new TypeError("x")).status, 500);
 * ```
 */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  return new ApiError("INTERNAL_ERROR", "Internal error; details are in the server log", {
    cause: thrown,
  });
}

/**
 * Creates an INVALID_REQUEST error that lists every invalid field. The first one's message is used.
 *
 * @param code defaults to INVALID_REQUEST
 *
 * @example
 * ```ts
 * import { invalidRequest } from "./errors.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const error = invalidRequest([{ path: "filters.AND", message: "Must be a list" }]);
 * strictEqual(error.status, 400);
 * strictEqual(error.message, "filters.AND: Must be a list");
 * ```
 */
export function invalidRequest(issues: readonly Issue[], code: ErrorCode = "INVALID_REQUEST") {
  const first = issues[0];
  const message = first === undefined
    ? "The request is invalid"
    : first.path === ""
    ? first.message
    : `${first.path}: ${first.message}`;
  return new ApiError(code, message, { details: { issues } });
}

/**
 * Creates an INVALID_REQUEST error for a single field.
 *
 * @example
 * ```ts
 * import { invalidField } from "./errors.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(invalidField("limit", "Must be positive").message, "limit: Must be positive");
 * ```
 */
export function invalidField(path: string, message: string): ApiError {
  return invalidRequest([{ path, message }]);
}

/**
 * Throws the errors, if any, of several steps that all ran although some of them failed. A single
 * error is thrown as it is.
 */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} steps failed`);
}
