/** Executes validated calls from HTTP or MCP. */

import type { z } from "zod";
import type { Call, Change, Endpoint } from "../contract/endpoint.ts";
import { zodErrorMap } from "../contract/zod_messages.ts";
import { ApiError, ERROR_STATUS, type ErrorCode, invalidRequest } from "../kernel/errors.ts";
import type { Store, Tx } from "../store/store.ts";
import { invalidKey } from "./authenticate.ts";
import {
  type Idempotency,
  type IdempotentResponse,
  runOnce,
  type StoredCommand,
  storedCommandQuery,
} from "./idempotency.ts";

/** Throws if a change isn't allowed. Runs in the unit of work of the change, before it. */
export type Precondition = (tx: Tx) => Promise<void>;

/**
 * Executes a call whose parts have all passed their schemas: either a query, or a change in a
 * single unit of work.
 *
 * @param idempotency the call's idempotency key, if any
 * @param precondition checked for changes only, and not for a replay
 * @throws ApiError IDEMPOTENCY_KEY_REQUIRED if the endpoint requires a key for this body, or any
 *   error thrown by the endpoint
 */
export async function executeCall(
  endpoint: Endpoint,
  call: Call<unknown, unknown, unknown>,
  store: Store,
  idempotency: Idempotency | undefined,
  precondition?: Precondition,
): Promise<IdempotentResponse> {
  if ("read" in endpoint) return { response: await endpoint.read(call), replayed: false };
  if (idempotency === undefined && typeof endpoint.idempotencyKey === "function") {
    if (endpoint.idempotencyKey(call.body)) throw idempotencyKeyRequired();
  }
  const change = await endpoint.change(call);
  const prepared = typeof change === "function" ? null : change;
  const { project } = call.actor;
  const write: Change = async (tx) => {
    await precondition?.(tx);
    return await (prepared?.write ?? change as Change)(tx);
  };
  try {
    const outcome = await store.lookUpAndWrite<StoredCommand, IdempotentResponse>(
      project,
      storedCommandQuery(project, idempotency?.key),
      async (tx, stored) => {
        if (stored === undefined) throw invalidKey();
        if (idempotency !== undefined) {
          return await runOnce(tx, project, idempotency, stored, write);
        }
        return { response: await write(tx), replayed: false };
      },
    );
    await runAfterCommit(endpoint);
    if (endpoint.finish === undefined) return outcome;
    return { ...outcome, response: await endpoint.finish(call, outcome.response) };
  } finally {
    prepared?.dispose();
  }
}

/** Runs post-commit work. The change is on disk and stays valid even if this fails. */
async function runAfterCommit(
  { afterCommit }: { readonly afterCommit?: () => Promise<void> | void },
): Promise<void> {
  try {
    await afterCommit?.();
  } catch {
    // A periodic job repeats the work and logs the failure.
  }
}

/** Returns the error for a missing idempotency key. */
export function idempotencyKeyRequired(): ApiError {
  return new ApiError(
    "IDEMPOTENCY_KEY_REQUIRED",
    "Idempotency-Key header is required; send the same value when you retry",
  );
}

/**
 * Parses a value with a schema.
 *
 * @param error the messages of issues
 * @throws ApiError INVALID_REQUEST, or the error code of one of the issues, listing every invalid
 *   field in its details
 */
export function parseOrThrow<T>(
  schema: z.ZodType<T>,
  value: unknown,
  error: z.core.$ZodErrorMap = zodErrorMap,
): T {
  const parsed = schema.safeParse(value, { error });
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message })),
    errorCodeOf(parsed.error.issues),
  );
}

/** Returns the error code carried by the issues. If there are several, the highest status wins. */
function errorCodeOf(issues: readonly z.core.$ZodIssue[]): ErrorCode {
  const codes = issues.flatMap((issue) =>
    issue.code === "custom" ? issue.params?.["errorCode"] as ErrorCode ?? [] : []
  );
  return codes.sort((a, b) => ERROR_STATUS[b] - ERROR_STATUS[a])[0] ?? "INVALID_REQUEST";
}
