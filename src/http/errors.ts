/** The one place where failures become answers. */

import { ApiError } from "../kernel/errors.ts";
import { describeError, type Log } from "../kernel/log.ts";
import { type RequestContext, respond } from "./request.ts";

/** Makes the handler of everything thrown: ApiErrors are told, anything else is kept in the log. */
export function renderErrors(log: Log) {
  return function renderError(thrown: unknown, c: RequestContext): Response {
    const error = thrown instanceof ApiError ? thrown : unexpected(thrown);
    if (error.status >= 500) {
      log.error("request failed", {
        request_id: c.get("requestId"),
        route: c.get("route"),
        code: error.code,
        error: describeError(error.cause ?? error),
      });
    }
    const { code, message, details } = error;
    const body = { code, message, request_id: c.get("requestId"), ...(details ? { details } : {}) };
    return respond(c, { status: error.status, body }, headersOf(error));
  };
}

function unexpected(thrown: unknown): ApiError {
  return new ApiError("INTERNAL_ERROR", "Something went wrong inside the service", {
    cause: thrown,
  });
}

function headersOf(error: ApiError): Record<string, string> {
  return {
    ...(error.code === "INVALID_API_KEY" ? { "www-authenticate": "Bearer" } : {}),
    ...(error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) }),
    ...(error.allowance === undefined ? {} : {
      "ratelimit-limit": String(error.allowance),
      "ratelimit-remaining": "0",
      "ratelimit-reset": String(error.retryAfter),
    }),
    ...(error.details?.["allow"] ? { allow: String(error.details["allow"]) } : {}),
  };
}
