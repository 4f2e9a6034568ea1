/** Tests selective filters that index tags can't express. */

import { deepStrictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";

/** More memories than lexical search checks, all containing the query words. */
const MEMORIES = 25_000;
const BATCH_MEMORIES = 500;

Deno.test("POST /v1/memories/search finds all matches for ranges, NOT and substrings that are rare", async () => {
  await withServer(async (server) => {
    for (let first = 0; first < MEMORIES; first += BATCH_MEMORIES) {
      const messages = Array.from({ length: BATCH_MEMORIES }, (_, index) => ({
        role: "user",
        content: `heron sighting ${first + index}`,
      }));
      const body = {
        messages,
        user_id: "ana",
        infer: false,
        metadata: { batch: first, seen: "by day" },
      };
      await server.call("POST", "/v1/memories", { body });
    }
    const rare = new Set<string>();
    for (const at of [1, 2, 3]) {
      rare.add(
        await server.add(`heron and a word that makes this one long and rank low ${at}`, {
          user_id: "ana",
          metadata: { batch: -at, seen: `by night ${at}` },
          importance: 0.9,
        }),
      );
    }
    for (
      const filters of [
        { metadata: { batch: { lt: 0 } } },
        { importance: { gt: 0.8 } },
        { AND: [{ importance: { gt: 0.8 } }, { memory: { icontains: "LONG" } }] },
        { NOT: { metadata: { batch: { gte: 0 } } } },
        { metadata: { seen: { contains: "night" } } },
      ]
    ) {
      const body = { query: "heron sighting", filters };
      const { results } = (await server.call("POST", "/v1/memories/search", { body })).json;
      deepStrictEqual(new Set(results.map(({ id }: { id: string }) => id)), rare);
    }
  });
});

Deno.test("POST /v1/memories/search finds a rare metadata value among many matches", async () => {
  await withServer(async (server) => {
    const add = (count: number, metadata: Record<string, unknown>) =>
      server.call("POST", "/v1/memories", {
        body: {
          messages: Array.from({ length: count }, () => ({ role: "user", content: "green tea" })),
          user_id: "ana",
          metadata,
          infer: false,
        },
      });
    for (let batch = 0; batch < 4; batch++) await add(500, { batch });
    await add(1, { batch: "rare" });
    await add(400, { batch: 9 });
    const { results } = (await server.call("POST", "/v1/memories/search", {
      body: { query: "green tea", filters: { batch: "rare" } },
    })).json;
    deepStrictEqual(results.map(({ metadata }: { metadata: unknown }) => metadata), [{
      batch: "rare",
    }]);
  });
});
