/**
 * Decides which process does the work that only one should do, when several use the same records.
 *
 * In a data directory, that's the server if there is one, otherwise one of the local MCP processes.
 * If a server starts while a local process is working, both can work for up to a second. On
 * PostgreSQL, it's the process that holds an advisory lock. Either is safe because leases fence off
 * tasks, and a vector written twice has the same value both times.
 */

import type { Log } from "../kernel/log.ts";
import { describeError } from "../kernel/log.ts";
import { systemTimers } from "../kernel/timers.ts";
import type { Election, Lead, Membership } from "../store/membership.ts";
import { isOutdated } from "../store/sqlite/migrations.ts";
import type { Store } from "../store/store.ts";
import { isServerRunning, tryLockBackgroundWork } from "./lock.ts";

/** How often a process checks whether it's its turn to work, in milliseconds. */
const POLL_INTERVAL_MS = 500;

/** Work that can be started once and stopped once. */
export interface LeaderWork {
  start(): Promise<void>;
  /** @param isFinal whether the process stops too, rather than another one taking over */
  stop(isFinal: boolean): Promise<void>;
}

/** Does the work while this process leads. */
export class LeaderElection {
  readonly #election: Election;
  readonly #makeWork: () => LeaderWork;
  readonly #log: Log;
  #leadership: { readonly work: LeaderWork; readonly lead: Lead } | null = null;
  #polling: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopped = false;
  #cancel = () => {};

  /** @param makeWork called each time that this process begins to lead */
  constructor(election: Election, makeWork: () => LeaderWork, log: Log) {
    this.#election = election;
    this.#makeWork = makeWork;
    this.#log = log;
  }

  /** Checks right away, then periodically. */
  start(): void {
    this.#cancel();
    this.#polling = this.#polling.then(() => this.#poll()).then(
      () => void (this.#failures = 0),
      (error: unknown) => {
        // While the database can't be reached, once is enough.
        if (this.#failures++ > 0) return;
        this.#log.warn("leader election failed", { error: describeError(error) });
      },
    ).finally(() => {
      this.#cancel();
      if (!this.#stopped) this.#cancel = systemTimers.after(POLL_INTERVAL_MS, () => this.start());
    });
  }

  /** Stops for good, and gives up the work. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#polling;
    await this.#stepDown(true);
  }

  async #poll(): Promise<void> {
    if (this.#stopped) return;
    if (this.#leadership !== null) {
      if (await this.#leadership.lead.shouldYield()) await this.#stepDown(false);
      return;
    }
    const lead = await this.#election.tryLead();
    if (lead === null) return;
    const work = this.#makeWork();
    this.#leadership = { work, lead };
    lead.onLost(() => this.start());
    try {
      await work.start();
    } catch (error) {
      await this.#stepDown(false);
      throw error;
    }
    this.#log.info("background work started in this process");
  }

  async #stepDown(isFinal: boolean): Promise<void> {
    if (this.#leadership === null) return;
    const { work, lead } = this.#leadership;
    this.#leadership = null;
    try {
      await work.stop(isFinal);
    } finally {
      lead.release();
    }
    this.#log.info("background work handed over to another process");
  }
}

/**
 * Returns the election among the local processes on a data directory. A server always wins. A
 * process of an older version than the database can't write, so it doesn't lead.
 */
export function dataDirectoryElection(
  directory: string,
  store: Pick<Store, "queryOne">,
): Election {
  const shouldYield = async () => isServerRunning(directory) || await isOutdated(store);
  return {
    async tryLead() {
      const release = await shouldYield() ? null : tryLockBackgroundWork(directory);
      return release && { shouldYield, onLost: () => {}, release };
    },
  };
}

/** Returns the election among the local processes on a database. A server always wins. */
export function localElection(membership: Membership): Election {
  const hasServer = async () => (await membership.members()).some(({ kind }) => kind === "server");
  return {
    async tryLead() {
      const lead = await hasServer() ? null : await membership.tryLead();
      return lead && {
        shouldYield: async () => await lead.shouldYield() || await hasServer(),
        onLost: (listener) => lead.onLost(listener),
        release: () => lead.release(),
      };
    },
  };
}
