/** Timers passed as a parameter, so code that waits can run in simulated time. */

import { clearTimeout, setTimeout } from "node:timers";

/** Schedules callbacks. */
export interface Timers {
  /** Calls `run` once after a delay. Returns a function to cancel it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** This machine's timers. */
export const systemTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after a delay, or as soon as the signal aborts. */
export function delay(timers: Timers, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      // A signal can outlive any number of delays.
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timers.after(milliseconds, end);
    signal?.addEventListener("abort", end);
  });
}

/**
 * Waits for work, but only for some time. Returns whether it has ended by then. If it fails later,
 * the error is ignored.
 */
export async function waitAtMost(
  timers: Timers,
  milliseconds: number,
  work: Promise<unknown>,
): Promise<boolean> {
  const isOver = new AbortController();
  try {
    return await Promise.race([
      work.then(() => true),
      delay(timers, milliseconds, isOver.signal).then(() => false),
    ]);
  } finally {
    isOver.abort();
  }
}

/**
 * Yields to the event loop, so incoming requests and completed work are handled. We use a timer,
 * since immediates run before the event loop polls its sockets again (measured with Deno 2.9.6: in
 * a loop of immediates, requests wait for about 60 iterations).
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

/** Time slice for long computations, in milliseconds. */
const TIME_SLICE_MS = 8;

/**
 * Runs a long computation in time slices, yielding to the event loop in between.
 *
 * @param work computation that yields wherever it can be interrupted
 * @returns the return value of `work`
 * @throws the signal's reason if it aborts
 *
 * @example
 * ```ts
 * import { runInTimeSlices } from "./timers.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * function* sum(numbers: number[]) {
 *   let total = 0;
 *   for (const number of numbers) {
 *     total += number;
 *     yield;
 *   }
 *   return total;
 * }
 * strictEqual(await runInTimeSlices(sum([1, 2, 3])), 6);
 * ```
 */
export async function runInTimeSlices<T>(
  work: Generator<void, T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let start = performance.now();;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - start < TIME_SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    start = performance.now();
  }
}
