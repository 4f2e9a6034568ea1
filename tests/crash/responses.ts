/** What responses mean to the clients of a campaign, and how these wait for accepted work. */

import { setTimeout as delay } from "node:timers/promises";
import {
  ConnectionLostError,
  type HttpConnection,
  type HttpReply,
  parseJson,
} from "../../testing/http_connection.ts";
import { SERVER_KEY } from "../../testing/server_process.ts";
import { operationRequest } from "./commands.ts";
import { Violation } from "./violation.ts";

/** Thrown if the service reports that the storage didn't accept a change. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/**
 * How long to wait between polls, in milliseconds. Most work takes a few, and a poll through a
 * balancer costs as much as an add.
 */
const POLL_MS = { first: 5, factor: 1.4, max: 100 } as const;

/** How many times to poll before the storage is restored. This takes half a second. */
const POLLS_BEFORE_RESTORE = 12;

/** How long to wait after a refused poll, in milliseconds. */
const REFUSED_POLL_MS = 50;

/**
 * Polls until an operation has succeeded.
 *
 * @throws Violation if the operation fails permanently
 */
export async function waitForSuccess(
  connection: HttpConnection,
  operation: string,
  restoreStorage?: () => unknown,
  apiKey = SERVER_KEY,
): Promise<void> {
  for (let [polls, waitMs] = [1, POLL_MS.first as number];; polls++) {
    if (restoreStorage !== undefined && polls % POLLS_BEFORE_RESTORE === 0) {
      await restoreStorage();
      await connection.send(operationRequest(operation, "/retry", apiKey));
    }
    const reply = await connection.send(operationRequest(operation, "", apiKey));
    throwIfStopping(reply);
    if (restoreStorage !== undefined && isRefused(reply)) {
      await delay(REFUSED_POLL_MS);
      continue;
    }
    const { status, result } = parseJson(reply);
    if (status === "success" && !(result?.failed > 0)) return;
    if (status === "success" || status === "dead" || reply.status !== 200) {
      throw new Violation(`operation ${operation}: ${replyText(reply).slice(0, 2_000)}`);
    }
    await delay(waitMs);
    waitMs = Math.min(waitMs * POLL_MS.factor, POLL_MS.max);
  }
}

/**
 * Retries an operation, as an operator would. Returns false if the service has queued a different
 * one in the meantime, or the operation has finished.
 *
 * @throws Violation if the service refuses
 */
export async function retryOperation(
  url: string,
  operation: string,
  apiKey = SERVER_KEY,
): Promise<boolean> {
  const { status, body } = await fetch(`${url}/v1/operations/${operation}/retry`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
  });
  await body?.cancel();
  if (status !== 202 && status !== 404) {
    throw new Violation(`retrying ${operation} returned ${status}`);
  }
  return status === 202;
}

/**
 * Throws if the server is stopping. It then rejects new commands and executes none of them.
 *
 * @throws ConnectionLostError if the response is SERVICE_STOPPING
 */
export function throwIfStopping(reply: HttpReply): void {
  if (reply.status === 503 && parseJson(reply).code === "SERVICE_STOPPING") {
    throw new ConnectionLostError("The service is stopping");
  }
}

/** Checks whether a response is the only one that failing storage may cause. */
export function isRefused(reply: HttpReply): boolean {
  return reply.status === 503 && parseJson(reply).code === "STORAGE_UNAVAILABLE";
}

/**
 * Throws if failing storage is the reason for one of the responses to a command.
 *
 * @throws RefusedError if nothing has changed
 * @throws ConnectionLostError if the service doesn't know whether something has changed
 */
export function throwIfRefused(...replies: readonly HttpReply[]): void {
  const messages = replies.filter(isRefused).map((reply) => parseJson(reply).message as string);
  const unknown = messages.find((message) => message.includes("is unknown"));
  if (unknown !== undefined) throw new ConnectionLostError(unknown);
  if (messages.length > 0) throw new RefusedError(messages[0]);
}

/** Checks whether an error means that the server is gone. */
export function isConnectionLost(error: unknown): error is Error {
  return error instanceof ConnectionLostError ||
    error instanceof Deno.errors.ConnectionRefused ||
    error instanceof Deno.errors.ConnectionReset;
}

/** Checks whether a response was returned before, for the same key. */
export function isReplay(reply: HttpReply): boolean {
  return reply.head.includes("\r\nidempotency-replayed: true");
}

/** Returns the body. */
export function replyText(reply: HttpReply): string {
  return new TextDecoder().decode(reply.body);
}
