/** Carries out a checked call, whether it came by HTTP or by MCP. */

import type { z } from "zod";
import type { Call, Change, Endpoint } from "../contract/endpoint.ts";
import { wording } from "../contract/wording.ts";
import { ApiError, ERROR_STATUS, type ErrorCode, invalidRequest } from "../kernel/errors.ts";
import { isOpen } from "../projects/repository.ts";
import { isUnavailable } from "../store/disk_error.ts";
import type { Store, Tx } from "../store/store.ts";
import { invalidKey } from "./authenticate.ts";
import { type Idempotency, type IdempotentAnswer, runOnce } from "./idempotency.ts";

/**
 * Carries out a call whose parts have passed their schemas: a read, or a change in one unit of
 * work.
 *
 * @param once the idempotency key that the call came with, if it came with one
 * @throws ApiError IDEMPOTENCY_KEY_REQUIRED when the endpoint wants one for this body, and whatever
 * the endpoint throws
 */
export async function carryOut(
  endpoint: Endpoint,
  call: Call<unknown, unknown, unknown>,
  store: Store,
  once: Idempotency | undefined,
): Promise<IdempotentAnswer> {
  if ("read" in endpoint) return { answer: await endpoint.read(call), replayed: false };
  if (once === undefined && typeof endpoint.idempotencyKey === "function") {
    if (endpoint.idempotencyKey(call.body)) throw keyRequired();
  }
  const change = await endpoint.change(call);
  const held = typeof change === "function" ? null : change;
  const { project } = call.actor;
  const write: Change = async (tx) => {
    await requireOpen(tx, project);
    return await (held === null ? change as Change : held.write)(tx);
  };
  try {
    const answered = once === undefined
      ? { answer: await store.write(write), replayed: false }
      : await store.write((tx) => runOnce(tx, project, once, write));
    await clearAfter(endpoint);
    return answered;
  } finally {
    held?.release();
  }
}

/**
 * A body may take its time, and its project be deleted meanwhile: what came too late would be left
 * behind by the purge.
 */
async function requireOpen(tx: Tx, project: number): Promise<void> {
  if (!await isOpen(tx, project)) throw invalidKey();
}

/**
 * The change is on disk and stands, even if the disk can't take what follows from it now. The
 * server tries that again at an interval, and logs each failure.
 */
async function clearAfter(
  { after }: { readonly after?: () => Promise<void> | void },
): Promise<void> {
  try {
    await after?.();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** The refusal of a call that came without the idempotency key that it needs. */
export function keyRequired(): ApiError {
  return new ApiError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Send an Idempotency-Key header: one value for this command, the same when it is repeated",
  );
}

/** @throws ApiError INVALID_REQUEST that names every field which is wrong */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: wording });
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
    codeOf(parsed.error.issues),
  );
}

/** The code of an issue that has one of its own; among several the one that is checked first. */
function codeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  const codes = issues.flatMap((issue) =>
    issue.code === "custom" ? issue.params?.["errorCode"] as ErrorCode ?? [] : []
  );
  return codes.sort((a, b) => ERROR_STATUS[b] - ERROR_STATUS[a])[0] ?? "INVALID_REQUEST";
}
