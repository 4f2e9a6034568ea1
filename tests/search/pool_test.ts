/** Tests searches whose vectors arrive late, out of order, or never. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { openSearchPool, type SearchPool } from "../../src/search/workers/pool.ts";
import type { MemorySearchRequest, QueryVector } from "../../src/search/query/memory_request.ts";
import { searchDatabase } from "../../testing/engine.ts";
import { withServer } from "../../testing/harness.ts";

const NO_VECTOR = Promise.resolve(null);

/** Returns a search in the first project. */
function searchFor(query: string): MemorySearchRequest {
  return {
    project: 1,
    query,
    tags: [],
    filters: undefined,
    mode: "hybrid",
    strategy: "balanced",
    sortBy: null,
    minScore: 0,
    topK: 10,
    trace: false,
    now: 0,
    vectorExpected: true,
  };
}

/** Opens a pool with one worker and two memories, one about a heron and one about an otter. */
async function withPool(
  work: (pool: SearchPool, heron: string, otter: string) => Promise<void>,
): Promise<void> {
  await withServer(async (server) => {
    const heron = await server.add("A heron stood in the reeds");
    const otter = await server.add("An otter came at dawn");
    // On PostgreSQL, the first search fills the copy.
    await server.call("POST", "/v1/memories/search", { body: { query: "heron" } });
    const pool = openSearchPool({
      database: () => searchDatabase(server.directory),
      ready: () => undefined,
    }, {
      workers: 1,
      workerBytes: 2 ** 24,
    });
    try {
      await work(pool, heron, otter);
    } finally {
      pool.close();
    }
  });
}

const idsOf = ({ found }: { readonly found: readonly { readonly id: string }[] }) =>
  found.map(({ id }) => id);

Deno.test("SearchPool.memories() uses the right vector for each search, regardless of the order of arrival", async () => {
  await withPool(async (pool, heron, otter) => {
    const [first, second] = [
      Promise.withResolvers<QueryVector | null>(),
      Promise.withResolvers<QueryVector | null>(),
    ];
    const herons = pool.memories(searchFor("heron"), first.promise);
    const otters = pool.memories(searchFor("otter"), second.promise);
    second.resolve(null);
    deepStrictEqual(idsOf(await otters), [otter]);
    first.resolve(null);
    deepStrictEqual(idsOf(await herons), [heron]);
  });
});

Deno.test("SearchPool.memories() rejects if the vector fails, and the next search succeeds", async () => {
  await withPool(async (pool, heron) => {
    const failed = Promise.reject(new Error("Model not found"));
    await rejects(pool.memories(searchFor("heron"), failed), /Model not found/);
    deepStrictEqual(idsOf(await pool.memories(searchFor("heron"), NO_VECTOR)), [heron]);
  });
});

Deno.test("SearchPool.memories() is not affected by a vector that arrives after its worker was stopped", async () => {
  await withPool(async (pool, heron) => {
    const late = Promise.withResolvers<QueryVector | null>();
    const stopped = pool.memories(searchFor("otter"), late.promise);
    pool.close();
    const next = pool.memories(searchFor("heron"), NO_VECTOR);
    late.resolve(null);
    await rejects(stopped, /The worker was stopped/);
    deepStrictEqual(idsOf(await next), [heron]);
  });
});
