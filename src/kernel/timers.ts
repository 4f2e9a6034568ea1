/** Waiting as a parameter, so that what waits can be run in simulated time. */

import { clearTimeout, setTimeout } from "node:timers";

/** Calls back later. */
export interface Timers {
  /** Calls `run` once after so many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export function delay(timers: Timers, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = timers.after(milliseconds, resolve);
    signal?.addEventListener("abort", () => {
      cancel();
      resolve();
    }, { once: true });
  });
}

/**
 * Lets everything else have its turn: requests that have arrived, answers that are ready. A timer,
 * because immediates run before the event loop looks at its sockets again (measured with Deno
 * 2.9.6: requests beside a loop of immediates wait for some 60 of its turns).
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}

/** How long a slice of a long computation may be. */
const TIME_SLICE_MS = 8;

/** Runs a long computation that gives way now and then; others have their turn between two slices. */
export async function runInTimeSlices<T>(
  work: Generator<void, T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let begun = performance.now();;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - begun < TIME_SLICE_MS) continue;
    await yieldToEventLoop();
    signal?.throwIfAborted();
    begun = performance.now();
  }
}
