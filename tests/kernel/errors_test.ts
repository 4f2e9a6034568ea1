/** Tests the error table and errors about fields. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ApiError, ERROR_STATUS, invalidRequest } from "../../src/kernel/errors.ts";

/** The contract's error codes. New ones can be added, but existing ones never change. */
const CONTRACT = `
  400 INVALID_REQUEST INVALID_UTF8 IDEMPOTENCY_KEY_REQUIRED DOCUMENT_FILE_REQUIRED
  400 INVALID_DOCUMENT_METADATA INVALID_SNAPSHOT
  401 INVALID_API_KEY NOT_SIGNED_IN SIGN_IN_FAILED
  402 INSUFFICIENT_CREDITS
  403 PERMISSION_DENIED FOREIGN_ORIGIN
  404 NOT_FOUND MEMORY_NOT_FOUND SCOPE_ENTITY_NOT_FOUND OPERATION_NOT_FOUND
  404 OPERATION_NOT_RETRYABLE DOCUMENT_NOT_FOUND DOCUMENT_UPLOAD_NOT_FOUND EVENT_NOT_FOUND
  405 METHOD_NOT_ALLOWED
  409 IDEMPOTENCY_CONFLICT VERSION_CONFLICT DOCUMENT_UPLOAD_SIZE_MISMATCH
  409 DOCUMENT_UPLOAD_CHECKSUM_MISMATCH DOCUMENT_UPLOAD_IMMUTABLE DOCUMENT_UPLOAD_INCOMPLETE
  409 SOURCE_ASSET_BUSY SOURCE_ASSET_READY IMPORT_TARGET_NOT_EMPTY SNAPSHOT_ID_CONFLICT
  409 DERIVATION_DISABLED PROJECTION_NOT_BUILT ENTITY_REMOVAL_TOO_LARGE
  413 REQUEST_TOO_LARGE DOCUMENT_TOO_LARGE DOCUMENT_UPLOAD_TOO_LARGE
  413 EXTRACTED_DOCUMENT_TOO_LARGE DOCUMENT_PAGE_LIMIT_EXCEEDED
  415 UNSUPPORTED_MEDIA_TYPE UNSUPPORTED_DOCUMENT_MEDIA_TYPE
  429 RATE_LIMITED
  500 INTERNAL_ERROR
  501 NOT_SUPPORTED
  503 STORAGE_UNAVAILABLE SERVICE_STOPPING`;

Deno.test("ERROR_STATUS has every code in the contract with its status", () => {
  const written = CONTRACT.trim().split("\n").flatMap((line) => {
    const [status, ...codes] = line.trim().split(" ");
    return codes.map((code) => [code, Number(status)] as const);
  });
  const known: Readonly<Record<string, number>> = ERROR_STATUS;
  deepStrictEqual(written.filter(([code, status]) => known[code] !== status), []);
});

Deno.test("invalidRequest() puts the first issue into the message and all issues into the details", () => {
  const error = invalidRequest([
    { path: "messages.0.content", message: "Must not be empty" },
    { path: "user_id", message: "Must not be empty" },
  ]);
  ok(error instanceof ApiError);
  strictEqual(error.status, 400);
  strictEqual(error.message, "messages.0.content: Must not be empty");
  strictEqual((error.details!["issues"] as unknown[]).length, 2);
});
