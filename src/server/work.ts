/** What a house does in the background: its tasks, its regular turns, its vectors. */

import type { Log } from "../kernel/log.ts";
import { Schedule } from "../kernel/schedule.ts";
import { systemTimers } from "../kernel/timers.ts";
import { maintenanceRound } from "../tasks/maintenance.ts";
import { TaskRunner } from "../tasks/runner.ts";
import type { House } from "./house.ts";

/** The background work of a house, begun once and ended once. */
export class HouseWork {
  readonly #house: House;
  readonly #log: Log;
  readonly #runner: TaskRunner;
  readonly #schedules: readonly Schedule[];

  constructor(house: House, log: Log) {
    const { foundation, queue, follower } = house;
    const rooms = { ...foundation, timers: systemTimers, log };
    this.#house = house;
    this.#log = log;
    this.#runner = new TaskRunner({ ...rooms, queue });
    this.#schedules = [maintenanceRound(foundation), follower.round()]
      .map((round) => new Schedule(round, rooms));
  }

  /** Takes up what was left behind, and begins. */
  async start(): Promise<void> {
    await this.#runner.start();
    this.#house.projection?.start(this.#log);
    for (const schedule of this.#schedules) schedule.start();
  }

  /** Begins nothing new by itself; tasks and vectors go on. */
  ease(): void {
    for (const schedule of this.#schedules) schedule.stop();
  }

  /** Resolves when no task runs any more: each is finished, or given back. */
  finishTasks(): Promise<void> {
    return this.#runner.stop();
  }
}
