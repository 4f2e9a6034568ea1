/**
 * A model provider for tests: a local HTTP server that implements the protocol, plus helpers for
 * inferred adds.
 */

import sql from "sql-template-tag";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BUILTIN_CONFIG, type InferenceConfig } from "../../src/inference/service.ts";
import { type Reply, type RequestOptions } from "../../testing/harness.ts";
import { queryRecords } from "../../testing/engine.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** A response from the provider. */
export interface ProviderReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The response body. Strings are sent unchanged. */
  readonly body: unknown;
}

/**
 * Runs `use` with a provider. If `reply` returns null, the request stays open until the connection
 * closes.
 */
export async function withProvider(
  reply: (call: number, body: string) => ProviderReply | null,
  use: (config: InferenceConfig, calls: () => number) => Promise<void>,
): Promise<void> {
  let calls = 0;
  const server = createServer((request, response: ServerResponse) => {
    let received = "";
    request.setEncoding("utf8").on("data", (chunk: string) => received += chunk);
    request.on("end", () => {
      const result = reply(calls++, received);
      if (result === null) return;
      const { status = 200, headers = {}, body } = result;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1`;
  try {
    await use(
      { ...BUILTIN_CONFIG, engine: "openai", url, model: "test-model", apiKey: "sk-test" },
      () => calls,
    );
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

/** Returns a chat completion. */
export function completion(content: string, message: Record<string, unknown> = {}): ProviderReply {
  const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content } };
  Object.assign(choice.message, message);
  return { body: { choices: [choice] } };
}

/** Returns a completion with facts about the user, each with a text and one claim. */
export function factsCompletion(...facts: [memory: string, attribute: string, value: string][]) {
  const list = facts.map(([memory, attribute, value]) => ({
    memory,
    memory_type: "fact",
    event_date: null,
    valid_from: null,
    valid_to: null,
    claims: [{ subject: "user", attribute, value, op: "assert" }],
    source: 0,
  }));
  return completion(JSON.stringify({ facts: list }));
}

/** A text that the built-in engine can't read: more claims than one memory can hold. */
export const ENDLESS_LIST = `I'm allergic to ${
  Array.from({ length: 80 }, (_, n) =>
    `${"bcdfghklmnprst"[n % 14]}o${"bdgklmnprst"[Math.floor(n / 14)]}a`).join(", ")
}.`;

/** Makes every task's next attempt due immediately. */
export async function retryNow(directory: string): Promise<void> {
  await queryRecords(
    directory,
    sql`update tasks set next_attempt_at = '2000-01-01T00:00:00.000Z' where status = 'retry'`,
  );
}

type Call = (method: string, path: string, options?: RequestOptions) => Promise<Reply>;

let adds = 0;

/** Queues an inferred add and returns the event id. */
export async function queueInference(
  call: Call,
  messages: string | readonly string[],
  fields: Readonly<Record<string, unknown>> = { user_id: "ana" },
): Promise<string> {
  const input = typeof messages === "string"
    ? { content: messages }
    : { messages: messages.map((content) => ({ role: "user", content })) };
  const queued = await call("POST", "/v1/memories", {
    body: { ...input, ...fields },
    headers: { "idempotency-key": `inferred-${++adds}` },
  });
  if (queued.status !== 202) throw new Error(queued.text);
  return queued.json.event_id;
}

/** Waits for an event to end and returns it. */
export async function waitForEvent(call: Call, id: string) {
  const reply = await waitUntil(
    () => call("GET", `/v1/events/${id}`),
    ({ json }) => ["SUCCEEDED", "FAILED"].includes(json.status),
  );
  return reply.json;
}

/** Kicks off an inferred add, waits for its event to end, and returns it. */
export async function inferMemories(
  call: Call,
  messages: string | readonly string[],
  fields?: Readonly<Record<string, unknown>>,
) {
  return await waitForEvent(call, await queueInference(call, messages, fields));
}
