/** How long a task waits after an attempt that failed. */

import type { Random } from "../kernel/ids.ts";

const INITIAL_BACKOFF_MS = 10_000;
const BACKOFF_FACTOR = 3;
const MAX_BACKOFF_MS = 15 * 60_000;

/** Waits are spread by this share to either side, so that what failed together returns apart. */
const JITTER = 0.1;

/**
 * Milliseconds until the attempt after `attempt`: 10, 30, 90, 270 s, each ±10 %, or what the
 * provider asked for if that is longer, at most 15 minutes.
 */
export function backoffMs(attempt: number, random: Random, retryAfterMs = 0): number {
  const wait = INITIAL_BACKOFF_MS * BACKOFF_FACTOR ** (attempt - 1) *
    (1 + JITTER * (2 * random() - 1));
  return Math.round(Math.min(Math.max(wait, retryAfterMs), MAX_BACKOFF_MS));
}
