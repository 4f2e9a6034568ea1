/** Implements the store on PostgreSQL 14 and later, without extensions. */

import sql, { raw, type Sql } from "sql-template-tag";
import { JOURNAL_END } from "../journal_changes.ts";
import { IncompatibleStoreError } from "../incompatible.ts";
import { NO_INDEX } from "../no_index.ts";
import type { Channel, NumberedTable, Owner, Reader, Snapshot, Store, Tx } from "../store.ts";
import { connectProblem, type PgAddress, PgConnection, type PgResult } from "./connection.ts";
import { isConnectionLost, isLockTimeout, toStorageError } from "./errors.ts";
import { JournalEnd } from "./journal_end.ts";
import { Lane } from "./lane.ts";
import { LOCK } from "./locks.ts";
import { Lookups } from "./lookups.ts";
import { migrate } from "./migrate.ts";
import { PgPool, type PoolLimits } from "./pool.ts";
import { requireSafeServer, requireSession } from "./server_checks.ts";

/** Limits of a store. Tests lower them. */
export interface PgLimits extends PoolLimits {
  /** How long a unit of work can take, in milliseconds. Defaults to 60 seconds. */
  readonly unitMs?: number;
}

/** How long {@linkcode PgStore.awaitUnits} waits, in milliseconds. */
const MAX_UNITS_WAIT_MS = 500;

/** How long a migration can take, in milliseconds. */
const MAX_MIGRATION_MS = 3_600_000;

/** Canonical storage in a PostgreSQL database. */
export class PgStore implements Store {
  /** Searches read a copy of the records, which has an index of its own. */
  readonly index = NO_INDEX;
  readonly #pool: PgPool;
  readonly #maxUnitMs: number;
  readonly #lanes = new Map<Owner, Lane>();
  readonly #lookups = new Lookups((work) => this.#useTwice(work));
  readonly #listeners = new Map<Channel, Set<() => void>>();
  /** Called after each commit that notified channels, to notify other processes too. */
  onNotify: (channels: ReadonlySet<Channel>, owner: Owner) => void = () => {};
  readonly #journalEnd = new JournalEnd((waitMs) => this.#readJournalEnd(waitMs));

  private constructor(address: PgAddress, { unitMs = 60_000, ...limits }: PgLimits) {
    this.#pool = new PgPool(address, limits);
    this.#maxUnitMs = unitMs;
  }

  /**
   * Connects to a database and migrates its schema. Creates the schema if it doesn't exist.
   *
   * @throws IncompatibleStoreError if the server can't be reached or used, is too old or could lose
   *   acknowledged changes, or the program can't use the schema
   */
  static async open(address: PgAddress, limits: PgLimits = {}): Promise<PgStore> {
    // A migration of many rows is one statement.
    let connection: PgConnection | undefined;
    try {
      connection = await PgConnection.open(address, MAX_MIGRATION_MS);
      await requireSafeServer(connection);
      await requireSession(connection, address);
      await migrate(connection, address.schema);
    } catch (error) {
      if (error instanceof IncompatibleStoreError) throw error;
      throw new IncompatibleStoreError(connectProblem(error, address), { cause: error });
    } finally {
      await connection?.close();
    }
    return new PgStore(address, limits);
  }

  async write<T>(owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.#submit(owner, (lane) => lane.submit(work));
  }

  async lookUpAndWrite<Row, T>(
    owner: Owner,
    lookup: Sql,
    work: (tx: Tx, found: Row | undefined) => Promise<T>,
  ): Promise<T> {
    return await this.#submit(
      owner,
      (lane) => lane.submit((tx, found) => work(tx, found as Row | undefined), lookup),
    );
  }

  async #submit<T>(owner: Owner, submit: (lane: Lane) => Promise<T>): Promise<T> {
    let lane = this.#lanes.get(owner);
    if (lane === undefined) {
      const notify = (channels: ReadonlySet<Channel>) => {
        this.notify(channels);
        this.onNotify(channels, owner);
      };
      lane = new Lane(this.#pool, owner, notify, this.#maxUnitMs);
      this.#lanes.set(owner, lane);
    }
    try {
      return await submit(lane);
    } finally {
      if (lane.running === null && this.#lanes.get(owner) === lane) this.#lanes.delete(owner);
    }
  }

  async read<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    try {
      return await this.#pool.use((connection) => readAt(connection, work));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  queryOne<Row>(query: Sql): Promise<Row | undefined> {
    return this.#lookups.first<Row>(query);
  }

  journalEnd(): Promise<number> {
    return this.#journalEnd.read();
  }

  /** Returns null if transactions that write to the journal take longer than `waitMs`. */
  #readJournalEnd(waitMs: number): Promise<number | null> {
    return this.#useTwice(async (connection) => {
      const [locked, found] = await afterUnits(
        connection,
        waitMs,
        () => connection.query<{ position: number }>(JOURNAL_END),
      );
      if (locked.status === "rejected" && isLockTimeout(locked.reason)) return null;
      for (const outcome of [locked, found]) {
        if (outcome.status === "rejected") throw outcome.reason;
      }
      return (found as PromiseFulfilledResult<PgResult<{ position: number }>>).value.rows[0]!
        .position;
    });
  }

  async awaitUnits(): Promise<void> {
    await this.#useTwice(async (connection) => {
      const [locked] = await afterUnits(connection, MAX_UNITS_WAIT_MS, () => Promise.resolve());
      if (locked.status === "rejected") throw locked.reason;
    });
  }

  async snapshot(): Promise<Snapshot> {
    const connection = await this.#pool.openSeparate().catch((error) => {
      throw toStorageError(error);
    });
    try {
      await connection.exec("set idle_in_transaction_session_timeout to 0");
      await connection.exec("begin isolation level repeatable read read only");
      // The snapshot is fixed by the first statement.
      await connection.exec("select 1 from projects limit 1");
    } catch (error) {
      connection.destroy();
      throw toStorageError(error);
    }
    return { ...asReader(connection), close: () => connection.close() };
  }

  listen(channel: Channel, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Calls the listeners in this process. */
  notify(channels: Iterable<Channel>): void {
    for (const channel of channels) {
      this.#listeners.get(channel)?.forEach((listener) => listener());
    }
  }

  async reserve(tx: Tx, table: NumberedTable, count: number): Promise<number> {
    const sequence = raw(`${table}_seq_seq`);
    // No one else gets a number before the unit has ended, because of this statement's lock. So the
    // reserved numbers have no gaps.
    await tx.run(sql`alter sequence ${sequence} increment by 1`);
    const row = await tx.first<{ last: number }>(sql`
      select last_value - case when is_called then 0 else 1 end as last from ${sequence}`);
    // A sequence that has given out no number yet can't be set to one before its first.
    if (count === 0) return row!.last + 1;
    await tx.run(
      sql`select setval(pg_get_serial_sequence(${table}, 'seq'), ${row!.last + count})`,
    );
    return row!.last + 1;
  }

  /** Nothing to do: vacuum and the retention of the server's log decide. */
  erase(): Promise<void> {
    return Promise.resolve();
  }

  async close(): Promise<void> {
    for (let running = this.#running(); running.length > 0; running = this.#running()) {
      await Promise.all(running);
    }
    await this.#pool.close();
  }

  /** Runs reads with a connection, and again with another one if the first was lost. */
  async #useTwice<T>(work: (connection: PgConnection) => Promise<T>): Promise<T> {
    const run = () => this.#pool.use(work);
    try {
      // A server that was restarted has closed the connections that were open before.
      return await run().catch((error) => isConnectionLost(error) ? run() : Promise.reject(error));
    } catch (error) {
      throw toStorageError(error);
    }
  }

  #running(): Promise<void>[] {
    return [...this.#lanes.values()].flatMap(({ running }) => running ?? []);
  }
}

/**
 * Waits for all transactions that write to the journal, and runs a read before any other can begin.
 * Sent in one go, so the lock is only held for as long as the read takes.
 *
 * @param waitMs how long to wait for them. Transactions that begin wait just as long
 * @returns whether the lock was taken, and the outcome of the read
 */
async function afterUnits<T>(
  connection: PgConnection,
  waitMs: number,
  read: () => Promise<T>,
): Promise<readonly [PromiseSettledResult<unknown>, PromiseSettledResult<T>]> {
  const lock = Promise.all([
    connection.exec("begin"),
    connection.exec(`set local lock_timeout to ${waitMs}`),
    connection.exec(`select pg_advisory_xact_lock(hashtext(current_schema()), ${LOCK.journal})`),
  ]);
  const [locked, found] = await Promise.allSettled([lock, read(), connection.exec("commit")]);
  return [locked, found];
}

/** Runs reads that all see the database at the same point in time. */
async function readAt<T>(
  connection: PgConnection,
  work: (db: Reader) => Promise<T>,
): Promise<T> {
  // Sent together with the first statement.
  const begun = connection.exec("begin isolation level repeatable read read only");
  begun.catch(() => undefined);
  try {
    const result = await work(asReader(connection));
    await begun;
    return result;
  } finally {
    // Nothing depends on the outcome. If the connection is lost, it leaves the pool.
    connection.exec("commit").catch(() => undefined);
  }
}

/** Returns a connection as a reader. */
export function asReader(connection: PgConnection): Reader {
  return {
    async all<Row>(query: Sql): Promise<Row[]> {
      return (await connection.query<Row>(query)).rows;
    },
    async first<Row>(query: Sql): Promise<Row | undefined> {
      return (await connection.query<Row>(query)).rows[0];
    },
  };
}
