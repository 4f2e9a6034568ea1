/** Failures by address: whoever fails too often within a while has to wait. */

import type { Clock } from "./clock.ts";
import { ApiError } from "./errors.ts";

/** Addresses that are remembered; past it, those that failed longest ago are forgotten. */
const MAX_ADDRESSES = 10_000;

/** How many failures an address may have, within how long. */
export interface FailureLimit {
  readonly maxFailures: number;
  readonly windowMs: number;
}

/** Counts failures in memory: a restart forgets them, but takes longer than it saves a guesser. */
export class FailureLimiter {
  readonly #clock: Clock;
  readonly #limit: FailureLimit;
  /** Times of failures, oldest first; the address that failed last at the end. */
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, limit: FailureLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** @throws ApiError RATE_LIMITED, with `message`, while the address has to wait */
  requireAllowed(address: string, message: string): void {
    const { maxFailures, windowMs } = this.#limit;
    const recent = this.#recent(address);
    if (recent.length < maxFailures) return;
    const retryAfter = Math.ceil((recent.at(-maxFailures)! + windowMs - this.#clock.now()) / 1_000);
    throw new ApiError("RATE_LIMITED", message, { retryAfter, allowance: maxFailures });
  }

  /** Counts a failure of an address. */
  record(address: string): void {
    const recent = this.#recent(address);
    recent.push(this.#clock.now());
    this.#times.delete(address);
    this.#times.set(address, recent);
    this.#evictOld();
  }

  /** Forgets the failures of an address, e.g. after a success. */
  clear(address: string): void {
    this.#times.delete(address);
  }

  #recent(address: string): number[] {
    const times = this.#times.get(address) ?? [];
    const since = this.#clock.now() - this.#limit.windowMs;
    return times.filter((time) => time > since);
  }

  /** Keeps no more than the failures of one window, and no more than so many addresses. */
  #evictOld(): void {
    const since = this.#clock.now() - this.#limit.windowMs;
    for (const [address, times] of this.#times) {
      if (times.at(-1)! > since && this.#times.size <= MAX_ADDRESSES) return;
      this.#times.delete(address);
    }
  }
}
