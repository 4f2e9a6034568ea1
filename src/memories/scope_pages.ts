/** Divides the memories of a scope into pages, so that reading all of them doesn't block the event loop. */

import sql, { empty, type Sql } from "sql-template-tag";
import type { Scope } from "../contract/fields.ts";
import { yieldToEventLoop } from "../kernel/timers.ts";
import type { Reader, Store } from "../store/store.ts";
import { inSmallestScope, smallestScope } from "./scope_counters.ts";

/** Maximum number of memories in a page. With claims, they take about 10 ms. */
export const PAGE_MEMORIES = 500;

/** Maximum number of memories to read while other reads wait. */
const MAX_SHARED_MEMORIES = 5_000;

/**
 * Yields a condition on memories `m` for each page of a scope, oldest memory first. Yields to the event
 * loop after each page.
 */
export async function* scopePages(
  db: Reader,
  project: number,
  scope: Scope,
): AsyncGenerator<Sql, void> {
  const inScope = sql`m.project = ${project} ${await inSmallestScope(db, project, scope)}`;
  for (let after = empty;;) {
    const last = await db.first<{ created_at: string; id: string }>(sql`
      select created_at, id from memories m where ${inScope} ${after}
      order by created_at, id limit 1 offset ${PAGE_MEMORIES - 1}`);
    if (last === undefined) return yield sql`${inScope} ${after}`;
    const key = sql`(${last.created_at}, ${last.id})`;
    yield sql`${inScope} ${after} and (m.created_at, m.id) <= ${key}`;
    after = sql`and (m.created_at, m.id) > ${key}`;
    await yieldToEventLoop();
  }
}

/** Runs reads of whole scopes. */
export class ScopeReads {
  readonly #store: Store;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Runs reads of a scope that all see the database at the same point in time. Those of a large scope
   * have a snapshot of their own, which takes longer, but no other read waits for them. Only one such
   * scope is read at a time.
   */
  async read<T extends object>(
    project: number,
    scope: Scope,
    work: (db: Reader) => Promise<T>,
  ): Promise<T> {
    const read = await this.#store.read(async (db) => {
      const { size } = await smallestScope(db, project, scope);
      return size <= MAX_SHARED_MEMORIES ? await work(db) : null;
    });
    if (read !== null) return read;
    const turn = this.#last.then(() => this.#onSnapshot(work));
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #onSnapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    const snapshot = await this.#store.snapshot();
    try {
      return await work(snapshot);
    } finally {
      await snapshot.close();
    }
  }
}
