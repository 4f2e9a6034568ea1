/** Failed attempts to sign in, by address: who fails too often has to wait. */

import type { Clock } from "../kernel/clock.ts";

/** So many failures within so long, and an address is refused. */
export const MOST_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;

/** Addresses that are remembered; past it, those that failed longest ago are forgotten. */
const MOST_ADDRESSES = 10_000;

/** Counts failures in memory: a restart forgets them, and takes longer than guessing is worth. */
export class Failures {
  readonly #clock: Clock;
  /** Times of failures, the address that failed last at the end. */
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until the address may try again; 0 when it may now. */
  waitOf(address: string): number {
    const recent = this.#recent(address);
    if (recent.length < MOST_FAILURES) return 0;
    return Math.ceil((recent.at(-MOST_FAILURES)! + WINDOW_MS - this.#clock.now()) / 1_000);
  }

  note(address: string): void {
    const recent = this.#recent(address);
    this.#times.delete(address);
    this.#times.set(address, [...recent, this.#clock.now()]);
    if (this.#times.size > MOST_ADDRESSES) this.#times.delete(this.#times.keys().next().value!);
  }

  forget(address: string): void {
    this.#times.delete(address);
  }

  #recent(address: string): number[] {
    const since = this.#clock.now() - WINDOW_MS;
    return (this.#times.get(address) ?? []).filter((time) => time > since);
  }
}
