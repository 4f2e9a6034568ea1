/**
 * Tests batches: the whole request is validated, every item gets a result, and each one is applied
 * exactly once.
 */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { queryRecords } from "../../testing/engine.ts";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { startServerProcess } from "../../testing/process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

type Call = TestServer["call"];

async function addMemories(call: Call, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const messages = Array.from({ length: Math.min(500, count - ids.length) }, (_, index) => ({
      role: "user",
      content: `Note ${ids.length + index}`,
    }));
    const body = { messages, user_id: "ana", infer: false };
    const added = await call("POST", "/v1/memories", { body });
    ids.push(...added.json.results.map(({ id }: { id: string }) => id));
  }
  return ids;
}

function batch(call: Call, method: string, memories: unknown, key = "batch-1"): Promise<Reply> {
  return call(method, "/v1/memories/batch", {
    body: { memories },
    headers: { "idempotency-key": key },
  });
}

async function waitForOperation(call: Call, id: string) {
  const reply = await waitUntil(
    () => call("GET", `/v1/operations/${id}`),
    ({ json }) => !["pending", "processing", "retry"].includes(json.status),
  );
  return reply.json;
}

Deno.test("PUT /v1/memories/batch returns an operation with results in the same order as the items", async () => {
  await withServer(async ({ call }) => {
    const [first, second, third] = await addMemories(call, 3);
    const stale = "2020-01-01T00:00:00Z";
    const queued = await batch(call, "PUT", [
      { memory_id: third, content: "Changed third" },
      { memory_id: "mem_unknown", importance: 1 },
      { memory_id: first, content: "Not this", version: stale },
      { memory_id: second, metadata: { checked: true } },
    ]);
    strictEqual(queued.status, 202);
    match(queued.json.id, /^task_/);
    deepStrictEqual([queued.json.kind, queued.json.status], ["batch_update", "pending"]);
    const operation = await waitForOperation(call, queued.json.id);
    strictEqual(operation.status, "success");
    const { items, ...counts } = operation.result;
    deepStrictEqual(counts, { total: 4, processed: 4, succeeded: 2, failed: 2 });
    deepStrictEqual(
      items.map((
        item: { memory_id: string; status: string; event?: string; error?: { code: string } },
      ) => [
        item.memory_id,
        item.status,
        item.event ?? item.error?.code,
      ]),
      [
        [third, "succeeded", "UPDATE"],
        ["mem_unknown", "failed", "MEMORY_NOT_FOUND"],
        [first, "failed", "VERSION_CONFLICT"],
        [second, "succeeded", "UPDATE"],
      ],
    );
    strictEqual((await call("GET", `/v1/memories/${third}`)).json.memory, "Changed third");
    const history = await call("GET", `/v1/memories/${third}/history`);
    deepStrictEqual(history.json.results[1].source, { kind: "batch", operation_id: operation.id });
  });
});

Deno.test("DELETE /v1/memories/batch deletes those memories that exist", async () => {
  await withServer(async ({ call }) => {
    const ids = await addMemories(call, 2);
    const items = [...ids, "mem_unknown"].map((memory_id) => ({ memory_id }));
    const queued = await batch(call, "DELETE", items);
    const operation = await waitForOperation(call, queued.json.id);
    deepStrictEqual(
      operation.result.items.map((item: { status: string; event?: string }) =>
        item.event ?? item.status
      ),
      ["DELETE", "DELETE", "failed"],
    );
    strictEqual((await call("GET", `/v1/memories/${ids[0]}`)).status, 404);
  });
});

Deno.test("PUT /v1/memories/batch returns 400 and changes nothing if any item is invalid", async () => {
  await withServer(async ({ call }) => {
    const [id] = await addMemories(call, 1);
    const good = { memory_id: id, importance: 0.9 };
    const refused = await batch(call, "PUT", [good, { memory_id: "mem_x", importance: 2 }]);
    strictEqual(refused.status, 400);
    strictEqual(refused.json.details.issues[0].path, "memories.1.importance");
    strictEqual((await call("GET", `/v1/memories/${id}`)).json.importance, 0.5);
    strictEqual((await call("GET", "/v1/operations?kind=batch_update")).json.results.length, 0);
  });
});

Deno.test("DELETE /v1/memories/batch requires an idempotency key and queues one batch per key", async () => {
  await withServer(async ({ call }) => {
    const [id] = await addMemories(call, 1);
    const body = { memories: [{ memory_id: id }] };
    const without = await call("DELETE", "/v1/memories/batch", { body });
    strictEqual(without.json.code, "IDEMPOTENCY_KEY_REQUIRED");
    const [once, again] = await Promise.all([
      batch(call, "DELETE", body.memories),
      batch(call, "DELETE", body.memories),
    ]);
    strictEqual(once.json.id, again.json.id);
    const conflict = await batch(call, "DELETE", [{ memory_id: "mem_other" }]);
    strictEqual(conflict.json.code, "IDEMPOTENCY_CONFLICT");
  });
});

Deno.test("PUT /v1/memories/batch continues after a crash without waiting for the lease and applies each item only once", async () => {
  const directory = makeTempDirSync();
  try {
    const first = await startServerProcess(directory);
    const ids = await addMemories(first.call, 1_000);
    const items = ids.map((memory_id, index) => ({ memory_id, content: `Changed ${index}` }));
    const queued = await batch(first.call, "PUT", items);
    await waitUntil(
      () => first.call("GET", `/v1/memories/${ids[0]}`),
      ({ json }) => json.memory === "Changed 0",
    );
    await first.kill();
    await queryRecords(
      directory,
      sql`update tasks set lease_expires_at = '2100-01-01T00:00:00.000Z'
        where status = 'processing'`,
    );
    const second = await startServerProcess(directory);
    const operation = await waitForOperation(second.call, queued.json.id);
    deepStrictEqual([operation.status, operation.result.succeeded], ["success", 1_000]);
    for (const id of [ids[0], ids[49], ids[50], ids[500], ids[999]]) {
      const { json } = await second.call("GET", `/v1/memories/${id}/history`);
      deepStrictEqual(
        json.results.map(({ event }: { event: string }) => event),
        ["ADD", "UPDATE"],
      );
    }
    strictEqual(await second.stop(), 0);
  } finally {
    await rm(directory);
  }
});
