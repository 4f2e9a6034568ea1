/** Tests requests to the mem0-compatible API that wait for a task, and what they have in common. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../../testing/harness.ts";
import { waitUntil } from "../../../testing/wait_until.ts";
import { withProvider } from "../../inference_service/provider.ts";
import { addText, checkError, mem0, mem0Json } from "./mem0.ts";

const BODY = { messages: [{ role: "user", content: "I live in Lisbon." }], user_id: "ana" };

Deno.test("an add that waits for inference ends with its event if the service stops", async () => {
  await withProvider(() => null, async (inference, calls) => {
    await withServer(async (server) => {
      const pending = mem0(server, "POST", "/memories", { body: BODY });
      await waitUntil(() => Promise.resolve(calls()), (count) => count > 0);
      await server.stop();
      const reply = await pending;
      strictEqual(reply.status, 200, reply.text);
      deepStrictEqual([reply.json.status, reply.json.results], ["PENDING", []]);
      ok(reply.json.event_id.startsWith("task_"));
      await server.start();
    }, { inference });
  });
});

Deno.test("an add that waits for inference reports its failure", async () => {
  await withProvider(() => ({ status: 401, body: {} }), async (inference) => {
    await withServer(async (server) => {
      const reply = await mem0(server, "POST", "/memories", { body: BODY });
      checkError(reply, 500, "INTERNAL_ERROR");
      ok(reply.json.detail.startsWith("Inference failed: "), reply.text);
      const { count } = await mem0Json(server, "POST", "/v3/memories/", { body: {} });
      strictEqual(count, 0);
    }, { inference });
  });
});

Deno.test("adds and searches under /mem0 cost credits in the hosted variant", async () => {
  await withServer(async (server) => {
    await server.manage("credits", "grant", "--project", "default", "2");
    await addText(server, "Green tea");
    const search = () =>
      mem0(server, "POST", "/v3/memories/search/", { body: { query: "tea", user_id: "ana" } });
    strictEqual((await search()).status, 200);
    checkError(await search(), 402, "INSUFFICIENT_CREDITS");
    const add = await mem0(server, "POST", "/v3/memories/add/", { body: BODY });
    checkError(add, 402, "INSUFFICIENT_CREDITS");
    // Ratings and entities need no Idempotency-Key here, since mem0's clients don't send one.
    await mem0Json(server, "DELETE", "/v2/entities/user/ana/");
  }, { variant: "hosted" });
});

Deno.test("requests under /mem0 are counted by their route", async () => {
  await withServer(async (server) => {
    const id = await addText(server, "Green tea");
    for (const slash of ["", "/"]) await mem0Json(server, "GET", `/v1/memories/${id}${slash}`);
    const metrics = (await server.call("GET", "/metrics")).text;
    ok(
      metrics.includes(
        'commonplace_http_requests_total{method="GET",route="/mem0/v1/memories/{id}",status="200"} 2',
      ),
      metrics.split("\n").filter((line) => line.includes("mem0")).join("\n"),
    );
  });
});
