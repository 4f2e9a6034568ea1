/** A look that is taken again and again while a server runs, whatever came of the one before. */

import { describeError, type Log } from "./log.ts";
import type { Timers } from "./timers.ts";

/** What is looked after, and how often. */
export interface Round {
  /** What the log says when a look failed, e.g. "maintenance was not queued". */
  readonly failure: string;
  readonly everyMs: number;
  look(): Promise<unknown>;
}

/** Takes a look every so often until it is stopped; one that fails is told of and taken again. */
export class Schedule {
  readonly #round: Round;
  readonly #rooms: { readonly timers: Timers; readonly log: Log };
  #cancel = () => {};
  #stopped = false;

  constructor(round: Round, rooms: { readonly timers: Timers; readonly log: Log }) {
    this.#round = round;
    this.#rooms = rooms;
  }

  start(): void {
    this.#cancel = this.#rooms.timers.after(this.#round.everyMs, () => void this.#look());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    try {
      await this.#round.look();
    } catch (error) {
      this.#rooms.log.warn(this.#round.failure, { error: describeError(error) });
    }
    if (!this.#stopped) this.start();
  }
}
