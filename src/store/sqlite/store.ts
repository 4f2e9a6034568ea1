/**
 * Implements the store on SQLite, with one write connection, two read connections, WAL and full
 * durability.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import sql, { type Sql } from "sql-template-tag";
import type { Channel, NumberedTable, Owner, Reader, Snapshot, Store, Tx } from "../store.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { GroupCommit } from "./group_commit.ts";
import { NO_REPORT, type ReportStep } from "../../kernel/progress.ts";
import { migrate, requireSqliteVersion, sqliteVersion } from "./migrations.ts";
import { requireOwnDatabase } from "./own_database.ts";
import { JOURNAL_END } from "../journal_changes.ts";
import { makeFolderSync } from "../folders.ts";
import { reserveRowNumbers } from "./row_numbers.ts";
import { SQLITE_INDEX } from "./text_index.ts";
import { Checkpointer } from "./wal.ts";

/** Returns the path of the database file in a data directory. */
export function databasePath(directory: string): string {
  return join(directory, "commonplace.db");
}

/**
 * Returns what's wrong with a directory that should contain records, or null if it contains a
 * database.
 *
 * @throws the error of the file system if the directory can't be read
 */
export function dataDirectoryProblem(directory: string): string | null {
  try {
    statSync(databasePath(directory));
    return null;
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) throw error;
    return `"${directory}" is not a data directory: it does not contain ${databasePath("")}`;
  }
}

/** Canonical storage in a single SQLite file. */
export class SqliteStore implements Store {
  readonly index = SQLITE_INDEX;
  readonly path: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  /**
   * Separate from the reader, since lookups must not see the older state still used by a
   * long-running read.
   */
  readonly #autocommitReader: Connection;
  readonly #commits: GroupCommit;
  readonly #listeners = new Map<Channel, Set<() => void>>();
  #lastRead: Promise<unknown> = Promise.resolve();
  #checkpointer: Checkpointer | null = null;

  /**
   * Opens a data directory and migrates its schema. Creates the directory if it doesn't exist.
   *
   * @param report called with each step of a migration
   * @param options whether commits are durable; see {@linkcode ConnectionOptions}
   * @throws IncompatibleStoreError if the schema is newer than the program, SQLite is too old, or the
   *   database is another program's
   */
  constructor(
    directory: string,
    report: ReportStep = NO_REPORT,
    options: Pick<ConnectionOptions, "durable"> = {},
  ) {
    makeFolderSync(directory);
    this.path = databasePath(directory);
    requireOwnDatabase(this.path);
    this.#writer = new Connection(this.path, options);
    requireSqliteVersion(sqliteVersion(this.#writer));
    migrate(this.#writer, this.path, report);
    // From here on, the writer doesn't block the event loop while waiting for a lock; it retries
    // between turns.
    this.#writer.exec("pragma busy_timeout = 0");
    this.#reader = new Connection(this.path, { readOnly: true });
    this.#autocommitReader = new Connection(this.path, { readOnly: true });
    this.#commits = new GroupCommit(
      this.#writer,
      (channel) => this.#listeners.get(channel)?.forEach((listener) => listener()),
      () => this.#checkpointer?.checkpointIfDue(),
    );
  }

  /**
   * Delegates checkpoints to another thread.
   *
   * @param run runs a checkpoint; see {@linkcode CheckpointWorker.run}
   */
  delegateCheckpoints(run: () => Promise<void>): void {
    this.#checkpointer = new Checkpointer(this.#writer, run, (work) => this.runExclusive(work));
  }

  write<T>(_owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#commits.submit(work);
  }

  lookUpAndWrite<Row, T>(
    owner: Owner,
    lookup: Sql,
    work: (tx: Tx, found: Row | undefined) => Promise<T>,
  ): Promise<T> {
    return this.write(owner, async (tx) => await work(tx, await tx.first<Row>(lookup)));
  }

  /**
   * Queues up units of work while another thread in this process writes. That thread has the write
   * lock until the promise settles. Doesn't block the event loop.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#commits.runExclusive(work);
  }

  read<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    // A connection has only one snapshot at a time, so reads take turns.
    const turn = this.#lastRead.then(() => this.#snapshot(work));
    this.#lastRead = turn.catch(() => undefined);
    return turn;
  }

  // deno-lint-ignore require-await -- the engines behind this boundary need not be synchronous
  async queryOne<Row>(query: Sql): Promise<Row | undefined> {
    return this.#autocommitReader.first<Row>(query);
  }

  // deno-lint-ignore require-await -- the engines behind this boundary need not be synchronous
  async journalEnd(): Promise<number> {
    return this.#autocommitReader.first<{ position: number }>(JOURNAL_END)!.position;
  }

  /** Nothing to do: the outcome of each unit is known. */
  awaitUnits(): Promise<void> {
    return Promise.resolve();
  }

  // deno-lint-ignore require-await -- as above
  async snapshot(): Promise<Snapshot> {
    const connection = new Connection(this.path, { readOnly: true });
    connection.exec("begin");
    // SQLite fixes the snapshot at the first read, not at "begin".
    connection.first(sql`select 1 from projects limit 1`);
    return {
      ...asReader(connection),
      // deno-lint-ignore require-await -- as above
      close: async () => connection.close(),
    };
  }

  listen(channel: Channel, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number> {
    return reserveRowNumbers(tx, table, count);
  }

  /** Copies the write-ahead log into the database file, so that no overwritten content is left. */
  async erase(): Promise<void> {
    await this.#waitUntilIdle();
    // If a reader is using a snapshot, part of the log is left for the next checkpoint.
    this.#writer.exec("pragma wal_checkpoint(truncate)");
  }

  async close(): Promise<void> {
    await this.#waitUntilIdle();
    this.#checkpointer = null;
    await this.#lastRead;
    this.#reader.close();
    this.#autocommitReader.close();
    this.#writer.exec("pragma wal_checkpoint(truncate)");
    this.#writer.close();
  }

  /** Resolves when no write or checkpoint is running. */
  async #waitUntilIdle(): Promise<void> {
    do {
      await this.#commits.idle();
      await this.#checkpointer?.idle();
    } while (this.#commits.busy);
  }

  async #snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    this.#reader.exec("begin");
    try {
      return await work(asReader(this.#reader));
    } finally {
      if (this.#reader.inTransaction) this.#reader.exec("commit");
    }
  }
}

/** Returns an asynchronous reader for a synchronous connection. */
export function asReader(connection: Connection): Reader {
  return {
    // deno-lint-ignore require-await -- the engines behind this boundary need not be synchronous
    async all<Row>(query: Sql): Promise<Row[]> {
      return connection.all<Row>(query);
    },
    // deno-lint-ignore require-await -- as above
    async first<Row>(query: Sql): Promise<Row | undefined> {
      return connection.first<Row>(query);
    },
  };
}
