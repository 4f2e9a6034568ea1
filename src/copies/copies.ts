/**
 * Search copies: what searches read of the projects that this process serves, in a SQLite database
 * of its own. Before a search, the copy is brought up to the project's records. It can be deleted at
 * any time.
 */

import sql from "sql-template-tag";
import { ApiError } from "../kernel/errors.ts";
import { delay, systemTimers } from "../kernel/timers.ts";
import type { SearchGround } from "../search/ground.ts";
import { SqliteStore } from "../store/sqlite/store.ts";
import type { Store } from "../store/store.ts";
import { applyBatch, clearProject } from "./apply.ts";
import { COPY_START, type CopyPosition, projectEnd, readBatch } from "./feed.ts";

/** Folder of the copies in the data directory. */
export const COPY_FOLDER = "search-copy";

/** How long a search waits for its copy, in milliseconds. */
const MAX_WAIT_MS = 20_000;

/** A position, with the models as of then. */
type CopyState = CopyPosition & { readonly models: string };

/** The copies of all projects in one database. */
export class SearchCopies implements SearchGround {
  readonly database: string;
  readonly #records: Store;
  readonly #copy: SqliteStore;
  readonly #states = new Map<number, CopyState>();
  /** Projects that are being brought up, each once at a time. */
  readonly #running = new Map<number, Promise<void>>();
  #closing: Promise<void> | undefined;

  /** @param directory folder for the database */
  constructor(records: Store, directory: string) {
    this.#records = records;
    this.#copy = new SqliteStore(directory);
    this.database = this.#copy.path;
  }

  async ready(project: number): Promise<void> {
    const caughtUp = this.#catchUp(project);
    caughtUp.catch(() => undefined);
    const timeout = new AbortController();
    try {
      await Promise.race([
        caughtUp,
        delay(systemTimers, MAX_WAIT_MS, timeout.signal).then(() => {
          if (timeout.signal.aborted) return;
          throw new ApiError(
            "STORAGE_UNAVAILABLE",
            "The search copy of this project is being filled; search again in a few seconds",
            { retryAfter: 2 },
          );
        }),
      ]);
    } finally {
      timeout.abort();
    }
  }

  close(): Promise<void> {
    return this.#closing ??= Promise.allSettled(this.#running.values())
      .then(() => this.#copy.close());
  }

  /** Resolves when the copy has everything that was acknowledged before the call. */
  async #catchUp(project: number): Promise<void> {
    // One that has begun earlier may have read the records before the latest change.
    await this.#running.get(project)?.catch(() => undefined);
    let running = this.#running.get(project);
    if (running === undefined) {
      running = this.#bringUp(project).finally(() => this.#running.delete(project));
      this.#running.set(project, running);
    }
    await running;
  }

  async #bringUp(project: number): Promise<void> {
    let state = await this.#state(project);
    const end = await projectEnd(this.#records, project, state);
    // After a restore to an earlier moment, numbers are given out a second time.
    if (state.journal > 0 && end.anchor !== state.recordId) {
      await this.#clear(project);
      state = { ...COPY_START, models: "" };
    }
    const isCurrent = state.journal === end.journal && state.vectors === end.vectors &&
      state.accessed === end.accessed && state.models === end.models;
    if (isCurrent) return;
    for (let more = true; more;) {
      const batch = await readBatch(this.#records, project, state);
      state = { ...batch.position, models: end.models };
      const next = state;
      await this.#copy.write(project, async (tx) => {
        await applyBatch(this.#copy, tx, project, batch);
        await tx.run(sql`insert into meta (name, value)
          values (${stateName(project)}, ${JSON.stringify(next)})
          on conflict (name) do update set value = excluded.value`);
      });
      this.#states.set(project, state);
      more = batch.more;
    }
  }

  async #state(project: number): Promise<CopyState> {
    const known = this.#states.get(project);
    if (known !== undefined) return known;
    const stored = await this.#copy.queryOne<{ value: string }>(
      sql`select value from meta where name = ${stateName(project)}`,
    );
    return stored === undefined ? { ...COPY_START, models: "" } : JSON.parse(stored.value);
  }

  /** Removes a project from the copy. */
  async #clear(project: number): Promise<void> {
    this.#states.delete(project);
    await this.#copy.write(project, async (tx) => {
      await clearProject(this.#copy, tx, project);
      await tx.run(sql`delete from meta where name = ${stateName(project)}`);
    });
  }
}

function stateName(project: number): string {
  return `copy.${project}`;
}
