/** One connection to the database file: pragmas, cached statements, exact integers, clear errors. */

import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Sql } from "sql-template-tag";
import { ApiError } from "../../kernel/errors.ts";

/** Statements kept prepared; past it, the least recently used is dropped. */
const MAX_CACHED_STATEMENTS = 400;

/** How long a statement waits for another process's lock, blocking this thread. */
const BUSY_TIMEOUT_MS = 2_000;

/** The page cache of each connection (a negative `cache_size` is in KiB). */
const PAGE_CACHE_KIB = 32 * 1024;

/** The write-ahead log's file is cut to this when it starts over; it rarely gets a quarter as long. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/** Primary result codes under which nothing was changed and a later try may work (sqlite.org/rescode.html). */
const UNAVAILABLE_MESSAGES: ReadonlyMap<number, string> = new Map([
  [5, "The database is locked by another process"],
  [6, "The database is locked by another process"],
  [8, "The database is read-only"],
  [10, "The disk did not take the change"],
  [13, "The disk is full"],
  [14, "The database file can't be opened"],
]);

/** How a connection uses the file. */
export interface ConnectionOptions {
  readonly readOnly?: boolean;
}

/**
 * A statement with the names of what it answers, as they were when it was prepared: one that is kept
 * may not ask for `*` of a table, which may get other columns.
 */
interface PreparedStatement {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
}

/** A method that Deno 2.9.6 has and doesn't declare. */
interface ArrayStatement extends StatementSync {
  setReturnArrays(enabled: boolean): void;
}

/** A row as SQLite hands it over: one value a column. */
type RowValues = readonly unknown[];

/** A connection of SQLite. Everything on it is synchronous. */
export class Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();

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
   * Runs SQL that has no parameters and answers nothing. A single statement is prepared, since only
   * then does a failure carry SQLite's code, by which a lock or a full disk is known (Deno 2.9.6).
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

  /** Answers how many rows were changed. */
  run(query: Sql): number {
    return this.#guard(() =>
      Number(this.#prepare(query.sql).statement.run(...toBindValues(query.values)).changes)
    );
  }

  /** Answers the number of the row. A quarter of the cost of an add, where RETURNING was used. */
  insert(query: Sql): number {
    return this.#guard(() =>
      Number(this.#prepare(query.sql).statement.run(...toBindValues(query.values)).lastInsertRowid)
    );
  }

  /** Rows one by one; the statement is this iterator's own, so others may run in between. */
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
    if (cached) {
      this.#statements.delete(text);
      this.#statements.set(text, cached);
      return cached;
    }
    const statement = this.#db.prepare(text) as ArrayStatement;
    statement.setReturnArrays(true);
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) };
    this.#statements.set(text, prepared);
    if (this.#statements.size > MAX_CACHED_STATEMENTS) {
      this.#statements.delete(this.#statements.keys().next().value!);
    }
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

/** Opening fails without SQLite's code, but for one reason only (Deno 2.9.6). */
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
 * A row as an object. Made here, since node:sqlite takes two thirds more time for one (Deno 2.9.6):
 * 15 µs for a memory by its number, where this way it is 9.
 */
function toRow<Row>(columns: readonly string[], values: RowValues): Row {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at++) row[columns[at]!] = values[at];
  return row as Row;
}

/** node:sqlite binds every number as REAL; an integer goes in as BigInt so that it stays one. */
function toBindValues(values: readonly unknown[]): SQLInputValue[] {
  return values.map((value) => {
    if (typeof value === "boolean") return value ? 1n : 0n;
    if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
    return value as SQLInputValue;
  });
}

/** True when another process held the lock that was needed. */
export function isLocked(error: unknown): boolean {
  const cause = (error as Error).cause as { errcode?: number } | undefined;
  const primary = (cause?.errcode ?? 0) & 0xff;
  return primary === 5 || primary === 6;
}

/** Turns errors that may pass into STORAGE_UNAVAILABLE; any other stays as it is. */
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
