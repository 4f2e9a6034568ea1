/** Logs which projects can't be searched by meaning as well as possible. */

import sql from "sql-template-tag";
import type { Log } from "../kernel/log.ts";
import { PeriodicRunner } from "../kernel/process/periodic_job.ts";
import { type Timers, yieldToEventLoop } from "../kernel/timers.ts";
import type { Store } from "../store/store.ts";
import { type AdviceOptions, embedderAdvice } from "./embedder_advice.ts";

/** Number of projects to check in a round. Each takes a few milliseconds. */
const ROUND_PROJECTS = 100;

/** Time between two rounds, in milliseconds. */
const ROUND_INTERVAL_MS = 10 * 60_000;

/** Dependencies of the log. */
export interface AdviceLogDeps {
  readonly store: Pick<Store, "read">;
  readonly options: () => AdviceOptions;
  readonly timers: Timers;
  readonly log: Log;
}

/** Checks all projects, some of them in each round, and logs new advice about each. */
export class AdviceLog {
  readonly #deps: AdviceLogDeps;
  readonly #runner: PeriodicRunner;
  /** What was logged last, by the number of the project. */
  readonly #logged = new Map<number, string>();
  /** The last project checked. The next round continues after it. */
  #last = 0;
  #stopped = false;

  constructor(deps: AdviceLogDeps) {
    this.#deps = deps;
    this.#runner = new PeriodicRunner({
      failureMessage: "projects were not checked for advice",
      intervalMs: ROUND_INTERVAL_MS,
      run: () => this.#checkRound(),
    }, deps);
  }

  /** Starts the first round soon. Nothing waits for it. */
  start(): void {
    this.#runner.start(0);
  }

  /** Ends the current round. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#runner.stop();
  }

  /** Requests come in between the projects. */
  async #checkRound(): Promise<void> {
    const { store, options, log } = this.#deps;
    const projects = await store.read((db) =>
      db.all<{ number: number; id: string }>(sql`select number, id from projects
        where number > ${this.#last} and deleted_at is null
        order by number limit ${ROUND_PROJECTS}`)
    );
    const first = this.#last + 1;
    const isEnd = projects.length < ROUND_PROJECTS;
    const last = isEnd ? Infinity : projects.at(-1)!.number;
    this.#last = isEnd ? 0 : last;
    this.#forgetDeleted(first, last, new Set(projects.map(({ number }) => number)));
    for (const { number, id } of projects) {
      if (this.#stopped) return;
      const advice = await store.read((db) => embedderAdvice(db, number, options()));
      if (advice === null) this.#logged.delete(number);
      else if (this.#logged.get(number) !== advice) {
        this.#logged.set(number, advice);
        log.warn("embedder advice", { project_id: id, advice });
      }
      await yieldToEventLoop();
    }
  }

  /** Forgets the projects in a range of numbers that were deleted since. */
  #forgetDeleted(first: number, last: number, existing: ReadonlySet<number>): void {
    for (const number of this.#logged.keys()) {
      if (number >= first && number <= last && !existing.has(number)) this.#logged.delete(number);
    }
  }
}
