/** Parses values with the endpoints' schemas just like the server does, but without a server. */

import type { z } from "zod";
import { parseOrThrow } from "../src/http/execute_endpoint.ts";
import { ApiError, type Issue } from "../src/kernel/errors.ts";

/** The error response for an invalid value. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** Returns the error a value is rejected with, or null if it's valid. */
export function refusalOf(schema: z.ZodType, value: unknown): Refusal | null {
  return errorOf(() => parseOrThrow(schema, value));
}

/** Returns the error a URL's query is rejected with, or null if it's valid. */
export function queryRefusalOf(schema: z.ZodType, query: string): Refusal | null {
  return refusalOf(schema, Object.fromEntries(new URLSearchParams(query)));
}

/** Returns the response for the ApiError thrown by a function, or null if it doesn't throw. */
export function errorOf(parse: () => unknown): Refusal | null {
  try {
    parse();
    return null;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Returns the response for the ApiError a promise rejects with, or null if it's fulfilled. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Refusal | null> {
  try {
    await promise;
    return null;
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof ApiError)) throw error;
  const { status, code, message, details } = error;
  return { status, code, message, issues: details?.["issues"] as Issue[] ?? [] };
}
