/** What each error code means and what to do about it, for `docs/reference/errors.md`. */

import type { ExtractionErrorCode } from "../../src/extraction/error.ts";
import type { ProviderErrorCode } from "../../src/inference/openai/errors.ts";
import type { ErrorCode } from "../../src/kernel/errors.ts";
import type { QueueErrorCode } from "../../src/tasks/errors.ts";

/** What the codes in error responses mean. A new code won't compile until it has an entry here. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "A field is invalid or missing; `details.issues` lists each with its path",
  INVALID_UTF8: "The body isn't valid UTF-8",
  IDEMPOTENCY_KEY_REQUIRED: "This request requires an `Idempotency-Key`",
  DOCUMENT_FILE_REQUIRED: "The form must have exactly one `file` part",
  INVALID_DOCUMENT_METADATA: "`metadata` isn't a JSON object",
  INVALID_SNAPSHOT:
    "The body isn't a snapshot, or its records contradict each other; `details.issues` lists where",
  INVALID_IMPORT:
    "The file isn't what its format says, is damaged, or contains nothing to import; the message says where",
  INVALID_API_KEY: "The key is missing, unknown or revoked",
  NOT_SIGNED_IN: "The dashboard requires a session, and this request has none",
  SIGN_IN_FAILED: "The link has been used or has expired, or the password is wrong",
  INSUFFICIENT_CREDITS:
    "Hosted only: the account has fewer credits than the request costs; nothing was changed",
  PERMISSION_DENIED: "The key lacks the permission in `details.required`",
  FOREIGN_ORIGIN: "A page from another origin sent this request to `/mcp` or the dashboard",
  NOT_FOUND: "Unknown path",
  MEMORY_NOT_FOUND: "The project has no memory with this id",
  SCOPE_ENTITY_NOT_FOUND: "The project has no memories with this scope",
  OPERATION_NOT_FOUND: "The project has no operation with this id",
  OPERATION_NOT_RETRYABLE:
    "The project has no operation with this id, or the operation is neither waiting for its next attempt nor dead, or it's an inferred add from a snapshot, which doesn't contain its messages",
  OPERATION_FILE_NOT_FOUND:
    "The operation isn't an export to a file, hasn't finished, or its file was deleted after 7 days",
  DOCUMENT_NOT_FOUND: "The project has no document with this id",
  DOCUMENT_UPLOAD_NOT_FOUND: "The project has no upload with this id, or it was removed",
  EVENT_NOT_FOUND: "The project has no event with this id",
  METHOD_NOT_ALLOWED:
    "The path doesn't support this method; the `Allow` header lists those it supports",
  IDEMPOTENCY_CONFLICT: "This `Idempotency-Key` was used for a different request",
  VERSION_CONFLICT: "The memory has changed since the `version` that you sent; read it again",
  DOCUMENT_UPLOAD_SIZE_MISMATCH: "The content is longer or shorter than announced; send it again",
  DOCUMENT_UPLOAD_CHECKSUM_MISMATCH:
    "The SHA-256 of the content doesn't match `checksum_sha256`; send it again",
  DOCUMENT_UPLOAD_IMMUTABLE: "The upload already has different content",
  DOCUMENT_UPLOAD_INCOMPLETE: "Send the content before you complete the upload",
  SOURCE_ASSET_BUSY: "The file is being extracted; retry once the extraction has finished",
  SOURCE_ASSET_READY: "The upload has become a document; delete the document instead",
  IMPORT_TARGET_NOT_EMPTY:
    "A snapshot can only be imported into an empty project, by one import at a time",
  SNAPSHOT_ID_CONFLICT: "An id in the snapshot is used by another project of this service",
  DERIVATION_DISABLED: "Derived views are disabled for this project",
  PROJECTION_NOT_BUILT: "Derived views are being built; retry after `Retry-After`",
  ENTITY_REMOVAL_TOO_LARGE: "The scope has more memories than one request can delete",
  REQUEST_TOO_LARGE: "The body exceeds this endpoint's limit",
  DOCUMENT_TOO_LARGE: "The text exceeds the limit; use an upload",
  DOCUMENT_UPLOAD_TOO_LARGE: "The announced size or the content exceeds the limit",
  EXTRACTED_DOCUMENT_TOO_LARGE: "The text in the file exceeds the limit",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "The file has more pages, slides or sheets than the limit",
  UNSUPPORTED_MEDIA_TYPE:
    "The endpoint doesn't accept this `Content-Type`, or the body is compressed",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: "Files of this type are not supported",
  RATE_LIMITED:
    "Too many failed requests from this address; retry after `Retry-After`, or with a valid key",
  INTERNAL_ERROR: "A bug in the service; the log has the details under the `request_id`",
  NOT_SUPPORTED: "The mem0-compatible API doesn't offer this; the message says what to use instead",
  STORAGE_UNAVAILABLE: "The disk is full, read-only or locked; nothing was changed, so retry",
  SERVICE_STOPPING: "The service is stopping; retry after `Retry-After`",
};

/** Codes for failed operations and events, on top of those in error responses. */
export type FailureCode = ExtractionErrorCode | ProviderErrorCode | QueueErrorCode;

/** What the codes of operations and events mean. */
export const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
  EXTRACTION_FAILED: "The extraction failed for a reason other than the file's format",
  EXTRACTION_TIMEOUT: "The extraction exceeded the time limit for one attempt",
  EXTRACTION_CRASHED: "The extractor crashed, or was stopped because it used too much memory",
  EXTRACTED_DOCUMENT_EMPTY: "The file has no readable text",
  DOCUMENT_ENCRYPTED: "The file requires a password",
  DOCUMENT_CORRUPT: "The file violates its format",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: "The type of the content is not supported",
  EXTRACTED_DOCUMENT_TOO_LARGE: "The text in the file exceeds the limit",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "The file has more pages, slides or sheets than the limit",
  PROVIDER_NOT_CONFIGURED: "No URL or model is set, or the key was rejected",
  PROVIDER_UNAVAILABLE: "The model was unreachable, failed, or timed out",
  PROVIDER_INVALID_RESPONSE: "The model's response can't be used",
  PROVIDER_RATE_LIMITED: "The provider asked for a delay before the next request",
  LEASE_LOST: "The service stopped during the attempt",
  task_queue_delivery_exhausted: "The service stopped during the last attempt",
};
