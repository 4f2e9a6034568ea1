/** Tests the cache of query vectors. */

import { rejects, strictEqual } from "node:assert/strict";
import { QueryCache } from "../../src/embedding/query_cache.ts";

Deno.test("QueryCache.getOrCompute() computes equal queries at the same time once", async () => {
  const cache = new QueryCache();
  const computed = Promise.withResolvers<Float32Array>();
  let calls = 0;
  const compute = () => {
    calls++;
    return computed.promise;
  };
  const vectors = [cache.getOrCompute("tea", compute), cache.getOrCompute("tea", compute)];
  computed.resolve(new Float32Array([1]));
  const [first, second] = await Promise.all(vectors);
  strictEqual(first, second);
  strictEqual(await cache.getOrCompute("tea", compute), first);
  strictEqual(calls, 1);
});

Deno.test("QueryCache.getOrCompute() computes a query again after a failure", async () => {
  const cache = new QueryCache();
  await rejects(cache.getOrCompute("tea", () => Promise.reject(new Error("endpoint is down"))));
  const vector = new Float32Array([1]);
  strictEqual(await cache.getOrCompute("tea", () => Promise.resolve(vector)), vector);
});
