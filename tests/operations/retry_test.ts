/** Tests which operations a retry starts over, leaves unchanged or rejects. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { MAX_BACKOFF_MS } from "../../src/tasks/backoff.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const FAILED = JSON.stringify({
  code: "EXTRACTION_FAILED",
  message: "It failed",
  retryable: true,
  attempt: 5,
  occurred_at: "2026-01-01T00:00:00.000Z",
});

/** Creates a finished inferred add, and sets its task's status directly. */
async function operationIn(server: TestServer, status: string): Promise<string> {
  const added = await server.call("POST", "/v1/memories", {
    body: { content: "Ana moved to Porto", user_id: "ana" },
    headers: { "idempotency-key": `add-${status}` },
  });
  await waitUntil(
    () => server.call("GET", `/v1/events/${added.json.event_id}`),
    ({ json }) => json.status === "SUCCEEDED",
  );
  // A longer delay would count as one from a clock that was ahead, so the worker would start the task.
  const later = new Date(Date.now() + MAX_BACKOFF_MS).toISOString();
  await server.records(sql`update tasks set status = ${status}, attempts = 5,
    next_attempt_at = ${later}, error = ${FAILED},
    completed_at = '2026-01-01T00:00:00.000Z', max_attempts = 5, kind = 'document_extract'
    where id = ${added.json.event_id as string}`);
  return added.json.event_id;
}

Deno.test("POST /v1/operations/{id}/retry restarts an operation that is in retry or dead", async () => {
  await withServer(async (server) => {
    for (const status of ["retry", "dead"]) {
      const id = await operationIn(server, status);
      const retried = await server.call("POST", `/v1/operations/${id}/retry`);
      strictEqual(retried.status, 202);
      const { created_at: _, updated_at: __, ...operation } = retried.json;
      deepStrictEqual(operation, {
        id,
        kind: "document_extract",
        status: "pending",
        attempts: 0,
        max_attempts: 5,
        error: null,
        next_attempt_at: null,
        result: null,
        started_at: null,
        completed_at: null,
      });
    }
  });
});

Deno.test("POST /v1/operations/{id}/retry returns a pending or running operation unchanged", async () => {
  await withServer(async (server) => {
    for (const status of ["pending", "processing"]) {
      const id = await operationIn(server, status);
      const retried = await server.call("POST", `/v1/operations/${id}/retry`);
      strictEqual(retried.status, 202);
      strictEqual(retried.json.status, status);
      strictEqual(retried.json.attempts, 5);
    }
  });
});

Deno.test("POST /v1/operations/{id}/retry returns 404 if the operation is finished, cancelled, awaiting its upload or unknown", async () => {
  await withServer(async (server) => {
    const ids = ["task_01jv0000000000000000000000"];
    for (const status of ["success", "cancelled", "awaiting_upload"]) {
      ids.push(await operationIn(server, status));
    }
    for (const id of ids) {
      const refused = await server.call("POST", `/v1/operations/${id}/retry`);
      strictEqual(refused.status, 404);
      strictEqual(refused.json.code, "OPERATION_NOT_RETRYABLE");
    }
  });
});

Deno.test("GET /v1/operations filters by kind and status, with either name for the status parameter", async () => {
  await withServer(async (server) => {
    const id = await operationIn(server, "dead");
    for (const query of ["status=dead", "state=dead", "kind=document_extract&status=dead"]) {
      const listed = await server.call("GET", `/v1/operations?${query}`);
      deepStrictEqual(listed.json.results.map(({ id }: { id: string }) => id), [id]);
    }
    const none = await server.call("GET", "/v1/operations?kind=document_extract&status=success");
    deepStrictEqual(none.json, { results: [], next_cursor: null });
    const unknown = await server.call("GET", "/v1/operations?status=done");
    strictEqual(unknown.status, 400);
    strictEqual(unknown.json.message.includes("awaiting_upload"), true);
  });
});

Deno.test("POST /v1/operations/{id}/retry rejects an inferred add without its messages", async () => {
  await withServer(async (server) => {
    const id = await operationIn(server, "dead");
    await server.records(sql`update tasks set kind = 'memory_infer', payload = '{}'
      where id = ${id}`);
    const { status, json } = await server.call("POST", `/v1/operations/${id}/retry`);
    deepStrictEqual([status, json.code], [404, "OPERATION_NOT_RETRYABLE"]);
  });
});
