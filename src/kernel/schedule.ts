/** Work that is repeated for as long as a server runs, whether or not it failed the last time. */

import { describeError, type Log } from "./log.ts";
import type { Timers } from "./timers.ts";

/** What is repeated, and how often. */
export interface Round {
  /** What the log says when `look` fails, e.g. "maintenance was not queued". */
  readonly failure: string;
  /** From the end of one `look` to the beginning of the next. */
  readonly everyMs: number;
  look(): Promise<unknown>;
}

/** Repeats a round until it is stopped; failures go to the log. */
export class Schedule {
  readonly #round: Round;
  readonly #deps: { readonly timers: Timers; readonly log: Log };
  #cancel = () => {};
  #stopped = false;

  constructor(round: Round, deps: { readonly timers: Timers; readonly log: Log }) {
    this.#round = round;
    this.#deps = deps;
  }

  start(): void {
    this.#cancel = this.#deps.timers.after(this.#round.everyMs, () => void this.#look());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    try {
      await this.#round.look();
    } catch (error) {
      this.#deps.log.warn(this.#round.failure, { error: describeError(error) });
    }
    if (!this.#stopped) this.start();
  }
}
