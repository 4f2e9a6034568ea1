/** What stands near a place is what a look at every other place finds near. */

import { deepStrictEqual } from "node:assert/strict";
import { ThreadWindow } from "../../src/search/threads/thread_window.ts";
import { fc } from "../../testing/fast_check.ts";

/** Threads of places in their order; some stand at one position, or between two. */
const THREADS = fc.array(
  fc.array(fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(0.5, 1.25)), { maxLength: 12 })
    .map((positions) => positions.toSorted((a, b) => a - b)),
  { maxLength: 5 },
);

Deno.test("windows hold the places of a thread that are near, and none of another", () => {
  fc.assert(fc.property(THREADS, fc.nat(4), (threads, most) => {
    const all = threads.flatMap((positions, thread) =>
      positions.map((position) => ({ thread: -thread, position }))
    );
    const places = new ThreadWindow(all.length);
    places.threads.set(all.map(({ thread }) => thread));
    places.positions.set(all.map(({ position }) => position));
    const { first, end } = places.windowBounds(most);
    for (const [at, { thread, position }] of all.entries()) {
      const near = [...all.keys()].filter((other) =>
        all[other]!.thread === thread && Math.abs(all[other]!.position - position) <= most
      );
      deepStrictEqual([...all.keys()].slice(first[at], end[at]), near);
    }
  }));
});
