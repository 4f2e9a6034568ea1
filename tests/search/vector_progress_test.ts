/** Tests the rate of background embedding in health, with an endpoint that fails on request. */

import { deepStrictEqual, ok } from "node:assert/strict";
import { NO_EMBEDDER } from "../../src/embedding/open.ts";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

Deno.test("GET /v1/health reports an unknown rate after embedding has failed, and 0 at the end", async () => {
  let embedded = 0;
  let failing = true;
  const endpoint = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const { input } = await request.json();
    // The first batch takes several requests. What fails is the second one.
    if (failing && embedded >= 128) return new Response("busy", { status: 503 });
    embedded += input.length;
    return Response.json({
      data: input.map((_: string, index: number) => ({ index, embedding: [1, index, 2] })),
    });
  });
  const url = `http://127.0.0.1:${endpoint.addr.port}/v1`;
  await withServer(async ({ call, waitForEmbeddings }) => {
    const projections = async () => (await call("GET", "/v1/health")).json.projections;
    const messages = Array.from({ length: 100 }, (_, index) => ({
      role: "user",
      content: `Jar ${index} holds glaze`,
    }));
    for (const user_id of ["ana", "ben"]) {
      await call("POST", "/v1/memories", { body: { user_id, infer: false, messages } });
    }
    const stuck = await waitUntil(
      projections,
      (now) => now.vector_pending < 200 && now.vectors_per_second === null,
    );
    ok(stuck.vector_pending > 0);
    deepStrictEqual(stuck.vector_seconds_left, null);
    failing = false;
    await waitForEmbeddings();
    const { vectors_per_second, vector_seconds_left } = await projections();
    deepStrictEqual([vectors_per_second, vector_seconds_left], [0, 0]);
  }, { embedder: { ...NO_EMBEDDER, name: "openai", url, model: "any" } });
  await endpoint.shutdown();
});
