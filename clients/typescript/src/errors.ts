/** Every error that the client throws. Aborting a call throws the signal's own reason instead. */

import type { components } from "./models.ts";

type Schemas = components["schemas"];

/** The base of all errors that the client throws. */
export class CommonplaceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service couldn't be reached, or the connection broke before the response was complete. */
export class ConnectionFailed extends CommonplaceError {}

/** A request, or something that was waited for, took longer than its timeout. */
export class TimedOut extends CommonplaceError {}

/** The response isn't one of Commonplace, e.g. a page of a proxy. */
export class UnexpectedResponse extends CommonplaceError {
  /**
   * @param status HTTP status, or 0 if unknown
   * @param body beginning of the body
   */
  constructor(message: string, readonly status: number, readonly body: string) {
    super(message);
  }
}

/** An operation ended without success. */
export class OperationFailed extends CommonplaceError {
  constructor(readonly operation: Schemas["Operation"]) {
    const { id, kind, status, error } = operation;
    super(`${kind} ${id} is ${status}${error ? `: ${error.code}: ${error.message}` : ""}`);
  }
}

/** An inferred add failed. */
export class InferenceFailed extends CommonplaceError {
  constructor(readonly event: Schemas["InferenceEvent"]) {
    const { id, error } = event;
    super(`Inference ${id} failed${error ? `: ${error.code}: ${error.message}` : ""}`);
  }
}

/** What a response with an error says. */
export interface ErrorFields {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly request_id: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retry_after: number | null;
}

/** The service returned an error. Branch on the class or on `code`, never on the message. */
export class APIError extends CommonplaceError implements ErrorFields {
  readonly status: number;
  readonly code: string;
  readonly request_id: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly retry_after: number | null;

  constructor(fields: ErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.request_id = fields.request_id;
    this.details = fields.details;
    this.retry_after = fields.retry_after;
  }
}

/** 400, 415: a field is wrong; `details.issues` lists each with its path. */
export class InvalidRequest extends APIError {}
/** 401: the key is missing, unknown or revoked. */
export class Unauthorized extends APIError {}
/** 403: the key lacks the permission in `details.required`. */
export class PermissionDenied extends APIError {}
/**
 * 404: there is no such record in the key's project, or the service doesn't know the call
 * (`NotSupported`).
 */
export class NotFound extends APIError {}
/** 404, 405: the service doesn't know this path or method. It is older than the client. */
export class NotSupported extends NotFound {}
/** 409: the request contradicts the present state. */
export class Conflict extends APIError {}
/** 409: the memory has changed since the `version` that was sent. */
export class VersionConflict extends Conflict {}
/** 409: the idempotency key was used for a different request. */
export class IdempotencyConflict extends Conflict {}
/** 413: the request exceeds a limit. */
export class TooLarge extends APIError {}
/** 429: too many requests; `retry_after` says when to try again. */
export class RateLimited extends APIError {}
/** 502, 503, 504: the service or a proxy can't handle the request at the moment. */
export class Unavailable extends APIError {}
/** Any other status from 500. The service's log has the details under `request_id`. */
export class ServerError extends APIError {}

const BY_CODE: Readonly<Record<string, typeof APIError>> = {
  VERSION_CONFLICT: VersionConflict,
  IDEMPOTENCY_CONFLICT: IdempotencyConflict,
};

const BY_STATUS: Readonly<Record<number, typeof APIError>> = {
  400: InvalidRequest,
  401: Unauthorized,
  403: PermissionDenied,
  404: NotFound,
  409: Conflict,
  413: TooLarge,
  415: InvalidRequest,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

/** Returns the error of the class that fits the code and the status. */
export function apiError(fields: ErrorFields, call: string): APIError {
  if (fields.code === "NOT_FOUND" || fields.code === "METHOD_NOT_ALLOWED") {
    const message = `The service has no ${call}. Check baseUrl, or update the service`;
    return new NotSupported({ ...fields, message });
  }
  const status = fields.status;
  const type = BY_CODE[fields.code] ?? BY_STATUS[status] ??
    (status >= 500 ? ServerError : APIError);
  return new type(fields);
}
