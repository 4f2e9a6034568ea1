/** Sorts PostgreSQL's errors: what a retry fixes, what needs patience, and what is a bug. */

import { ApiError } from "../../kernel/errors.ts";

/** SQLSTATE classes and codes after which the same request can succeed later. */
const UNAVAILABLE: readonly (readonly [prefix: string, message: string])[] = [
  ["08", "The connection to the database was lost"],
  ["25006", "The database is read-only"],
  ["53", "The database server is out of resources"],
  ["55P03", "The database is locked"],
  ["57", "The database server is restarting or cancelled the statement"],
  ["58", "The database server reports a disk error"],
  ["25P03", "The connection to the database was closed after waiting too long"],
  ["XX001", "The database server reports damaged data"],
];

/** Node's codes for connections that can't be opened or have ended. */
const LOST_CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Messages of the client for a connection that has ended. Its errors have no code. */
const LOST_CONNECTION_MESSAGE =
  /^Connection terminated|^Client has encountered a connection error|^Client was closed|not queryable|timeout expired/;

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** Checks whether an error means that the connection is gone, so that a commit may have happened. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return LOST_CONNECTION_CODES.has(code) || /^(08|57P0[1-4]|25P03)/.test(code) ||
    LOST_CONNECTION_MESSAGE.test((error as Error).message ?? "");
}

/** Checks whether the transaction can be run again right away: a serialization failure or deadlock. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === "40001" || codeOf(error) === "40P01";
}

/** Checks whether a statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Converts temporary errors to STORAGE_UNAVAILABLE. Returns others unchanged. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const code = codeOf(error);
  const known = UNAVAILABLE.find(([prefix]) => code.startsWith(prefix))?.[1];
  if (known === undefined && !isConnectionLost(error) && !isConflict(error)) return error;
  return unavailable(known ?? "The database can't be reached", error);
}

/** Returns the error for a database that can't be used at the moment. */
export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError("STORAGE_UNAVAILABLE", `${message}; nothing was changed`, {
    retryAfter: 1,
    cause,
  });
}
