import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { LruCache } from "../../src/kernel/caches/lru_cache.ts";

Deno.test("LruCache.set() evicts the least recently used entry", () => {
  const cache = new LruCache<string, number>(3);
  cache.set("a", 1).set("b", 2).set("c", 3);
  strictEqual(cache.get("a"), 1);
  cache.set("d", 4);
  deepStrictEqual([...cache], [["c", 3], ["a", 1], ["d", 4]]);
});

Deno.test("LruCache.set() with a known key changes its value and evicts no entry", () => {
  const cache = new LruCache<string, number>(2);
  cache.set("a", 1).set("b", 2).set("a", 3);
  deepStrictEqual([...cache], [["b", 2], ["a", 3]]);
});

Deno.test("LruCache.get() with an unknown key returns undefined and changes nothing", () => {
  const cache = new LruCache<string, number>(2);
  cache.set("a", 1);
  strictEqual(cache.get("b"), undefined);
  strictEqual(cache.size, 1);
});

Deno.test("LruCache.has() and delete() preserve the order of the other entries", () => {
  const cache = new LruCache<string, number>(3);
  cache.set("a", 1).set("b", 2).set("c", 3);
  cache.has("a");
  cache.delete("b");
  cache.set("d", 4).set("e", 5);
  deepStrictEqual([...cache.keys()], ["c", "d", "e"]);
});
