/**
 * Decides which projects to check for lagging views. Twice a second, that's those whose journal has
 * grown. All projects are checked at the start, and then every minute for what isn't in the journal:
 * an instance can have a hundred thousand of them.
 */

import sql from "sql-template-tag";
import type { AppContext } from "../contract/app_context.ts";
import { behindProjects } from "./repository.ts";

/** How often to check all projects, in milliseconds. */
const FULL_CHECK_INTERVAL_MS = 60_000;

/** At this many projects, only those whose journal grows are added. */
const MAX_OTHERS = 1_000;

/** The projects to check, while a process queues derivation. */
export class LagWatch {
  readonly #appContext: AppContext;
  readonly #reader: string;
  /** Projects that were changed and whose views don't include it yet, as far as known. */
  #behind: readonly number[] = [];
  /** End of the part of the journal that has been read. Undefined at first. */
  #followedTo: number | undefined;
  #fullCheckAt = -Infinity;

  /** @param reader engine and version that reads the texts */
  constructor(appContext: AppContext, reader: string) {
    this.#appContext = appContext;
    this.#reader = reader;
  }

  /**
   * Runs a check.
   *
   * @param check called with the projects to check, or null for all. Returns some of those that
   *   lagged behind
   */
  async run(
    check: (projects: readonly number[] | null) => Promise<readonly number[]>,
  ): Promise<void> {
    const { store, clock } = this.#appContext;
    const end = await store.journalEnd();
    const from = this.#followedTo ?? end;
    const changed = from === end ? [] : await store.read((db) =>
      db.all<{ project: number }>(
        sql`select distinct project from journal where seq > ${from} and seq <= ${end}`,
      )
    );
    const candidates = new Set([...this.#behind, ...changed.map(({ project }) => project)]);
    // A run that is about to end may have missed the latest change, so its project stays here.
    this.#behind = candidates.size === 0
      ? []
      : await store.read((db) => behindProjects(db, this.#reader, [...candidates]));
    this.#followedTo = end;
    if (clock.now() >= this.#fullCheckAt) {
      const found = await check(null);
      if (found.length === 0) this.#fullCheckAt = clock.now() + FULL_CHECK_INTERVAL_MS;
      // An older program that takes a run during an upgrade leaves it to the next one.
      if (this.#behind.length < MAX_OTHERS) this.#behind = [...this.#behind, ...found];
    } else if (this.#behind.length > 0) await check(this.#behind);
  }
}
