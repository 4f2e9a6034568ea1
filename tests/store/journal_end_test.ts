/** Tests how often the end of the journal is read on PostgreSQL. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { JournalEnd } from "../../src/store/postgres/journal_end.ts";

Deno.test("JournalEnd.read() shares one further read among the callers while one is running", async () => {
  const reads: PromiseWithResolvers<number | null>[] = [];
  const end = new JournalEnd(() => {
    const read = Promise.withResolvers<number | null>();
    reads.push(read);
    return read.promise;
  });
  const first = end.read();
  await Promise.resolve();
  const others = [end.read(), end.read(), end.read()];
  strictEqual(reads.length, 1);
  reads[0]!.resolve(1);
  strictEqual(await first, 1);
  await new Promise((resolve) => setImmediate(resolve));
  strictEqual(reads.length, 2);
  reads[1]!.resolve(2);
  deepStrictEqual(await Promise.all(others), [2, 2, 2]);
});

Deno.test("JournalEnd.read() tries again if a transaction takes long, and then returns the end before", async () => {
  let reads = 0;
  const results = [1, null, 2];
  const end = new JournalEnd(() => Promise.resolve(results[reads++] ?? null));
  strictEqual(await end.read(), 1);
  strictEqual(await end.read(), 2);
  strictEqual(reads, 3);
  strictEqual(await end.read(), 2);
  strictEqual(reads, 9);
});

Deno.test("JournalEnd.read() fails for its own callers alone", async () => {
  let reads = 0;
  const end = new JournalEnd(() =>
    ++reads === 1 ? Promise.reject(new Error("connection lost")) : Promise.resolve(7)
  );
  const outcomes = await Promise.allSettled([end.read(), end.read()]);
  deepStrictEqual(outcomes.map(({ status }) => status), ["rejected", "rejected"]);
  strictEqual(await end.read(), 7);
});
