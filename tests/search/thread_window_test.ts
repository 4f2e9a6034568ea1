/** Checks window bounds against comparing every pair of memories. */

import { deepStrictEqual } from "node:assert/strict";
import { ThreadWindow } from "../../src/search/threads/thread_window.ts";
import { fc } from "../../testing/fast_check.ts";

/** Threads with sorted positions, some of them equal or fractional. */
const THREADS = fc.array(
  fc.array(fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(0.5, 1.25)), { maxLength: 12 })
    .map((positions) => positions.toSorted((a, b) => a - b)),
  { maxLength: 5 },
);

Deno.test("ThreadWindow.windowBounds() covers the nearby memories in a thread, and none in other threads", () => {
  fc.assert(fc.property(THREADS, fc.nat(4), (threads, maxSteps) => {
    const all = threads.flatMap((positions, thread) =>
      positions.map((position) => ({ thread: -thread, position }))
    );
    const threadWindow = new ThreadWindow(all.length);
    threadWindow.threads.set(all.map(({ thread }) => thread));
    threadWindow.positions.set(all.map(({ position }) => position));
    const { first, end } = threadWindow.windowBounds(maxSteps);
    for (const [at, { thread, position }] of all.entries()) {
      const near = [...all.keys()].filter((other) =>
        all[other]!.thread === thread && Math.abs(all[other]!.position - position) <= maxSteps
      );
      deepStrictEqual([...all.keys()].slice(first[at], end[at]), near);
    }
  }));
});
