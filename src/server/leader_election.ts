/**
 * Decides which process does the background work when several have the same data directory open.
 * That's the server if there is one, otherwise one of the local MCP processes.
 *
 * A local process is either idle (a server is running, or another local process is working) or
 * working (it holds the work lock). It polls every second. If a server starts while a local process
 * is working, both can work for up to a second. This is safe because leases fence off tasks, and a
 * vector written twice has the same value both times.
 */

import type { Log } from "../kernel/log.ts";
import { describeError } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Services } from "./services.ts";
import { isServerRunning, tryLockBackgroundWork } from "./lock.ts";
import { BackgroundWork } from "./background_work.ts";

/** How often a process checks whether it's its turn to work, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** Elects the process doing a data directory's background work. */
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

  /** Checks right away, then periodically. */
  start(): void {
    this.#polling = this.#poll().catch((error: unknown) => {
      this.#log.warn("leader election failed", { error: describeError(error) });
    }).finally(() => {
      if (!this.#stopped) this.#cancel = systemTimers.after(POLL_INTERVAL_MS, () => this.start());
    });
  }

  /** Stops for good: gives up the background work and closes the embedder. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#polling;
    await this.#stepDown(() => this.#services.embedder?.close());
  }

  async #poll(): Promise<void> {
    if (this.#stopped) return;
    const hasServer = isServerRunning(this.#directory);
    if (hasServer && this.#leadership !== null) return await this.#stepDown(() => {});
    if (hasServer || this.#leadership !== null) return;
    const unlock = tryLockBackgroundWork(this.#directory);
    if (unlock === null) return;
    const work = new BackgroundWork(this.#services, this.#log);
    this.#leadership = { work, unlock };
    await work.start();
    this.#log.info("background work started in this process");
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
    this.#log.info("background work handed over to another process");
  }
}
