/** Computes the delay between attempts at a task. */

import type { Random } from "../kernel/ids.ts";

const INITIAL_BACKOFF_MS = 10_000;
const BACKOFF_FACTOR = 3;
/** Longest delay between attempts, in milliseconds. */
export const MAX_BACKOFF_MS = 15 * 60_000;

/**
 * Random variation of the delay in either direction, so tasks that failed together aren't retried
 * together.
 */
const JITTER = 0.1;

/**
 * Returns the delay after a failed attempt, in milliseconds: 10, 30, 90, 270 s, each ±10 %. A
 * longer delay requested by the provider wins, up to 15 minutes.
 *
 * @param attempt number of the failed attempt, starting at 1
 * @param retryAfterMs delay requested by the provider; defaults to 0
 */
export function backoffMs(attempt: number, random: Random, retryAfterMs = 0): number {
  const delay = INITIAL_BACKOFF_MS * BACKOFF_FACTOR ** (attempt - 1) *
    (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.min(Math.max(delay, retryAfterMs), MAX_BACKOFF_MS));
}
