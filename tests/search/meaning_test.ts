/** Tests memory search by similarity. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import sql, { raw } from "sql-template-tag";
import { BUILTIN_MODELS } from "../../src/embedding/builtin_models.ts";
import { type EmbedderConfig, NO_EMBEDDER } from "../../src/embedding/open.ts";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const MINILM: EmbedderConfig = { ...NO_EMBEDDER, name: "minilm" };
const STATIC: EmbedderConfig = { ...MINILM, runtime: "static" };

async function search(server: TestServer, query: string, body: Record<string, unknown> = {}) {
  const reply = await server.call("POST", "/v1/memories/search", { body: { query, ...body } });
  strictEqual(reply.status, 200, reply.text);
  return reply.json;
}

async function firstResult(server: TestServer, query: string): Promise<string | undefined> {
  return (await search(server, query)).results[0]?.memory;
}

/** Returns everything stored for vectors, keyed by text, for comparison after a rebuild. */
async function storedVectors(server: TestServer): Promise<Record<string, string>> {
  const rows = await server.records<
    { memory: string; vector: Uint8Array; signs: Uint8Array; id: string }
  >(sql`select memories.memory, vectors.vector, signs.signs, models.id
    from vectors
    join memories on memories.seq = vectors.seq and vectors.kind = 0
    join vector_signs as signs on signs.project = vectors.project
      and signs.model = vectors.model and signs.seq = vectors.seq
    join embedding_models as models on models.number = vectors.model`);
  return Object.fromEntries(
    rows.map(({ memory, vector, signs, id }) => [`${id} ${memory}`, hex(vector) + hex(signs)]),
  );
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

Deno.test("POST /v1/memories/search finds a memory with a similar meaning but no words in common", async () => {
  await withServer(async (server) => {
    await server.add("Ana bought a puppy last spring");
    await server.add("The invoice was paid on time");
    await server.add("Rust compiles slowly on the old machine");
    await server.waitForEmbeddings();
    strictEqual(
      await firstResult(server, "Does she own any pets?"),
      "Ana bought a puppy last spring",
    );
    const { trace } = await search(server, "Does she own any pets?", { trace: true });
    strictEqual(trace.lists.lexical.length, 0);
    strictEqual(trace.lists.vector[0].id, trace.selected[0]);
    strictEqual(trace.lists.vector.length, 3);
    ok(trace.lists.vector[0].score > trace.lists.vector[1].score);
    strictEqual(trace.selected_items[0].parts.similarity, trace.lists.vector[0].score);
    // Each process loads the model with its first search.
    const { embedder, projections } = await waitUntil(async () => {
      await search(server, "Does she own any pets?");
      return (await server.call("GET", "/v1/health")).json;
    }, ({ embedder }) => embedder.model !== null);
    const { id: model } = BUILTIN_MODELS.minilm;
    deepStrictEqual(embedder, { model, runtime: "native", fault: null, advice: null });
    strictEqual(projections.vector_pending, 0);
  }, { embedder: MINILM });
});

Deno.test("POST /v1/memories/search returns a neighbour of a match only once if it is also similar", async () => {
  await withServer(async (server) => {
    const contents = ["The heron caught a fish", "It flew away over the reeds", "Birds live there"];
    const messages = contents.map((content) => ({ role: "user", content }));
    const body = { messages, user_id: "ana", run_id: "marsh", infer: false };
    await server.call("POST", "/v1/memories", { body });
    await server.waitForEmbeddings();
    const { results, trace } = await search(server, "heron", { trace: true });
    deepStrictEqual([trace.lists.lexical.length, trace.lists.vector.length], [1, 3]);
    const ids = results.map(({ id }: { id: string }) => id);
    deepStrictEqual([new Set(ids).size, trace.fused.length], [ids.length, 3]);
  }, { embedder: STATIC });
});

Deno.test("POST /v1/memories/search immediately ignores the vectors of rewritten and deleted memories", async () => {
  await withServer(async (server) => {
    const puppy = await server.add("Ana bought a puppy");
    const kitten = await server.add("Ben adopted a kitten");
    await server.waitForEmbeddings();
    await server.call("DELETE", `/v1/memories/${puppy}`);
    await server.call("PUT", `/v1/memories/${kitten}`, { body: { content: "Ben sold the car" } });
    const { results, trace } = await search(server, "household pets", { trace: true });
    ok(!trace.lists.vector.some(({ id }: { id: string }) => id === puppy));
    ok(results.every(({ memory }: { memory: string }) => memory === "Ben sold the car"));
    await server.waitForEmbeddings();
    strictEqual(await firstResult(server, "automobile"), "Ben sold the car");
  }, { embedder: MINILM });
});

Deno.test("VectorProjection keeps a memory's vector if the text does not change", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana bought a puppy");
    await server.waitForEmbeddings();
    const before = await storedVectors(server);
    await server.call("POST", `/v1/memories/${id}/feedback`, { body: { rating: "negative" } });
    await server.call("PUT", `/v1/memories/${id}`, { body: { importance: 0.9 } });
    await server.waitForEmbeddings();
    deepStrictEqual(await storedVectors(server), before);
  }, { embedder: MINILM });
});

Deno.test("VectorProjection computes the same vectors in a rebuild", async () => {
  await withServer(async (server) => {
    for (const text of ["one", "two words", "three longer words"]) await server.add(text);
    await server.waitForEmbeddings();
    const before = await storedVectors(server);
    strictEqual(Object.keys(before).length, 3);
    await server.stop();
    await server.records(sql`delete from vectors`);
    await server.records(sql`delete from embedding_models`);
    await server.start();
    await server.waitForEmbeddings();
    deepStrictEqual(await storedVectors(server), before);
  }, { embedder: MINILM });
});

Deno.test("VectorProjection deletes the vectors of a model that was abandoned for the active one", async () => {
  await withServer(async (server) => {
    await server.add("Ana bought a puppy");
    await server.waitForEmbeddings();
    const before = await storedVectors(server);
    await server.stop();
    await server.records(sql`insert into embedding_models (id, dims) values ('abandoned', 384)`);
    for (const [table, column] of [["vectors", "vector"], ["vector_signs", "signs"]] as const) {
      await server.records(sql`insert into ${raw(table)} (project, model, kind, seq, ${raw(column)})
        select project, (select number from embedding_models where id = 'abandoned'), kind, seq,
          ${raw(column)} from ${raw(table)}`);
    }
    strictEqual(Object.keys(await storedVectors(server)).length, 2);
    await server.start();
    await waitUntil(
      () => server.records<{ id: string }>(sql`select id from embedding_models`),
      (models) => models.length === 1,
    );
    deepStrictEqual(await storedVectors(server), before);
  }, { embedder: MINILM });
});

Deno.test("VectorProjection activates a new model once it has caught up, and deletes the old vectors", async () => {
  await withServer(async (server) => {
    await server.add("Ana bought a puppy");
    await server.add("The invoice was paid");
    await server.waitForEmbeddings();
    ok(Object.keys(await storedVectors(server)).every((key) => key.includes("static")));
    await server.stop();
    await server.start({ embedder: MINILM });
    await server.waitForEmbeddings();
    // Searches use the old vectors until the new model is activated.
    await waitUntil(
      () => server.records<{ id: string }>(sql`select id from embedding_models`),
      (models) => models.length === 1,
    );
    strictEqual(await firstResult(server, "Does she own any pets?"), "Ana bought a puppy");
    await server.stop();
    const remaining = Object.keys(await storedVectors(server));
    strictEqual(remaining.length, 2);
    ok(remaining.every((key) => key.startsWith(BUILTIN_MODELS.minilm.id)));
    await server.start({ embedder: NO_EMBEDDER });
    strictEqual(await firstResult(server, "Does she own any pets?"), undefined);
  }, { embedder: STATIC });
});

Deno.test("POST /v1/memories/search uses words alone if the embedding endpoint is down, and health reports it", async () => {
  const embedder = { ...NO_EMBEDDER, name: "openai", url: "http://127.0.0.1:9/v1", model: "any" };
  await withServer(async (server) => {
    await server.add("Ana bought a puppy");
    strictEqual(await firstResult(server, "puppy"), "Ana bought a puppy");
    for (;;) {
      const { status, embedder, projections } = (await server.call("GET", "/v1/health")).json;
      strictEqual(projections.vector_pending, 1);
      if (embedder.fault === null) continue;
      ok(embedder.fault.includes("127.0.0.1:9"));
      strictEqual(status, "degraded");
      break;
    }
  }, { embedder });
});
