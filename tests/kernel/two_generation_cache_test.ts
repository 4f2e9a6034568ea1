import { strictEqual } from "node:assert/strict";
import { TwoGenerationCache } from "../../src/kernel/caches/two_generation_cache.ts";
import { fc } from "../../testing/fast_check.ts";

/** Returns which of the keys are cached. Doing so reads them, so call it last in a test. */
function cachedKeys(cache: TwoGenerationCache<string, number>, keys: string): string {
  return [...keys].filter((key) => cache.get(key) !== undefined).join("");
}

Deno.test("TwoGenerationCache.set() evicts entries that were not used for a generation", () => {
  const cache = new TwoGenerationCache<string, number>(4);
  cache.set("a", 1).set("b", 2).set("c", 3).set("d", 4);
  strictEqual(cachedKeys(cache, "ab"), "");
  strictEqual(cachedKeys(cache, "cd"), "cd");
});

Deno.test("TwoGenerationCache.get() protects an entry from the next eviction", () => {
  const cache = new TwoGenerationCache<string, number>(6);
  for (const key of "abcdefghi") {
    cache.set(key, 1);
    cache.get("a");
  }
  strictEqual(cache.get("a"), 1);
  strictEqual(cachedKeys(cache, "bcd"), "");
});

Deno.test("TwoGenerationCache.set() of a known key changes its value", () => {
  const cache = new TwoGenerationCache<string, number>(4);
  cache.set("a", 1).set("b", 2).set("a", 3);
  strictEqual(cache.get("a"), 3);
  strictEqual(cache.get("b"), 2);
});

Deno.test("TwoGenerationCache.get() of an unknown key returns undefined", () => {
  strictEqual(new TwoGenerationCache<string, number>(2).get("a"), undefined);
});

Deno.test("TwoGenerationCache keeps half of its size for certain and never more than its size", () => {
  const reads = fc.array(fc.constantFrom(..."abcdefghijkl"), { maxLength: 200 });
  fc.assert(fc.property(reads, fc.integer({ min: 2, max: 9 }), (keys, maxSize) => {
    const cache = new TwoGenerationCache<string, string>(maxSize);
    let byLastUse: string[] = [];
    for (const key of keys) {
      const cached = cache.get(key);
      const position = byLastUse.indexOf(key);
      const usedSince = position < 0 ? Infinity : byLastUse.length - 1 - position;
      if (usedSince < Math.floor(maxSize / 2)) strictEqual(cached, key);
      if (usedSince >= maxSize) strictEqual(cached, undefined);
      if (cached === undefined) cache.set(key, key);
      byLastUse = [...byLastUse.filter((other) => other !== key), key];
    }
  }));
});
