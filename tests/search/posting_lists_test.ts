/** Checks that posting lists are dropped when they can't be kept up to date, or get too large. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { PostingLists } from "../../src/search/lexical/posting_lists.ts";

const [HERON, REED] = [{ term: "heron", hash: 1 }, { term: "reed", hash: 2 }];
const MAX_BYTES = 2_500;

function seqsOf(lists: PostingLists, term: typeof HERON): number[] | undefined {
  const seqs = lists.get(term);
  return seqs && [...seqs];
}

Deno.test("PostingLists.add() appends a later memory, and drops the list for an earlier one", () => {
  const lists = new PostingLists(() => MAX_BYTES);
  lists.set(HERON, Uint32Array.of(3, 5));
  lists.set(REED, Uint32Array.of());
  for (let seq = 6; seq < 50; seq++) lists.add(seq, [HERON.hash, REED.hash, 9]);
  const later = Array.from({ length: 44 }, (_, index) => 6 + index);
  deepStrictEqual(seqsOf(lists, HERON), [3, 5, ...later]);
  deepStrictEqual(seqsOf(lists, REED), later);
  lists.add(4, [HERON.hash]);
  deepStrictEqual([seqsOf(lists, HERON), seqsOf(lists, REED)], [undefined, later]);
});

Deno.test("PostingLists.get() returns no list of another term with the same hash", () => {
  const lists = new PostingLists(() => MAX_BYTES);
  lists.set(HERON, Uint32Array.of(3));
  strictEqual(lists.get({ term: "reed", hash: HERON.hash }), undefined);
  deepStrictEqual(seqsOf(lists, HERON), [3]);
});

Deno.test("PostingLists.set() evicts the least recently used lists beyond the size limit", () => {
  const lists = new PostingLists(() => MAX_BYTES);
  const terms = Array.from({ length: 6 }, (_, hash) => ({ term: `term-${hash}`, hash }));
  for (const term of terms.slice(0, 5)) lists.set(term, new Uint32Array(50));
  lists.get(terms[0]!);
  lists.set(terms[5]!, new Uint32Array(50));
  deepStrictEqual(terms.map((term) => lists.get(term)?.length), [50, undefined, 50, 50, 50, 50]);
  strictEqual(lists.byteLength, MAX_BYTES);
  lists.set(terms[5]!, new Uint32Array(600));
  strictEqual(lists.get(terms[5]!), undefined);
  strictEqual(lists.byteLength, 2_000);
});

Deno.test("PostingLists.set() follows a limit that shrinks, even for a list that's too large", () => {
  let maxBytes = MAX_BYTES;
  const lists = new PostingLists(() => maxBytes);
  lists.set(HERON, Uint32Array.of(3));
  lists.set(REED, Uint32Array.of());
  strictEqual(lists.byteLength, 604);
  maxBytes = 350;
  lists.set({ term: "nest", hash: 3 }, new Uint32Array(50));
  deepStrictEqual([seqsOf(lists, HERON), seqsOf(lists, REED)], [undefined, []]);
  strictEqual(lists.byteLength, 300);
});

Deno.test("PostingLists.add() evicts lists when others grow beyond the size limit", () => {
  const lists = new PostingLists(() => MAX_BYTES);
  lists.set(HERON, Uint32Array.of());
  lists.set(REED, Uint32Array.of());
  for (let seq = 1; seq < 300; seq++) {
    lists.add(seq, [HERON.hash]);
    ok(lists.byteLength <= MAX_BYTES, `${lists.byteLength} bytes`);
  }
  deepStrictEqual([seqsOf(lists, HERON)?.length, seqsOf(lists, REED)], [299, []]);
  for (let seq = 300; seq < 900; seq++) {
    lists.add(seq, [HERON.hash]);
    ok(lists.byteLength <= MAX_BYTES, `${lists.byteLength} bytes`);
  }
  deepStrictEqual([seqsOf(lists, HERON), seqsOf(lists, REED)], [undefined, undefined]);
  strictEqual(lists.byteLength, 0);
});

Deno.test("PostingLists.add() keeps a list when a memory has its term twice", () => {
  const lists = new PostingLists(() => MAX_BYTES);
  lists.set(HERON, Uint32Array.of(3));
  lists.add(5, [HERON.hash, HERON.hash]);
  deepStrictEqual(seqsOf(lists, HERON), [3, 5]);
});

Deno.test("POST /v1/memories/search finds memories by words searched for before they were added, changed or deleted", async () => {
  await withServer(async (server) => {
    const find = async (query: string) => {
      const { results } =
        (await server.call("POST", "/v1/memories/search", { body: { query } })).json;
      return results.map(({ id }: { id: string }) => id).sort();
    };
    const queries = ["heron", "reed", "march", "Σίσυφος", "東京"];
    const findAll = async () => {
      const found: string[][] = [];
      for (const query of queries) found.push(await find(query));
      return found;
    };
    const first = await server.add("Herons and Σίσυφος and 東京");
    deepStrictEqual(await findAll(), [[first], [], [], [first], [first]]);
    const event_date = "2026-03-04T00:00:00.000Z";
    const second = await server.add("A ΣΊΣΥΦΟΣ among herons", { user_id: "ben", event_date });
    const both = [first, second].sort();
    deepStrictEqual(await findAll(), [both, [], [second], both, [first]]);
    const changed = await server.call("PUT", `/v1/memories/${first}`, {
      body: { content: "Reeds" },
    });
    strictEqual(changed.status, 200);
    deepStrictEqual(await findAll(), [[second], [first], [second], [second], []]);
    await server.call("DELETE", `/v1/memories/${second}`);
    deepStrictEqual(await findAll(), [[], [first], [], [], []]);
  });
});
