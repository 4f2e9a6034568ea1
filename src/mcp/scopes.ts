/** Scopes fixed for a connection. Nothing outside them can be read or written. */

import type { z } from "zod";
import { type Scope, SCOPE_KEYS, scopeOf, scopeValue } from "../contract/fields.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { invalidField } from "../kernel/errors.ts";

/** A connection's fixed scopes. Any that are missing remain tool arguments. */
export type FixedScope = Readonly<Partial<Record<typeof SCOPE_KEYS[number], string>>>;

/**
 * Parses fixed scopes from client input.
 *
 * @param valuesOf returns all values for a scope, e.g. the query parameters of that name
 * @throws ApiError INVALID_REQUEST if a value is invalid or a scope has more than one
 */
export function parseFixedScope(valuesOf: (key: string) => readonly string[]): FixedScope {
  const fixed: Partial<Record<typeof SCOPE_KEYS[number], string>> = {};
  for (const key of SCOPE_KEYS) {
    const [value, ...more] = valuesOf(key);
    if (value === undefined) continue;
    if (more.length > 0) throw invalidField(key, "Must have one value");
    fixed[key] = parseScopeValue(key, value);
  }
  return fixed;
}

/**
 * Combines the scopes that the owner fixed with those of a request.
 *
 * @throws ApiError INVALID_REQUEST if the request has another value for one of them
 */
export function combineFixedScopes(owner: Scope, requested: FixedScope): FixedScope {
  return withFixedScope(scopeOf(owner) as FixedScope, requested) as FixedScope;
}

/** Returns the fixed scopes' names. */
export function fixedKeys(fixed: FixedScope): readonly (typeof SCOPE_KEYS[number])[] {
  return SCOPE_KEYS.filter((key) => fixed[key] !== undefined);
}

/**
 * Adds the fixed scopes to the arguments.
 *
 * @throws ApiError INVALID_REQUEST if an argument specifies a different scope
 */
export function withFixedScope(
  fixed: FixedScope,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  for (const key of fixedKeys(fixed)) {
    const value = args[key];
    const same = typeof value === "string" && value.trim() === fixed[key];
    if (value === undefined || same) continue;
    throw invalidField(key, `Must be "${fixed[key]}", which is fixed for this connection`);
  }
  return { ...args, ...fixed };
}

/** Checks whether a record belongs to the fixed scopes. */
export function isWithin(
  fixed: FixedScope,
  record: Readonly<Partial<Record<keyof Scope, string | null | undefined>>>,
): boolean {
  return fixedKeys(fixed).every((key) => record[key] === fixed[key]);
}

function parseScopeValue(key: string, value: string): string {
  const parsed: z.ZodSafeParseResult<string> = scopeValue.safeParse(value, { error: zodErrorMap });
  if (parsed.success) return parsed.data;
  throw invalidField(key, parsed.error.issues[0]?.message ?? "Must be a valid scope");
}
