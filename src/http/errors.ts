/** The only place that turns errors into responses. */

import { type ApiError, asApiError, type ErrorCode } from "../kernel/errors.ts";
import { describeError, type Log } from "../kernel/log.ts";
import { type RequestContext, respond } from "./request.ts";

/** Codes of requests that are rejected on purpose, so they aren't worth logging as errors. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(["SERVICE_STOPPING", "NOT_SUPPORTED"]);

/** The body of an error response. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Creates the error handler. An `ApiError` is sent to the client, but details of any other error go
 * only to the log.
 *
 * @param shape changes the body, for APIs with a format of their own
 */
export function renderErrors(log: Log, shape: (body: ErrorBody) => object = (body) => body) {
  return function renderError(thrown: unknown, c: RequestContext): Response {
    const error = asApiError(thrown);
    if (error.status >= 500 && !REFUSALS.has(error.code)) {
      log.error("request failed", {
        request_id: c.get("requestId"),
        route: c.get("route"),
        code: error.code,
        error: describeError(error.cause ?? error),
      });
    }
    const { code, message, details } = error;
    const body = { code, message, request_id: c.get("requestId"), ...(details ? { details } : {}) };
    return respond(c, { status: error.status, body: shape(body) }, headersOf(error));
  };
}

function headersOf(error: ApiError): Record<string, string> {
  const { retryAfter, allowance, challenge, details } = error;
  return {
    ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    // Header names that clients know from other services (draft-ietf-httpapi-ratelimit-headers-03).
    ...(allowance === undefined ? {} : {
      "ratelimit-limit": String(allowance),
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(retryAfter),
    }),
    ...(details?.["allow"] ? { allow: String(details["allow"]) } : {}),
  };
}
