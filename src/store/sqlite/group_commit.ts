/**
 * The only writer. Units of work waiting at the same time share a transaction, and with it the
 * fsync required by `synchronous=FULL`. Each unit completes after the shared commit.
 *
 * A group is open (running its units one after the other), committed (all of them are complete), or
 * rolled back because a unit failed after changing something. In the latter case, it runs again
 * with a savepoint around each unit, so a failing unit only loses its own changes. We don't use
 * savepoints the first time, since each makes FTS5 write its pending terms as a separate segment
 * (measured: 1.9 times the cost of an add).
 *
 * Between groups, another thread in this process can take the lock (`runExclusive`). Units wait for
 * it just as they wait for a group, without blocking the event loop.
 */

import { clearImmediate, setImmediate } from "node:timers";
import type { Sql } from "sql-template-tag";
import type { Channel, Tx } from "../store.ts";
import { type Connection, isLocked } from "./connection.ts";
import { requireCurrentProgram } from "./migrations.ts";

/**
 * Beyond about 64 units, larger groups only add latency (measured: 128 clients aren't faster than
 * 32).
 */
const MAX_GROUP_UNITS = 64;

/**
 * How long a group waits for another process's write lock, and how long it waits between attempts.
 */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_RETRY_MS = 15;

interface Unit {
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly complete: (outcome: Outcome) => void;
}

/** Never rejects: the error only goes to the caller of `runExclusive`. */
type ExclusiveWork = () => Promise<void>;

type Outcome =
  | { readonly value: unknown; readonly notices: readonly Channel[] }
  | { readonly error: unknown };

/** Queues units of work and commits them in groups. */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #notify: (channel: Channel) => void;
  readonly #afterWrite: () => void;
  /** In order of arrival. */
  readonly #queue: (Unit | ExclusiveWork)[] = [];
  #running: Promise<void> | null = null;

  /**
   * @param notify called with every channel the unit notified, before a committed unit completes
   * @param afterWrite called after each group and each exclusive piece of work
   */
  constructor(
    connection: Connection,
    notify: (channel: Channel) => void,
    afterWrite: () => void = () => {},
  ) {
    this.#connection = connection;
    this.#notify = notify;
    this.#afterWrite = afterWrite;
  }

  /** Runs a unit of work. Resolves after its commit, or rejects if the unit or the commit fails. */
  submit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        work,
        complete: (outcome) =>
          "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T),
      });
      this.#running ??= this.#drain();
    });
  }

  /** Runs work that writes from another thread. No units of work run until it settles. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Also rejects with errors thrown before `work` returns a promise, e.g. if a thread can't be
      // started.
      this.#queue.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
      this.#running ??= this.#drain();
    });
  }

  /** Whether anything is queued or running. */
  get busy(): boolean {
    return this.#running !== null;
  }

  /** Resolves when nothing is queued or running. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Wait for one turn of the event loop, so requests that have already arrived can join this
      // group.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const group = this.#takeUnits();
      if (group.length > 0) await this.#runGroup(group);
      else await (this.#queue.shift() as ExclusiveWork)();
      this.#afterWrite();
    }
    this.#running = null;
  }

  /** Removes and returns the units ahead of the next exclusive work. */
  #takeUnits(): Unit[] {
    const group: Unit[] = [];
    for (const next of this.#queue) {
      if (typeof next === "function" || group.length === MAX_GROUP_UNITS) break;
      group.push(next);
    }
    this.#queue.splice(0, group.length);
    return group;
  }

  async #runGroup(group: readonly Unit[]): Promise<void> {
    const outcomes = await this.#commit(group).catch((error: unknown) =>
      group.map((): Outcome => ({ error }))
    );
    const notices = outcomes.flatMap((outcome) => "error" in outcome ? [] : outcome.notices);
    for (const channel of new Set(notices)) this.#notify(channel);
    group.forEach((unit, index) => unit.complete(outcomes[index]!));
  }

  async #commit(group: readonly Unit[]): Promise<readonly Outcome[]> {
    try {
      await this.#begin();
      let outcomes = await this.#runTogether(group);
      if (outcomes === null) {
        if (this.#connection.inTransaction) this.#connection.exec("rollback");
        await this.#begin();
        outcomes = await this.#runWithSavepoints(group);
      }
      this.#connection.exec("commit");
      return outcomes;
    } finally {
      // SQLite ends the transaction itself after some errors, e.g. a full disk, but not after
      // others.
      if (this.#connection.inTransaction) this.#connection.exec("rollback");
    }
  }

  /** Begins a transaction. A local process can run for weeks, beyond an update of the program. */
  async #begin(): Promise<void> {
    await this.#lock();
    requireCurrentProgram(this.#connection);
  }

  async #lock(): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    while (true) {
      try {
        return this.#connection.exec("begin immediate");
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
      }
    }
  }

  /**
   * Returns null if a unit failed after changing something; the units need to run separately then.
   */
  async #runTogether(group: readonly Unit[]): Promise<Outcome[] | null> {
    const outcomes: Outcome[] = [];
    for (const unit of group) {
      const tx = new UnitTx(this.#connection);
      const outcome = await runUnit(unit, tx);
      if ("error" in outcome && tx.changed) return null;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #runWithSavepoints(group: readonly Unit[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const unit of group) {
      this.#connection.exec("savepoint unit");
      const outcome = await runUnit(unit, new UnitTx(this.#connection));
      if ("error" in outcome) {
        // A full or failing disk ended the whole transaction, so all units' changes are lost.
        if (!this.#connection.inTransaction) throw outcome.error;
        this.#connection.exec("rollback to unit");
      }
      this.#connection.exec("release unit");
      outcomes.push(outcome);
    }
    return outcomes;
  }
}

/**
 * Runs one unit. A unit that waits for anything other than its transaction fails at the next turn
 * of the event loop. Otherwise it would block all other writers.
 */
async function runUnit(unit: Unit, tx: UnitTx): Promise<Outcome> {
  let timer: ReturnType<typeof setImmediate> | undefined;
  const overrun = new Promise<Outcome>((resolve) => {
    timer = setImmediate(() =>
      resolve({
        error: new Error("A unit of work must not wait for anything outside its transaction"),
      })
    );
  });
  const finished = unit.work(tx).then(
    (value): Outcome => tx.postError ?? { value, notices: tx.notices },
    (error: unknown): Outcome => ({ error }),
  );
  const outcome = await Promise.race([finished, overrun]);
  clearImmediate(timer);
  tx.close();
  return outcome;
}

/** The transaction as seen by one unit. Can't be used once the unit has ended. */
class UnitTx implements Tx {
  readonly #connection: Connection;
  #open = true;
  changed = false;
  /** The error of the first posted change that failed. */
  postError: { readonly error: unknown } | undefined;
  readonly notices: Channel[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  close(): void {
    this.#open = false;
  }

  // deno-lint-ignore require-await -- the engines behind this boundary need not be synchronous
  async all<Row>(query: Sql): Promise<Row[]> {
    return this.#use(query).all<Row>(query);
  }

  // deno-lint-ignore require-await -- as above
  async first<Row>(query: Sql): Promise<Row | undefined> {
    return this.#use(query).first<Row>(query);
  }

  // deno-lint-ignore require-await -- as above
  async run(query: Sql): Promise<number> {
    return this.#use(query).run(query);
  }

  post(query: Sql): void {
    const connection = this.#use(query);
    try {
      connection.run(query);
    } catch (error) {
      this.postError ??= { error };
    }
  }

  // deno-lint-ignore require-await -- as above
  async insert(query: Sql): Promise<number> {
    return this.#use(query).insert(query);
  }

  notify(channel: Channel): void {
    this.notices.push(channel);
  }

  #use(query: Sql): Connection {
    if (!this.#open) throw new Error("A unit of work used its transaction after it had ended");
    // Some errors end the transaction, so anything after it must not run.
    if (this.postError !== undefined) throw this.postError.error;
    this.changed ||= !query.sql.trimStart().startsWith("select");
    return this.#connection;
  }
}
