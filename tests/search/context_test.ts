/**
 * Checks that a memory's score in context doesn't depend on which others are scored along with it.
 */

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

/** Memories from a few threads or none, in the order they were added. */
const MEMORIES = fc.array(
  fc.record({
    thread: fc.option(fc.nat(2)),
    terms: fc.subarray(TERMS),
    asks: fc.nat(1),
    dated: fc.boolean(),
    lexical: fc.boolean(),
    similar: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

Deno.test("scoreInContext() returns the same candidates for hits in two calls as in one, and each candidate once", () => {
  fc.assert(fc.property(MEMORIES, (memories) => {
    const index = new ThreadIndex();
    const last = new Map<number | null, number>();
    for (const [at, { thread, terms, asks, dated }] of memories.entries()) {
      const seq = at + 1;
      const before = thread === null ? null : last.get(thread) ?? null;
      const event_date = dated ? "2026-03-01T00:00:00.000Z" : null;
      index.set(
        { seq, id: `memory-${seq}`, thread, position: at, event_date, asks, before },
        Uint32Array.from(terms, ({ hash }) => hash),
      );
      last.set(thread, seq);
    }
    const score = (found: readonly number[], alreadyScored: ReadonlySet<number>) =>
      scoreInContext(index.windowAround(TERMS, found, WINDOW_STEPS), TERMS, found, alreadyScored)
        .candidates
        .map(({ seq, relevance }) => ({ seq, relevance }));
    const hits = (list: "lexical" | "similar") =>
      memories.flatMap((memory, at) => memory[list] ? [at + 1] : []);
    const first = score(hits("lexical"), new Set());
    const second = score(hits("similar"), new Set(first.map(({ seq }) => seq)));
    const all = [...new Set([...hits("lexical"), ...hits("similar")])];
    const sorted = (candidates: typeof first) => candidates.toSorted((a, b) => a.seq - b.seq);
    deepStrictEqual(sorted([...first, ...second]), sorted(score(all, new Set())));
  }));
});
