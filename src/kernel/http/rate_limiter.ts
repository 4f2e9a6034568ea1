/** Limits how often an address may fail within a time window. */

import type { Clock } from "../clock.ts";
import { ApiError } from "../errors.ts";

/** Maximum number of addresses. Beyond that, those with the oldest failures are dropped. */
const MAX_ADDRESSES = 10_000;

/** Number of failures allowed per address and time window. */
export interface FailureLimit {
  readonly maxFailures: number;
  readonly windowMs: number;
}

/**
 * Counts failures in memory. A restart clears the counts, but takes longer than the wait an
 * attacker would save.
 *
 * @example
 * ```ts
 * import { FailureLimiter } from "./rate_limiter.ts";
 * import { throws } from "node:assert/strict";
 *
 * const limiter = new FailureLimiter({ now: () => 0 }, { maxFailures: 1, windowMs: 60_000 });
 * limiter.requireAllowed("192.0.2.1", "Too many attempts");
 * limiter.record("192.0.2.1");
 * throws(() => limiter.requireAllowed("192.0.2.1", "Too many attempts"), { retryAfter: 60 });
 * ```
 */
export class FailureLimiter {
  readonly #clock: Clock;
  readonly #limit: FailureLimit;
  /**
   * Failure times by address, oldest first. The address with the most recent failure comes last.
   */
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, limit: FailureLimit) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /**
   * Makes sure that an address is within the limit.
   *
   * @throws ApiError RATE_LIMITED with `message` if the address has to wait
   */
  requireAllowed(address: string, message: string): void {
    const { maxFailures, windowMs } = this.#limit;
    const recent = this.#recent(address);
    if (recent.length < maxFailures) return;
    const retryAfter = Math.ceil((recent.at(-maxFailures)! + windowMs - this.#clock.now()) / 1_000);
    throw new ApiError("RATE_LIMITED", message, { retryAfter, allowance: maxFailures });
  }

  /** Records a failure for an address. Only those that decide about the limit are kept. */
  record(address: string): void {
    const recent = [...this.#recent(address), this.#clock.now()].slice(-this.#limit.maxFailures);
    this.#times.delete(address);
    this.#times.set(address, recent);
    this.#evictOld();
  }

  /** Clears an address's failures, e.g. after a success. */
  clear(address: string): void {
    this.#times.delete(address);
  }

  #recent(address: string): number[] {
    const times = this.#times.get(address) ?? [];
    const since = this.#clock.now() - this.#limit.windowMs;
    return times.filter((time) => time > since);
  }

  /**
   * Drops addresses without a failure in the current window, and the oldest ones beyond the
   * maximum.
   */
  #evictOld(): void {
    const since = this.#clock.now() - this.#limit.windowMs;
    for (const [address, times] of this.#times) {
      if (times.at(-1)! > since && this.#times.size <= MAX_ADDRESSES) return;
      this.#times.delete(address);
    }
  }
}
