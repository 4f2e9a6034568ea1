/**
 * Runs units of work, those of one owner one after the other. Units that wait at the same time share
 * a transaction, and with it the server's fsync.
 *
 * A group holds its owner's advisory lock until it has committed, so units of other processes wait
 * for it too. If a unit fails after it has changed something, PostgreSQL has nothing like SQLite's
 * savepoints that would be cheap enough: the group is rolled back, and each unit runs in a
 * transaction of its own.
 *
 * If the connection is lost after the commit was sent, no one knows whether it happened. The server
 * is asked for the outcome of the transaction, on another connection.
 */

import { setImmediate } from "node:timers";
import sql, { type Sql } from "sql-template-tag";
import { ApiError } from "../../kernel/errors.ts";
import { delay, systemTimers } from "../../kernel/timers.ts";
import type { Channel, Owner, Tx } from "../store.ts";
import type { PgConnection } from "./connection.ts";
import { isConflict, isConnectionLost, toStorageError } from "./errors.ts";
import { LOCK, ownerLock } from "./locks.ts";
import { outcomeOf, type Transaction, type TransactionOutcome } from "./outcome.ts";
import type { PgPool } from "./pool.ts";
import { render } from "./render.ts";
import { Statements } from "./statements.ts";
import { type Outcome, runUnit, type Unit, UnitTx } from "./unit.ts";

/** Maximum size of a group. Larger ones only add latency. */
const MAX_GROUP_UNITS = 64;

/** After this time, a group is committed even if more units wait, in milliseconds. */
const MAX_GROUP_MS = 50;

/** How often a unit is run again after a conflict or a lost connection. */
const MAX_RUNS = 5;

/** How long to ask for the outcome of a commit, in milliseconds, and how often. */
const OUTCOME_TIMEOUT_MS = 10_000;
const OUTCOME_INTERVAL_MS = 100;

/** The queue of one owner's units. */
export class Lane {
  readonly #pool: PgPool;
  readonly #owner: Owner;
  readonly #notify: (channels: ReadonlySet<Channel>) => void;
  readonly #maxUnitMs: number;
  readonly #queue: Unit[] = [];
  #running: Promise<void> | null = null;

  /**
   * @param notify called after a commit, before its units complete
   * @param maxUnitMs how long a unit can take. It holds its owner's lock for that time
   */
  constructor(
    pool: PgPool,
    owner: Owner,
    notify: (channels: ReadonlySet<Channel>) => void,
    maxUnitMs: number,
  ) {
    this.#pool = pool;
    this.#owner = owner;
    this.#notify = notify;
    this.#maxUnitMs = maxUnitMs;
  }

  /**
   * Runs a unit of work. Resolves after its commit, or rejects if the unit or the commit fails.
   *
   * @param lookup query whose first row is passed to the unit. It's sent together with the lock
   */
  submit<T>(
    work: (tx: Tx, found: unknown) => Promise<T>,
    lookup: Sql | null = null,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({
        lookup,
        work,
        complete: (outcome) =>
          "error" in outcome ? reject(toStorageError(outcome.error)) : resolve(outcome.value as T),
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued or running. Null if that's the case. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  async #drain(): Promise<void> {
    // Requests that have already arrived can join the group.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    while (this.#queue.length > 0) {
      // Units of no particular owner can fail one by one, and they don't wait for each other's rows.
      const count = this.#owner === "rows" ? 1 : MAX_GROUP_UNITS;
      const group = this.#queue.splice(0, count);
      const outcomes = await this.#runGroup(group).catch((error: unknown) =>
        group.map((): Outcome => ({ error }))
      );
      this.#complete(group, outcomes);
    }
    this.#running = null;
  }

  #complete(group: readonly Unit[], outcomes: readonly (Outcome | undefined)[]): void {
    const channels = new Set(
      outcomes.flatMap((outcome) =>
        outcome === undefined || "error" in outcome ? [] : outcome.notices
      ),
    );
    if (channels.size > 0) this.#notify(channels);
    // Units without an outcome have not run yet.
    const waiting = group.filter((_, index) => outcomes[index] === undefined);
    this.#queue.unshift(...waiting);
    group.forEach((unit, index) => {
      const outcome = outcomes[index];
      if (outcome !== undefined) unit.complete(outcome);
    });
  }

  /** Returns the units' outcomes, as far as they ran. */
  async #runGroup(group: readonly Unit[]): Promise<readonly (Outcome | undefined)[]> {
    if (group.length > 1) {
      const outcomes = await this.#withRetries(() =>
        this.#pool.use((connection) => this.#transact(connection, group))
      ).catch((error: unknown) => {
        if (error instanceof FailedUnitError) return null;
        throw error;
      });
      if (outcomes !== null) return outcomes;
    }
    const outcomes: Outcome[] = [];
    for (const unit of group) outcomes.push(await this.#runAlone(unit));
    return outcomes;
  }

  async #runAlone(unit: Unit): Promise<Outcome> {
    try {
      const [outcome] = await this.#withRetries(() =>
        this.#pool.use((connection) => this.#transact(connection, [unit]))
      );
      return outcome!;
    } catch (error) {
      return { error: error instanceof FailedUnitError ? error.cause : error };
    }
  }

  /** Runs a transaction again after a conflict, or if its connection was lost before the commit. */
  async #withRetries<T>(run: () => Promise<T>): Promise<T> {
    for (let runs = 1;; runs++) {
      try {
        return await run();
      } catch (error) {
        const cause = error instanceof FailedUnitError ? error.cause : error;
        if (runs === MAX_RUNS || !(isConflict(cause) || isConnectionLost(cause))) throw error;
        if (isConnectionLost(cause)) await delay(systemTimers, runs * OUTCOME_INTERVAL_MS);
      }
    }
  }

  /**
   * Runs units in one transaction.
   *
   * @throws FailedUnitError if a unit failed after it changed something
   */
  async #transact(
    connection: PgConnection,
    group: readonly Unit[],
  ): Promise<readonly (Outcome | undefined)[]> {
    const [transaction, found] = await this.#begin(connection, group);
    const outcomes: Outcome[] = [];
    const statements = new Statements(connection);
    let tx: UnitTx | undefined;
    let hasChanges = false;
    const deadline = performance.now() + MAX_GROUP_MS;
    try {
      for (const [index, unit] of group.entries()) {
        tx = new UnitTx(statements);
        const outcome = await runUnit(unit, tx, found[index], this.#maxUnitMs);
        if (statements.failure !== undefined) throw new FailedUnitError(statements.failure.error);
        if ("error" in outcome && tx.changed) throw new FailedUnitError(outcome.error);
        // The row that its query found may be out of date, so it runs again in the next group.
        if ("error" in outcome && unit.lookup !== null && hasChanges) break;
        hasChanges ||= tx.changed;
        outcomes.push(outcome);
        if (performance.now() > deadline) break;
      }
      statements.flush();
      if (statements.failure !== undefined) throw new FailedUnitError(statements.failure.error);
    } catch (error) {
      // The rollback would wait for statements that may never be executed.
      if (tx?.overran) await this.#pool.terminate(connection).catch(() => undefined);
      await statements.settled();
      const { failure } = statements;
      await connection.exec("rollback").catch(() => connection.destroy());
      throw failure === undefined ? error : new FailedUnitError(failure.error);
    }
    await this.#commit(connection, transaction, statements);
    return group.map((_, index) => outcomes[index]);
  }

  /** Begins a transaction, takes the locks, and returns what the units' queries found. */
  async #begin(
    connection: PgConnection,
    group: readonly Unit[],
  ): Promise<[Transaction, readonly unknown[]]> {
    // Without a lock, only a snapshot for the whole transaction shows whether the rows that it read
    // are still the same when it changes them.
    const isolation = this.#owner === "rows" ? "repeatable read" : "read committed";
    const lock = ownerLock(this.#owner);
    const [, begun, ...found] = await Promise.all([
      connection.exec(`begin isolation level ${isolation}`),
      connection.query<{ id: string }>(
        lock === null
          ? sql`select pg_advisory_xact_lock_shared(hashtext(current_schema()), ${LOCK.journal}::int),
              pg_current_xact_id()::text as id`
          : sql`select pg_advisory_xact_lock_shared(hashtext(current_schema()), ${LOCK.journal}::int),
              pg_advisory_xact_lock(hashtext(current_schema()), ${lock}::int),
              pg_current_xact_id()::text as id`,
      ),
      ...lookUp(connection, group),
    ]).catch(async (error: unknown) => {
      await connection.exec("rollback").catch(() => connection.destroy());
      throw error;
    });
    return [{ id: begun.rows[0]!.id, serverRun: connection.serverRun }, found];
  }

  /**
   * Commits, together with the posted changes that have not been executed yet.
   *
   * @throws FailedUnitError if one of these failed
   */
  async #commit(
    connection: PgConnection,
    transaction: Transaction,
    statements: Statements,
  ): Promise<void> {
    const [committed] = await Promise.allSettled([
      connection.exec("commit"),
      statements.settled(),
    ]);
    const { failure } = statements;
    if (committed.status === "rejected") {
      // The server reported an error of the commit itself, so it's rolled back.
      if (!isConnectionLost(committed.reason)) throw new FailedUnitError(committed.reason);
      connection.destroy();
      const isCommitted = await this.#lookUpOutcome(transaction, committed.reason);
      if (!isCommitted) throw committed.reason;
      return;
    }
    // The command of a commit that couldn't happen is ROLLBACK.
    if (failure !== undefined) throw new FailedUnitError(failure.error);
    if (committed.value.command !== "COMMIT") {
      throw new FailedUnitError(new Error("The transaction was rolled back"));
    }
  }

  /** Returns whether a transaction was committed. */
  async #lookUpOutcome(transaction: Transaction, cause: unknown): Promise<boolean> {
    const deadline = performance.now() + OUTCOME_TIMEOUT_MS;
    for (;;) {
      const outcome = await this.#outcomeOf(transaction, deadline - performance.now())
        .catch(() => "running");
      if (outcome === "committed") return true;
      if (outcome === "aborted") return false;
      if (outcome === "unknown" || performance.now() > deadline) {
        throw new ApiError(
          "STORAGE_UNAVAILABLE",
          "The database can't be reached, and whether the change was made is unknown; " +
            "send it again with the same Idempotency-Key",
          { retryAfter: 1, cause },
        );
      }
      await delay(systemTimers, OUTCOME_INTERVAL_MS);
    }
  }

  async #outcomeOf(transaction: Transaction, timeoutMs: number): Promise<TransactionOutcome> {
    // This lane still has its connection of the pool. If all lanes waited for another one, none would
    // get it.
    const connection = await this.#pool.openSeparate(timeoutMs);
    try {
      return await outcomeOf(connection, transaction);
    } finally {
      connection.destroy();
    }
  }
}

/** Sends the units' queries, equal ones once, and returns the first row of each. */
function lookUp(connection: PgConnection, group: readonly Unit[]): Promise<unknown>[] {
  const sent = new Map<string, Promise<unknown>>();
  return group.map(async ({ lookup }) => {
    if (lookup === null) return undefined;
    const { text, values } = render(lookup);
    const key = JSON.stringify([text, values]);
    const found = sent.get(key) ??
      connection.send(text, values).then(({ rows }) => rows[0]);
    sent.set(key, found);
    return await found;
  });
}

/** A unit that failed after it changed something, or with an error of the server. */
class FailedUnitError extends Error {
  constructor(cause: unknown) {
    super("A unit of work failed", { cause });
  }
}
