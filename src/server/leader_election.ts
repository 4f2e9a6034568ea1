/**
 * Who does the background work of a data directory that several processes have open: the server
 * while there is one, else one of the local MCP processes.
 *
 * States of a local process: idle (a server runs, or another local process works), working (it
 * holds the work lock). It looks every second. When a server starts beside a working process, both
 * may work for up to that second: leases fence tasks, and a vector written twice is the same one.
 */

import type { Log } from "../kernel/log.ts";
import { describeError } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Services } from "./services.ts";
import { isServerRunning, tryLockBackgroundWork } from "./lock.ts";
import { BackgroundWork } from "./background_work.ts";

/** How often a process looks whether the work is its own. */
const POLL_INTERVAL_MS = 1_000;

/** The part that one process takes in the background work of its data directory. */
export class BackgroundLeader {
  readonly #services: Services;
  readonly #directory: string;
  readonly #log: Log;
  #leadership: { readonly work: BackgroundWork; readonly unlock: () => void } | null = null;
  #polling: Promise<void> = Promise.resolve();
  #stopped = false;
  #cancel = () => {};

  constructor(services: Services, directory: string, log: Log) {
    this.#services = services;
    this.#directory = directory;
    this.#log = log;
  }

  /** Looks now, and from now on. */
  start(): void {
    this.#polling = this.#poll().catch((error: unknown) => {
      this.#log.warn("the work was not shared", { error: describeError(error) });
    }).finally(() => {
      if (!this.#stopped) this.#cancel = systemTimers.after(POLL_INTERVAL_MS, () => this.start());
    });
  }

  /** Gives the work up, for good. The embedder is closed then. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#polling;
    await this.#stepDown(() => this.#services.embedder?.close());
  }

  async #poll(): Promise<void> {
    if (this.#stopped) return;
    const beside = isServerRunning(this.#directory);
    if (beside && this.#leadership !== null) return await this.#stepDown(() => {});
    if (beside || this.#leadership !== null) return;
    const unlock = tryLockBackgroundWork(this.#directory);
    if (unlock === null) return;
    const work = new BackgroundWork(this.#services, this.#log);
    this.#leadership = { work, unlock };
    await work.start();
    this.#log.info("this process does the work");
  }

  async #stepDown(finish: () => void): Promise<void> {
    if (this.#leadership === null) return finish();
    const { work, unlock } = this.#leadership;
    this.#leadership = null;
    work.stopScheduling();
    await work.finishTasks();
    finish();
    await this.#services.projection?.stop();
    unlock();
    this.#log.info("this process leaves the work to another");
  }
}
