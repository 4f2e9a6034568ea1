/** What stands around memories is scored alike, whether these are found together or in turn. */

import { deepStrictEqual } from "node:assert/strict";
import { scoreInContext, WINDOW_STEPS } from "../../src/search/threads/context.ts";
import type { QueryTerm } from "../../src/search/lexical/term_search.ts";
import { ThreadIndex } from "../../src/search/threads/thread_index.ts";
import { termHash } from "../../src/search/query/terms.ts";
import { fc } from "../../testing/fast_check.ts";

const TERMS = ["heron", "reed", "dawn"].map((term, at): QueryTerm => ({
  term,
  hash: termHash(term),
  frequency: 1,
  weight: 1 + at,
  count: 1,
  asked: true,
}));

/** Memories of a few threads, or of none, in the order in which they are told. */
const MEMORIES = fc.array(
  fc.record({
    thread: fc.option(fc.nat(2)),
    terms: fc.subarray(TERMS),
    asks: fc.nat(1),
    dated: fc.boolean(),
    words: fc.boolean(),
    meaning: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

Deno.test("memories found in turn come to the same candidates as all at once, each of them once", () => {
  fc.assert(fc.property(MEMORIES, (memories) => {
    const map = new ThreadIndex();
    const last = new Map<number | null, number>();
    for (const [at, { thread, terms, asks, dated }] of memories.entries()) {
      const seq = at + 1;
      const before = thread === null ? null : last.get(thread) ?? null;
      const event_date = dated ? "2026-03-01T00:00:00.000Z" : null;
      map.set(
        { seq, id: `memory-${seq}`, thread, position: at, event_date, asks, before },
        Uint32Array.from(terms, ({ hash }) => hash),
      );
      last.set(thread, seq);
    }
    const scored = (found: readonly number[], known: ReadonlySet<number>) =>
      scoreInContext(map.windowAround(TERMS, found, WINDOW_STEPS), TERMS, found, known).candidates
        .map(({ seq, relevance }) => ({ seq, relevance }));
    const chosen = (which: "words" | "meaning") =>
      memories.flatMap((memory, at) => memory[which] ? [at + 1] : []);
    const first = scored(chosen("words"), new Set());
    const second = scored(chosen("meaning"), new Set(first.map(({ seq }) => seq)));
    const all = [...new Set([...chosen("words"), ...chosen("meaning")])];
    const inOrder = (candidates: typeof first) => candidates.toSorted((a, b) => a.seq - b.seq);
    deepStrictEqual(inOrder([...first, ...second]), inOrder(scored(all, new Set())));
  }));
});
