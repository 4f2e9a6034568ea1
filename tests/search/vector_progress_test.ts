/** Tests background embedding with an endpoint that fails on request. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
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

Deno.test("Texts that can't be embedded are reported in health and don't stop the ones behind them", async () => {
  const endpoint = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const { input }: { input: string[] } = await request.json();
    if (input.some((text) => text.includes("odd"))) return new Response("NaN", { status: 500 });
    return Response.json({ data: input.map((_, index) => ({ index, embedding: [1, 2] })) });
  });
  const url = `http://127.0.0.1:${endpoint.addr.port}/v1`;
  await withServer(async ({ add, call, records, waitForEmbeddings }) => {
    for (const text of ["An odd jar", "A plain jar", "An odd lid"]) await add(text);
    const user_id = "ana";
    await call("POST", "/v1/documents", {
      body: { source_key: "shelf", user_id, content: "# Odd\n\nAn odd jar\n\n# Plain" },
    });
    await waitForEmbeddings();
    await add("Another jar");
    await waitForEmbeddings();
    const embedded = await records<{ memory: string }>(sql`select memory from memories
      join vectors on vectors.seq = memories.seq and kind = 0 order by memories.seq`);
    deepStrictEqual(embedded.map(({ memory }) => memory), ["A plain jar", "Another jar"]);
    const { status, embedder } = (await call("GET", "/v1/health")).json;
    strictEqual(status, "ok");
    ok(embedder.fault.endsWith("found by their words only: 3"), embedder.fault);
  }, { embedder: { ...NO_EMBEDDER, name: "openai", url, model: "any" } });
  await endpoint.shutdown();
});

Deno.test("All texts are embedded again if a model changes its dimensions behind the same name", async () => {
  let dims = 2;
  const endpoint = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const { input }: { input: string[] } = await request.json();
    const embedding = new Array(dims).fill(1);
    return Response.json({ data: input.map((_, index) => ({ index, embedding })) });
  });
  const url = `http://127.0.0.1:${endpoint.addr.port}/v1`;
  await withServer(async ({ add, records, waitForEmbeddings }) => {
    await add("A plain jar");
    await waitForEmbeddings();
    dims = 3;
    await add("Another jar");
    await waitForEmbeddings();
    // The previous vectors are removed after that.
    const models = await waitUntil(
      () =>
        records<{ dims: number; vectors: number }>(sql`
          select dims, (select count(*) from vectors where model = number) as vectors
          from embedding_models`),
      ({ length }) => length === 1,
    );
    deepStrictEqual(models, [{ dims: 3, vectors: 2 }]);
  }, { embedder: { ...NO_EMBEDDER, name: "openai", url, model: "any" } });
  await endpoint.shutdown();
});
