/** Digests and canonical JSON: what two equal things have in common. */

import { createHash } from "node:crypto";

/** SHA-256 as 64 lower-case hex digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/**
 * JSON with the keys of every object in code-unit order and no white space, so that equal values
 * are equal texts (RFC 8785 for values that came out of JSON.parse).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const record = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(record).filter((key) => record[key] !== undefined).sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  return `{${members.join(",")}}`;
}
