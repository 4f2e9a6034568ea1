/** Sends requests to the mem0-compatible API as mem0's clients do. */

import { ok, strictEqual } from "node:assert/strict";
import { call, KEY, type Reply, type TestServer } from "../../../testing/harness.ts";
import { waitUntil } from "../../../testing/wait_until.ts";

/** Optional parts of a request. */
export interface Mem0Options {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Token`. Defaults to the key with every permission. */
  readonly key?: string | null;
}

/** Sends a request to a path under `/mem0`. */
export function mem0(
  { url }: TestServer,
  method: string,
  path: string,
  { body, headers = {}, key = KEY }: Mem0Options = {},
): Promise<Reply> {
  return call(url, method, `/mem0${path}`, {
    body,
    key: null,
    headers: { ...(key === null ? {} : { authorization: `Token ${key}` }), ...headers },
  });
}

/** Sends a request that must succeed, and returns the body of its response. */
export async function mem0Json(...request: Parameters<typeof mem0>): Promise<Reply["json"]> {
  const reply = await mem0(...request);
  strictEqual(reply.status, 200, reply.text);
  return reply.json;
}

/** Stores a text verbatim and returns its id. */
export async function addText(
  server: TestServer,
  text: string,
  fields: Readonly<Record<string, unknown>> = { user_id: "ana" },
): Promise<string> {
  const body = { messages: text, infer: false, ...fields };
  return (await mem0Json(server, "POST", "/v3/memories/add/", { body })).results[0].id;
}

/** Adds by inference and waits for the event. */
export async function inferAndWait(
  server: TestServer,
  text: string,
  fields: Readonly<Record<string, unknown>> = { user_id: "ana" },
): Promise<Reply["json"]> {
  const body = { messages: text, ...fields };
  const { event_id, status } = await mem0Json(server, "POST", "/v3/memories/add/", { body });
  strictEqual(status, "PENDING");
  const read = () => mem0Json(server, "GET", `/v1/event/${event_id}/`);
  return await waitUntil(read, (event) => event.status === "SUCCEEDED");
}

/** Checks that an error has the fields of the API, and those that mem0's clients read. */
export function checkError(reply: Reply, status: number, code: string): void {
  strictEqual(reply.status, status, reply.text);
  strictEqual(reply.json.code, code, reply.text);
  strictEqual(reply.json.detail, reply.json.message);
  strictEqual(reply.json.error, reply.json.message);
  strictEqual(reply.json.request_id, reply.headers.get("x-request-id"));
  ok(!reply.text.includes("    at "), "no stack trace");
}
