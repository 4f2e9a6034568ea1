/** Scopes that are fixed for a connection: nothing outside of them is read or written. */

import type { z } from "zod";
import { type Scope, SCOPE_KEYS, scopeValue } from "../contract/fields.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { invalidField } from "../kernel/errors.ts";

/** The scopes of a connection; those left out are free, argument by argument. */
export type FixedScope = Readonly<Partial<Record<typeof SCOPE_KEYS[number], string>>>;

/**
 * Reads fixed scopes as a client gives them.
 *
 * @param valuesOf every value of a scope, e.g. the query parameters of that name
 * @throws ApiError INVALID_REQUEST when a value is none, or there are two
 */
export function parseFixedScope(valuesOf: (key: string) => readonly string[]): FixedScope {
  const fixed: Partial<Record<typeof SCOPE_KEYS[number], string>> = {};
  for (const key of SCOPE_KEYS) {
    const [value, ...more] = valuesOf(key);
    if (value === undefined) continue;
    if (more.length > 0) throw invalidField(key, "Must be given once");
    fixed[key] = parseScopeValue(key, value);
  }
  return fixed;
}

/** The keys that are fixed. */
export function fixedKeys(fixed: FixedScope): readonly (typeof SCOPE_KEYS[number])[] {
  return SCOPE_KEYS.filter((key) => fixed[key] !== undefined);
}

/**
 * Arguments with the fixed scopes in them.
 *
 * @throws ApiError INVALID_REQUEST when an argument names another scope
 */
export function withFixedScope(
  fixed: FixedScope,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (const key of fixedKeys(fixed)) {
    const value = args[key];
    const same = typeof value === "string" && value.trim() === fixed[key];
    if (value === undefined || same) continue;
    throw invalidField(key, `Is fixed to "${fixed[key]}" on this connection`);
  }
  return { ...args, ...fixed };
}

/** Whether a record stands in the fixed scopes. */
export function isWithin(
  fixed: FixedScope,
  record: Readonly<Partial<Record<keyof Scope, string | null | undefined>>>,
): boolean {
  return fixedKeys(fixed).every((key) => record[key] === fixed[key]);
}

function parseScopeValue(key: string, value: string): string {
  const parsed: z.ZodSafeParseResult<string> = scopeValue.safeParse(value, { error: zodErrorMap });
  if (parsed.success) return parsed.data;
  throw invalidField(key, parsed.error.issues[0]?.message ?? "Must be a scope");
}
