/** Helpers for snapshot tests: fill a project, export it, and import it elsewhere. */

import { strictEqual } from "node:assert/strict";
import type { TestServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

export type Call = TestServer["call"];

/** Waits for an operation to end and returns it. */
export async function waitForOperation(call: Call, id: string) {
  const reply = await waitUntil(
    () => call("GET", `/v1/operations/${id}`),
    ({ json }) => ["success", "dead"].includes(json.status),
  );
  return reply.json;
}

let keys = 0;
/** Returns a header with an unused idempotency key. */
export const freshKey = () => ({ "idempotency-key": `key-${++keys}` });

/** Exports a project. Returns the snapshot and the operation id. */
export async function exportSnapshot(call: Call) {
  const queued = await call("POST", "/v1/exports", { headers: freshKey() });
  strictEqual(queued.status, 202);
  const operation = await waitForOperation(call, queued.json.id);
  strictEqual(operation.status, "success", JSON.stringify(operation.error));
  return { id: operation.id, snapshot: operation.result };
}

/** Requests an import. */
export const importSnapshot = (call: Call, snapshot: unknown) =>
  call("POST", "/v1/imports", { body: { snapshot }, headers: freshKey() });

/**
 * Adds memories for several owners, with history, feedback and deletions, as well as an event and
 * some documents. Returns the memory ids.
 */
export async function populate({ call }: TestServer): Promise<string[]> {
  const ids: string[] = [];
  const add = async (body: Record<string, unknown>) => {
    const added = await call("POST", "/v1/memories", { body: { infer: false, ...body } });
    strictEqual(added.status, 200);
    ids.push(...added.json.results.map(({ id }: { id: string }) => id));
  };
  const messages = ["I moved to Porto", "In May", "Ĝis – 東京 \u2028"].map((content) => ({
    role: "user",
    content,
  }));
  await add({ messages, user_id: "ana", run_id: "r1", metadata: { z: 1, a: { b: [1.5, null] } } });
  await add({
    content: "Rui likes tea",
    user_id: "rui",
    agent_id: "helper",
    event_date: "2025-02-03",
  });
  await add({ content: "To be deleted", user_id: "ana", importance: 0.125 });
  await call("PUT", `/v1/memories/${ids[0]}`, {
    body: { content: "I live in Porto", importance: 1 },
  });
  await call("POST", `/v1/memories/${ids[1]}/feedback`, {
    body: { rating: "negative", reason: "no" },
  });
  await call("POST", `/v1/memories/${ids[3]}/feedback`, { body: { rating: "positive" } });
  await call("DELETE", `/v1/memories/${ids[3]}/feedback`);
  await call("DELETE", `/v1/memories/${ids[4]}`);
  const queued = await call("POST", "/v1/memories", {
    body: { content: "I live in Braga.", user_id: "rui" },
    headers: freshKey(),
  });
  for (
    const [n, content] of ["# One\n\nTea from Porto.", "# One\n\nTea from Lisbon.", "Other"]
      .entries()
  ) {
    const source_key = n < 2 ? "notes.md" : "other";
    const body = {
      content,
      source_key,
      mime_type: "text/markdown",
      user_id: "ana",
      metadata: { n },
    };
    strictEqual((await call("POST", "/v1/documents", { body })).status, 200);
  }
  await waitUntil(
    () => call("GET", `/v1/events/${queued.json.event_id}`),
    ({ json }) => json.status === "SUCCEEDED",
  );
  return ids;
}
