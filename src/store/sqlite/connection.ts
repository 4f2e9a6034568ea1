/**
 * Connection to the database file, with pragmas, cached statements, exact integers and clear
 * errors.
 */

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Sql } from "sql-template-tag";
import { ApiError } from "../../kernel/errors.ts";
import { LruCache } from "../../kernel/lru_cache.ts";

/**
 * Maximum number of cached statements. When it is exceeded, the least recently used one is dropped.
 */
const MAX_CACHED_STATEMENTS = 400;

/**
 * How long a statement waits for a lock held by another process, in milliseconds. The thread is
 * blocked while it waits.
 */
const BUSY_TIMEOUT_MS = 2_000;

/** Page cache size for each connection (a negative `cache_size` is in KiB). */
const PAGE_CACHE_KIB = 32 * 1024;

/**
 * The WAL file is truncated to this size when SQLite starts over at its beginning. The file rarely
 * reaches a quarter of it.
 */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Messages by primary result code (sqlite.org/rescode.html). When one of these errors occurs,
 * nothing has changed, and a retry can succeed.
 */
const UNAVAILABLE_MESSAGES: ReadonlyMap<number, string> = new Map([
  [5, "The database is locked by another process"],
  [6, "The database is locked by another process"],
  [8, "The database is read-only"],
  [10, "Disk I/O error"],
  [13, "The disk is full"],
  [14, "The database file can't be opened"],
]);

/** Options for a connection. */
export interface ConnectionOptions {
  readonly readOnly?: boolean;
}

/**
 * A prepared statement with the column names it had when it was prepared. A cached statement must
 * not select `*`, because a later migration can add columns.
 */
interface PreparedStatement {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/** A method that Deno 2.9.6 implements but does not declare. */
interface ArrayStatement extends StatementSync {
  setReturnArrays(enabled: boolean): void;
}

/** A row as SQLite returns it, with one value per column. */
type RowValues = readonly unknown[];

/** A SQLite connection. All operations on it are synchronous. */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new LruCache<string, PreparedStatement>(MAX_CACHED_STATEMENTS);

  constructor(path: string, options: ConnectionOptions = {}) {
    this.#db = openDatabase(path, options.readOnly ?? false);
    this.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`);
    this.exec("pragma temp_store = memory");
    this.exec("pragma foreign_keys = on");
    if (!options.readOnly) {
      this.exec("pragma journal_mode = wal");
      this.exec("pragma synchronous = full");
      this.exec(`pragma journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
      this.exec("pragma secure_delete = on");
    }
  }

  /**
   * Executes SQL without parameters or results. We prepare a single statement, because only then
   * does an error include SQLite's code, which is how we recognize a lock or a full disk (Deno
   * 2.9.6).
   */
  exec(text: string): void {
    this.#guard(() =>
      text.includes(";") ? this.#db.exec(text) : this.#prepare(text).statement.run()
    );
  }

  all<Row>(query: Sql): Row[] {
    return this.#guard(() => {
      const { statement, columns } = this.#prepare(query.sql);
      const rows = statement.all(...toBindValues(query.values)) as unknown as RowValues[];
      return rows.map((values) => toRow<Row>(columns, values));
    });
  }

  first<Row>(query: Sql): Row | undefined {
    return this.#guard(() => {
      const { statement, columns } = this.#prepare(query.sql);
      const values = statement.get(...toBindValues(query.values)) as unknown as
        | RowValues
        | undefined;
      return values === undefined ? undefined : toRow<Row>(columns, values);
    });
  }

  /** Executes a change. Returns the number of rows changed. */
  run(query: Sql): number {
    return this.#guard(() =>
      Number(this.#prepare(query.sql).statement.run(...toBindValues(query.values)).changes)
    );
  }

  /**
   * Inserts a row and returns its number. Using RETURNING for this made up a quarter of the cost of
   * an add.
   */
  insert(query: Sql): number {
    return this.#guard(() =>
      Number(this.#prepare(query.sql).statement.run(...toBindValues(query.values)).lastInsertRowid)
    );
  }

  /**
   * Yields one row at a time. The statement is not cached, so other statements can run in between.
   */
  *iterate<Row>(query: Sql): Generator<Row, void> {
    const statement = this.#guard(() => this.#db.prepare(query.sql));
    yield* statement.iterate(...toBindValues(query.values)) as Iterable<Row>;
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  #prepare(text: string): PreparedStatement {
    const cached = this.#statements.get(text);
    if (cached !== undefined) return cached;
    const statement = this.#db.prepare(text) as ArrayStatement;
    statement.setReturnArrays(true);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(text, prepared);
    return prepared;
  }

  #guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw toStorageError(error);
    }
  }
}

/**
 * Opens a database. When this fails, Deno 2.9.6 does not set SQLite's code, but there is only one
 * possible cause.
 */
function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly });
  } catch (cause) {
    throw new ApiError(
      "STORAGE_UNAVAILABLE",
      `${UNAVAILABLE_MESSAGES.get(14)}; nothing was changed`,
      {
        retryAfter: 1,
        cause,
      },
    );
  }
}

/**
 * Returns a row as an object. When node:sqlite creates the object, it takes two thirds longer: 15
 * µs instead of 9 µs to read a memory by its number (Deno 2.9.6).
 */
function toRow<Row>(columns: readonly string[], values: RowValues): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
  return row as Row;
}

/**
 * Returns the values to bind. We pass integers as BigInt because node:sqlite binds every number as
 * REAL.
 */
function toBindValues(values: readonly unknown[]): SQLInputValue[] {
  return values.map((value) => {
    if (typeof value === "boolean") return value ? 1n : 0n;
    if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
    return value as SQLInputValue;
  });
}

/** Checks whether a statement failed because another process held the lock. */
export function isLocked(error: unknown): boolean {
  const cause = (error as Error).cause as { errcode?: number } | undefined;
  const primary = (cause?.errcode ?? 0) & 0xff;
  return primary === 5 || primary === 6;
}

/** Converts temporary errors to STORAGE_UNAVAILABLE. Returns any other error unchanged. */
function toStorageError(error: unknown): unknown {
  const code = (error as { errcode?: number }).errcode;
  const message = code === undefined ? undefined : UNAVAILABLE_MESSAGES.get(code & 0xff);
  return message === undefined
    ? error
    : new ApiError("STORAGE_UNAVAILABLE", `${message}; nothing was changed`, {
      retryAfter: 1,
      cause: error,
    });
}
