/** Carries out a checked call, whether it came by HTTP or by MCP. */

import type { z } from "zod";
import type { Call, Change, Endpoint } from "../contract/endpoint.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { ApiError, ERROR_STATUS, type ErrorCode, invalidRequest } from "../kernel/errors.ts";
import { projectExists } from "../projects/repository.ts";
import { isStorageUnavailable } from "../store/disk_error.ts";
import type { Store, Tx } from "../store/store.ts";
import { invalidKey } from "./authenticate.ts";
import { type Idempotency, type IdempotentResponse, runOnce } from "./idempotency.ts";

/**
 * Carries out a call whose parts have passed their schemas: a read, or a change in one unit of
 * work.
 *
 * @param idempotency the idempotency key that the call came with, if it came with one
 * @throws ApiError IDEMPOTENCY_KEY_REQUIRED when the endpoint wants one for this body, and whatever
 * the endpoint throws
 */
export async function executeCall(
  endpoint: Endpoint,
  call: Call<unknown, unknown, unknown>,
  store: Store,
  idempotency: Idempotency | undefined,
): Promise<IdempotentResponse> {
  if ("read" in endpoint) return { response: await endpoint.read(call), replayed: false };
  if (idempotency === undefined && typeof endpoint.idempotencyKey === "function") {
    if (endpoint.idempotencyKey(call.body)) throw idempotencyKeyRequired();
  }
  const change = await endpoint.change(call);
  const prepared = typeof change === "function" ? null : change;
  const { project } = call.actor;
  const write: Change = async (tx) => {
    await requireOpenProject(tx, project);
    return await (prepared === null ? change as Change : prepared.write)(tx);
  };
  try {
    const outcome = idempotency === undefined
      ? { response: await store.write(write), replayed: false }
      : await store.write((tx) => runOnce(tx, project, idempotency, write));
    await runAfterCommit(endpoint);
    return outcome;
  } finally {
    prepared?.dispose();
  }
}

/**
 * A body may take its time, and its project be deleted meanwhile: what came too late would be left
 * behind by the purge.
 */
async function requireOpenProject(tx: Tx, project: number): Promise<void> {
  if (!await projectExists(tx, project)) throw invalidKey();
}

/**
 * The change is on disk and stands, even if the disk can't take what follows from it now. The
 * server tries that again at an interval, and logs each failure.
 */
async function runAfterCommit(
  { afterCommit }: { readonly afterCommit?: () => Promise<void> | void },
): Promise<void> {
  try {
    await afterCommit?.();
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error;
  }
}

/** The refusal of a call that came without the idempotency key that it needs. */
export function idempotencyKeyRequired(): ApiError {
  return new ApiError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Send an Idempotency-Key header: one value for this command, the same when it is repeated",
  );
}

/** @throws ApiError INVALID_REQUEST that names every field which is wrong */
export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: zodErrorMap });
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
    errorCodeOf(parsed.error.issues),
  );
}

/** The code of an issue that has one of its own; among several the one that is checked first. */
function errorCodeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  const codes = issues.flatMap((issue) =>
    issue.code === "custom" ? issue.params?.["errorCode"] as ErrorCode ?? [] : []
  );
  return codes.sort((a, b) => ERROR_STATUS[b] - ERROR_STATUS[a])[0] ?? "INVALID_REQUEST";
}
