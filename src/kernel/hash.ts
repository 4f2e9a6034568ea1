/** SHA-256 digests and canonical JSON, used to recognize equal values. */

import { createHash } from "node:crypto";

/**
 * Returns the content's SHA-256 digest as 64 lowercase hex digits.
 *
 * @example
 * ```ts
 * import { sha256 } from "./hash.ts";
 * import { match } from "node:assert/strict";
 *
 * match(sha256("abc"), /^ba7816bf[0-9a-f]{56}$/);
 * ```
 */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * Returns JSON without white space and with all object keys in code-unit order. Equal values
 * produce equal text (RFC 8785, for values parsed by JSON.parse).
 *
 * @example
 * ```ts
 * import { canonicalJson } from "./hash.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(canonicalJson({ b: [1, 2], a: null }), '{"a":null,"b":[1,2]}');
 * ```
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const record = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(record).filter((key) => record[key] !== undefined).sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${members.join(",")}}`;
}
