/** What each error code means and what helps, in the words of the reference. */

import type { ExtractionErrorCode } from "../../src/extraction/error.ts";
import type { ProviderErrorCode } from "../../src/inference/openai/errors.ts";
import type { ErrorCode } from "../../src/kernel/errors.ts";
import type { QueueErrorCode } from "../../src/tasks/errors.ts";

/** Of answers. A new code without a line here does not compile. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "A field is wrong or missing; `details.issues` names each by its path",
  INVALID_UTF8: "The body is no valid UTF-8",
  IDEMPOTENCY_KEY_REQUIRED: "Send an `Idempotency-Key` with this request",
  DOCUMENT_FILE_REQUIRED: "The form has no part `file`, or several",
  INVALID_DOCUMENT_METADATA: "`metadata` is no JSON object",
  INVALID_SNAPSHOT:
    "The body is no snapshot, or a record in it contradicts another; `details.issues` tells where",
  INVALID_API_KEY: "No key, an unknown one, or a revoked one",
  NOT_SIGNED_IN: "The dashboard wants a session, and this request has none",
  SIGN_IN_FAILED: "The link is used or too old, or the password is wrong",
  INSUFFICIENT_CREDITS: "Hosted: the account holds less than this costs; nothing was changed",
  PERMISSION_DENIED: "The key lacks the permission in `details.required`",
  FOREIGN_ORIGIN: "A page of another host sent this to `/mcp` or to the dashboard",
  NOT_FOUND: "Nothing is at this path",
  MEMORY_NOT_FOUND: "No such memory in this project",
  SCOPE_ENTITY_NOT_FOUND: "No memories have this scope in this project",
  OPERATION_NOT_FOUND: "No such operation in this project",
  OPERATION_NOT_RETRYABLE:
    "No such operation, or one that neither waits for its next attempt nor is dead",
  DOCUMENT_NOT_FOUND: "No such document in this project",
  DOCUMENT_UPLOAD_NOT_FOUND: "No such upload in this project, or it was removed",
  EVENT_NOT_FOUND: "No such event in this project",
  METHOD_NOT_ALLOWED: "The path does not know this method; the header `Allow` names those it knows",
  IDEMPOTENCY_CONFLICT: "This `Idempotency-Key` was used for another request",
  VERSION_CONFLICT: "The memory was changed since the `version` that you sent; read it again",
  DOCUMENT_UPLOAD_SIZE_MISMATCH: "The bytes are more or fewer than announced; send them again",
  DOCUMENT_UPLOAD_CHECKSUM_MISMATCH: "The bytes are not those announced; send them again",
  DOCUMENT_UPLOAD_IMMUTABLE: "The upload has its bytes already, and they are others",
  DOCUMENT_UPLOAD_INCOMPLETE: "Send the bytes before you complete the upload",
  SOURCE_ASSET_BUSY: "The file is being extracted; try again when that has ended",
  SOURCE_ASSET_READY: "The upload is a document; delete that one",
  IMPORT_TARGET_NOT_EMPTY:
    "A snapshot is only imported into an empty project, by one import at a time",
  SNAPSHOT_ID_CONFLICT: "An id of the snapshot is in use in another project of this service",
  DERIVATION_DISABLED: "Derived views are switched off for this project",
  PROJECTION_NOT_BUILT: "Derived views are being built; try again after `Retry-After`",
  ENTITY_REMOVAL_TOO_LARGE: "The scope holds more memories than one request may remove",
  REQUEST_TOO_LARGE: "The body is over the limit of this endpoint",
  DOCUMENT_TOO_LARGE: "The text is over the limit; use an upload",
  DOCUMENT_UPLOAD_TOO_LARGE: "The announced size, or what was sent, is over the limit",
  EXTRACTED_DOCUMENT_TOO_LARGE: "The text in the file is over the limit",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "The file has more pages, slides or sheets than are read",
  UNSUPPORTED_MEDIA_TYPE:
    "The `Content-Type` of the request is not one that this endpoint takes, or it is compressed",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: "Files of this type are not read",
  RATE_LIMITED:
    "Too many requests of this address failed; try again after `Retry-After`, or with a right key",
  INTERNAL_ERROR: "A fault of the service; the log has it under the `request_id`",
  STORAGE_UNAVAILABLE: "The disk is full, read-only or locked; nothing was changed, try again",
  SERVICE_STOPPING: "The service is being stopped; try again after `Retry-After`",
};

/** How a failed operation or event can have ended, beside with a code of an answer. */
export type FailureCode = ExtractionErrorCode | ProviderErrorCode | QueueErrorCode;

/** Of operations and events. */
export const FAILURE_MEANINGS: Readonly<Record<FailureCode, string>> = {
  EXTRACTION_FAILED: "The extractor gave up for another reason than the file's format",
  EXTRACTION_TIMEOUT: "The file took longer than an attempt may",
  EXTRACTION_CRASHED: "The extractor ended, or was ended when it took too much memory",
  EXTRACTED_DOCUMENT_EMPTY: "The file holds no readable text",
  DOCUMENT_ENCRYPTED: "The file needs a password",
  DOCUMENT_CORRUPT: "The file breaks the rules of its format",
  UNSUPPORTED_DOCUMENT_MEDIA_TYPE: "The bytes are of a type that is not read",
  EXTRACTED_DOCUMENT_TOO_LARGE: "The text in the file is over the limit",
  DOCUMENT_PAGE_LIMIT_EXCEEDED: "The file has more pages, slides or sheets than are read",
  PROVIDER_NOT_CONFIGURED: "No address or model is set, or the key was refused",
  PROVIDER_UNAVAILABLE: "The model was not reached, failed, or did not answer in time",
  PROVIDER_INVALID_RESPONSE: "The model's answer can't be used",
  PROVIDER_RATE_LIMITED: "The model's provider asks to wait",
  LEASE_LOST: "The service ended amid the attempt; dead after three in a row",
  task_queue_delivery_exhausted: "The service ended amid the last attempt",
};
