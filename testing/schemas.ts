/** Parses values with the schemas of endpoints as the server does, without a server. */

import type { z } from "zod";
import { parseOrThrow } from "../src/http/execute_endpoint.ts";
import { ApiError, type Issue } from "../src/kernel/errors.ts";

/** Error response to an invalid value. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
}

/** Returns the refusal of a value, or null if it is valid. */
export function refusalOf(schema: z.ZodType, value: unknown): Refusal | null {
  return errorOf(() => parseOrThrow(schema, value));
}

/** Returns the refusal of the query of a URL, or null if it is valid. */
export function queryRefusalOf(schema: z.ZodType, query: string): Refusal | null {
  return refusalOf(schema, Object.fromEntries(new URLSearchParams(query)));
}

/** Returns the ApiError that a function throws as a refusal, or null if it throws nothing. */
export function errorOf(parse: () => unknown): Refusal | null {
  try {
    parse();
    return null;
  } catch (error) {
    return toRefusal(error);
  }
}

/** Returns the ApiError of a rejected promise as a refusal, or null if it is fulfilled. */
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
