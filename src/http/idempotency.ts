/**
 * Idempotency keys make a command run only once: every retry gets the response to the first
 * request.
 */

import sql, { type Sql } from "sql-template-tag";
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

/** What is known before a change: the record of its key, or nulls if the key is unused. */
export interface StoredCommand {
  readonly command: string | null;
  readonly status: number | null;
  readonly body: string | null;
}

/**
 * Returns a query for a project that isn't deleted, and for what a key was used for there. A project
 * can be deleted while a slow body arrives, and the purge would miss anything written afterwards. One
 * that is deleted by an earlier unit of the same group is found, but the purge starts after their
 * common commit.
 */
export function storedCommandQuery(project: number, key: string | undefined): Sql {
  if (key === undefined) {
    return sql`select null as command, null as status, null as body
      from projects where number = ${project} and deleted_at is null`;
  }
  return sql`select command, status, body
    from projects left join idempotency on project = number and key = ${key}
    where number = ${project} and deleted_at is null`;
}

/**
 * Runs a change unless its key has already been used. Of two changes with the same key in one unit
 * of work or group of units, the second fails: a key is only stored once.
 *
 * @param stored what the key was used for
 * @throws ApiError IDEMPOTENCY_CONFLICT if the key was used for a different command
 */
export async function runOnce(
  tx: Tx,
  project: number,
  { key, command, at }: Idempotency,
  stored: StoredCommand,
  change: Change,
): Promise<IdempotentResponse> {
  if (stored.status !== null) {
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
