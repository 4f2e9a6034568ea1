/**
 * Tests feedback: there's one current rating, the history keeps them all, and the memory isn't
 * affected.
 */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { queryRecords } from "../../testing/engine.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";

async function rated(server: TestServer) {
  const id = await server.add("Ana hikes");
  const path = `/v1/memories/${id}/feedback`;
  const rate = (body: unknown) => server.call("POST", path, { body });
  const read = async () => (await server.call("GET", path)).json.feedback;
  return { id, path, rate, read };
}

Deno.test("GET /v1/memories/{id}/feedback returns null at first, and the latest feedback after that", async () => {
  await withServer(async (server) => {
    const { id, rate, read } = await rated(server);
    strictEqual(await read(), null);
    const first = (await rate({ rating: "positive" })).json.feedback;
    match(first.id, /^fb_[0-9a-z]{26}$/);
    deepStrictEqual(Object.keys(first), [
      "id",
      "memory_id",
      "rating",
      "reason",
      "request_id",
      "created_at",
    ]);
    deepStrictEqual([first.memory_id, first.reason, first.request_id], [id, null, null]);
    deepStrictEqual(await read(), first);
    const second = (await rate({ rating: "very_negative", reason: "" })).json.feedback;
    deepStrictEqual(await read(), second);
    deepStrictEqual([second.rating, second.reason], ["very_negative", ""]);
  });
});

Deno.test("DELETE /v1/memories/{id}/feedback clears the feedback and keeps it in the history", async () => {
  await withServer(async (server) => {
    const { id, path, rate, read } = await rated(server);
    await rate({ rating: "positive", reason: "helped" });
    deepStrictEqual((await server.call("DELETE", path)).json, { cleared: true });
    strictEqual(await read(), null);
    deepStrictEqual((await server.call("DELETE", path)).json, { cleared: true });
    const { results } = (await server.call("GET", `/v1/memories/${id}/history`)).json;
    deepStrictEqual(
      results.map(({ event, feedback }: Record<string, unknown>) => [event, feedback]),
      [
        ["ADD", null],
        ["FEEDBACK", { rating: "positive", reason: "helped", request_id: null }],
        ["FEEDBACK", { cleared: true }],
      ],
      "clearing nothing records no event",
    );
  });
});

Deno.test("GET /v1/memories/{id}/history lists feedback after a change by a clock that is ahead", async () => {
  await withServer(async (server) => {
    const { id, path, rate } = await rated(server);
    const ahead = "2999-01-01T00:00:00.000Z";
    await queryRecords(
      server.directory,
      sql`update memories set updated_at = ${ahead} where id = ${id} returning id`,
    );
    await rate({ rating: "positive" });
    await server.call("PUT", `/v1/memories/${id}`, { body: { importance: 0.9 } });
    await server.call("DELETE", path);
    const { results } = (await server.call("GET", `/v1/memories/${id}/history`)).json;
    deepStrictEqual(
      results.slice(1).map(({ event, created_at }: Record<string, string>) => [event, created_at]),
      [
        ["FEEDBACK", ahead],
        ["UPDATE", "2999-01-01T00:00:00.001Z"],
        ["FEEDBACK", "2999-01-01T00:00:00.001Z"],
      ],
    );
  });
});

Deno.test("POST /v1/memories/{id}/feedback doesn't change the memory", async () => {
  await withServer(async (server) => {
    const { id, rate } = await rated(server);
    const before = (await server.call("GET", `/v1/memories/${id}`)).json;
    await rate({ rating: "very_negative" });
    deepStrictEqual((await server.call("GET", `/v1/memories/${id}`)).json, before);
    const version = before.updated_at;
    const put = await server.call("PUT", `/v1/memories/${id}`, { body: { content: "x", version } });
    strictEqual(put.status, 200, "the version is unchanged");
  });
});

Deno.test("PUT /v1/memories/{id} keeps the feedback", async () => {
  await withServer(async (server) => {
    const { id, rate, read } = await rated(server);
    await rate({ rating: "negative" });
    await server.call("PUT", `/v1/memories/${id}`, { body: { content: "Ana rests" } });
    strictEqual((await read()).rating, "negative");
  });
});
