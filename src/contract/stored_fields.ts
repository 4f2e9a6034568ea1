/** Fields of records in a snapshot, which was written by a service, or changed since. */

import { z } from "zod";
import { normalizeTimestamp } from "../kernel/clock.ts";
import {
  checkStorable,
  isStorableJson,
  recordId,
  SCOPE_KEYS,
  scopeValue,
  UNSTORABLE_TEXT,
} from "./fields.ts";

/** Maximum length of an id in a snapshot, in characters. Ours have about 30. Indexes have a limit. */
const MAX_STORED_ID_CHARACTERS = 256;

/** Id of a record in a snapshot. */
export const storedId = recordId.max(MAX_STORED_ID_CHARACTERS);

/** Text of any length in a snapshot. It can be empty. */
export const storedText = z.string().check(checkStorable);

/** SHA-256 of stored bytes, in lower-case hexadecimal digits. */
export const storedDigest = z.string().regex(/^[0-9a-f]{64}$/, "Must be a SHA-256");

/** The scopes that own a stored record, or null for those that don't. */
export const storedScopes = {
  user_id: scopeValue.nullable(),
  agent_id: scopeValue.nullable(),
  run_id: scopeValue.nullable(),
};

/**
 * Checks whether a stored record has an owner. Used with `refine`.
 *
 * @example
 * ```ts
 * import { isOwned } from "./stored_fields.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isOwned({ user_id: "ada", agent_id: null, run_id: null }), true);
 * strictEqual(isOwned({ user_id: null, agent_id: null, run_id: null }), false);
 * ```
 */
export function isOwned(record: Readonly<Record<keyof typeof storedScopes, string | null>>) {
  return SCOPE_KEYS.some((key) => record[key] !== null);
}

/**
 * Returns a schema for JSON values in a snapshot, whose texts must be storable.
 *
 * @param schema checks everything else
 */
export function storedJson<Schema extends z.ZodType>(schema: Schema) {
  return schema.refine(isStorableJson, UNSTORABLE_TEXT);
}

/** A timestamp exactly as written by the service, for data it exported. */
export const storedTimestamp = z.string().refine((text) => normalizeTimestamp(text) === text, {
  message: "Must be a timestamp like 2026-03-04T05:06:07.089Z",
}).meta({ format: "date-time" });
