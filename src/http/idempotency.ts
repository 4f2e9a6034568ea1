/**
 * Idempotency keys make a command run only once: every retry gets the response to the first
 * request.
 */

import sql from "sql-template-tag";
import type { Change, EndpointResponse } from "../contract/endpoint.ts";
import { ApiError, invalidField } from "../kernel/errors.ts";
import { canonicalJson, sha256 } from "../kernel/hash.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Tx } from "../store/store.ts";

/** An idempotency key and the command it was sent with. */
export interface Idempotency {
  readonly key: string;
  /** Digest over the method, path, query and body. */
  readonly command: string;
  /** When the command runs. */
  readonly at: string;
}

/** A response, and whether an earlier request stored it. */
export interface IdempotentResponse {
  readonly response: EndpointResponse;
  readonly replayed: boolean;
}

/**
 * Validates and returns an idempotency key.
 *
 * @throws ApiError INVALID_REQUEST unless the key is 1 to 200 printable ASCII characters
 */
export function checkIdempotencyKey(key: string | undefined): string | undefined {
  const maxCharacters = LIMITS.idempotencyKeyCharacters;
  if (key === undefined || (/^[\x20-\x7e]+$/.test(key) && key.length <= maxCharacters)) return key;
  throw invalidField("Idempotency-Key", `Must be 1 to ${maxCharacters} printable ASCII characters`);
}

/** Returns a command's digest over its method, its path with the query, and its canonical body. */
export function commandDigest(method: string, path: string, body: unknown): string {
  return sha256(`${method} ${path}\n${canonicalJson(body)}`);
}

/**
 * Runs a change unless its key has already been used. The check and the change share a unit of
 * work, so two requests with the same key can't both run, and a failed change leaves its key
 * unused.
 *
 * @throws ApiError IDEMPOTENCY_CONFLICT if the key was used for a different command
 */
export async function runOnce(
  tx: Tx,
  project: number,
  idempotency: Idempotency,
  change: Change,
): Promise<IdempotentResponse> {
  const { key, command, at } = idempotency;
  const stored = await tx.first<{ command: string; status: number; body: string | null }>(sql`
    select command, status, body from idempotency where project = ${project} and key = ${key}`);
  if (stored !== undefined) {
    if (stored.command !== command) {
      throw new ApiError(
        "IDEMPOTENCY_CONFLICT",
        "The Idempotency-Key was used for another command; use a new key",
      );
    }
    const body = stored.body === null ? {} : { json: stored.body };
    return { response: { status: stored.status, ...body }, replayed: true };
  }
  const response = await change(tx);
  const body = response.json ??
    (response.body === undefined ? null : JSON.stringify(response.body));
  tx.post(sql`insert into idempotency (project, key, command, status, body, created_at)
    values (${project}, ${key}, ${command}, ${response.status}, ${body}, ${at})`);
  return { response, replayed: false };
}
