/** Searches whose vectors come late, in another order, or never. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { openSearchPool, type SearchPool } from "../../src/search/workers/pool.ts";
import type { MemorySearchRequest, QueryVector } from "../../src/search/query/memory_request.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { withServer } from "../../testing/harness.ts";

const NO_VECTOR = Promise.resolve(null);

/** A search of the first project. */
function asking(query: string): MemorySearchRequest {
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

/** One worker, on memories of a heron and of an otter. */
async function withPool(
  work: (pool: SearchPool, heron: string, otter: string) => Promise<void>,
): Promise<void> {
  await withServer(async (server) => {
    const heron = await server.add("A heron stood in the reeds");
    const otter = await server.add("An otter came at dawn");
    const pool = openSearchPool(databasePath(server.directory), {
      workers: 1,
      memoryBytes: 2 ** 24,
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

Deno.test("each search is answered with its own vector, in whatever order these come", async () => {
  await withPool(async (pool, heron, otter) => {
    const [first, second] = [
      Promise.withResolvers<QueryVector | null>(),
      Promise.withResolvers<QueryVector | null>(),
    ];
    const herons = pool.memories(asking("heron"), first.promise);
    const otters = pool.memories(asking("otter"), second.promise);
    second.resolve(null);
    deepStrictEqual(idsOf(await otters), [otter]);
    first.resolve(null);
    deepStrictEqual(idsOf(await herons), [heron]);
  });
});

Deno.test("a search whose vector fails is refused for that, and the next one is answered", async () => {
  await withPool(async (pool, heron) => {
    const failed = Promise.reject(new Error("No model can be read"));
    await rejects(pool.memories(asking("heron"), failed), /No model can be read/);
    deepStrictEqual(idsOf(await pool.memories(asking("heron"), NO_VECTOR)), [heron]);
  });
});

Deno.test("a vector that comes after its worker ended harms no other search", async () => {
  await withPool(async (pool, heron) => {
    const late = Promise.withResolvers<QueryVector | null>();
    const stopped = pool.memories(asking("otter"), late.promise);
    pool.close();
    const next = pool.memories(asking("heron"), NO_VECTOR);
    late.resolve(null);
    await rejects(stopped, /The worker was stopped/);
    deepStrictEqual(idsOf(await next), [heron]);
  });
});
