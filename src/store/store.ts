/**
 * Interface of the storage: units of work, snapshots, and the few operations that each engine
 * implements in its own way. Modules write their SQL once, in the subset that SQLite and PostgreSQL
 * share. SQLite is the only engine so far.
 */

import type { Sql } from "sql-template-tag";

/** Consistent view of the database. Rows are plain objects with one property per column. */
export interface Reader {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
}

/** Open unit of work: a reader that sees its own changes. */
export interface Tx extends Reader {
  /** Executes a change. Returns the number of changed rows. */
  run(query: Sql): Promise<number>;
  /** Inserts a row into a table with numbered rows. Returns its row number. */
  insert(query: Sql): Promise<number>;
  /** Notifies the channel's listeners in this process after the unit is on disk, and only then. */
  notify(channel: Channel): void;
}

/**
 * Channels that units of work can notify. A notification can be lost if the process exits; it only
 * shortens a wait.
 */
export type Channel = "tasks" | "journal";

/** Consistent view of the database that stays open until it is closed. */
export interface Snapshot extends Reader {
  close(): void;
}

/** Canonical storage of one data directory. */
export interface Store {
  /**
   * Runs a unit of work and resolves once it is on disk. If it throws, none of its changes are
   * applied.
   *
   * The unit must not await anything except `tx`: no network, timers or files. It can run more than
   * once, because a group of units is run again if one of them fails; so it must have no effects
   * outside `tx`.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if the disk is full or read-only, or if another process
   *   keeps the database locked for longer than the store waits; nothing has changed then
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Queues units of work while another thread of this process writes. That thread has the write
   * lock until the promise settles. The event loop is not blocked.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Runs reads that all see the same point in time. */
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Returns one row of one statement, without the cost of a snapshot. */
  queryOne<Row>(query: Sql): Promise<Row | undefined>;
  /**
   * Opens a view of the current point in time, which stays valid for any length of time next to
   * other reads and writes.
   */
  snapshot(): Snapshot;
  /**
   * Calls `listener` after each commit that notified the channel. Returns a function that removes
   * it.
   */
  listen(channel: Channel, listener: () => void): () => void;
  /**
   * Reserves the next `count` row numbers of a table in the unit of work and returns the first.
   * Rows that are written over many units are then contiguous, and precede anything that is written
   * during that time.
   */
  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number>;
  /** Returns the full-text index of memories or chunks. */
  textIndex(name: TextIndexName): TextIndex;
  /**
   * Copies the write-ahead log into the database file, so that no overwritten content remains in
   * it.
   */
  checkpoint(): Promise<void>;
  /**
   * Completes the submitted work, copies the write-ahead log into the database file, and closes.
   */
  close(): Promise<void>;
}

/** Part of the store that other threads can use; see {@linkcode Store.runExclusive}. */
export type WriteStore = Pick<Store, "write" | "reserve" | "textIndex">;

/** Tables whose rows are numbered in insertion order. */
export type NumberedTable =
  | "memories"
  | "memory_history"
  | "tasks"
  | "document_versions"
  | "source_assets";

/** Records that have a full-text index. */
export type TextIndexName = "memories" | "chunks";

/**
 * Full-text index over the rows of one table, updated in the unit of work that changes the row.
 * `search/query/terms.ts` prepares the terms. Every term belongs to its project, so neither matches
 * nor frequencies leak from one project into another.
 */
export interface TextIndex {
  add(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /** Removes an entry. It must equal the one that was passed to `add`. */
  remove(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /**
   * Overwrites part of the entries that `remove` has only marked as deleted, for a few
   * milliseconds.
   *
   * @param first whether this is the first step of a pass; it includes everything that is there
   * @returns false if there is nothing left to overwrite
   */
  mergeStep(tx: Tx, first: boolean): Promise<boolean>;
  /** Removes all entries, for a rebuild or a purge. */
  clear(tx: Tx): Promise<void>;
}

/** Indexed content of one row. */
export interface TextEntry {
  /** Terms, separated by one space. */
  readonly terms: string;
  /**
   * Whether the terms already have the prefix of their project (`projectPrefix`). Defaults to
   * false.
   */
  readonly prefixed?: boolean;
  /** Exact attributes that a search can require, e.g. a scope. */
  readonly tags: readonly string[];
}
