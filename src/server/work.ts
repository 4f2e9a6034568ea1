/** What a house does in the background: its tasks, its regular turns, its vectors. */

import { DerivedSchedule } from "../derived/follow.ts";
import type { Log } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import { MaintenanceSchedule } from "../tasks/maintenance.ts";
import { TaskRunner } from "../tasks/runner.ts";
import type { House } from "./house.ts";

/** The background work of a house, begun once and ended once. */
export class HouseWork {
  readonly #house: House;
  readonly #log: Log;
  readonly #runner: TaskRunner;
  readonly #maintenance: MaintenanceSchedule;
  readonly #derivation: DerivedSchedule;

  constructor(house: House, log: Log) {
    const { foundation, queue, follower } = house;
    const rooms = { ...foundation, timers: systemTimers, log };
    this.#house = house;
    this.#log = log;
    this.#runner = new TaskRunner({ ...rooms, queue });
    this.#maintenance = new MaintenanceSchedule(rooms);
    this.#derivation = new DerivedSchedule(follower, rooms);
  }

  /** Takes up what was left behind, and begins. */
  async start(): Promise<void> {
    await this.#runner.start();
    this.#maintenance.start();
    this.#house.projection?.start(this.#log);
    this.#derivation.start();
  }

  /** Begins nothing new by itself; tasks and vectors go on. */
  ease(): void {
    this.#maintenance.stop();
    this.#derivation.stop();
  }

  /** Resolves when no task runs any more: each is finished, or given back. */
  finishTasks(): Promise<void> {
    return this.#runner.stop();
  }
}
