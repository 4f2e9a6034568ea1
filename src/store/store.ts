/**
 * The storage interface: units of work, snapshots, and the handful of operations each engine
 * implements in its own way. Modules write their SQL only once, in the subset shared by SQLite and
 * PostgreSQL. So far, SQLite is the only engine.
 */

import type { Sql } from "sql-template-tag";

/** A consistent view of the database. Rows are plain objects with one property per column. */
export interface Reader {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
}

/** An open unit of work. As a reader, it sees its own changes. */
export interface Tx extends Reader {
  /** Executes a change and returns the number of rows changed. */
  run(query: Sql): Promise<number>;
  /** Inserts a row into a table with numbered rows and returns its number. */
  insert(query: Sql): Promise<number>;
  /** Notifies the channel's listeners in this process, but not before the unit is on disk. */
  notify(channel: Channel): void;
}

/**
 * Channels that units of work can notify. This only shortens a wait, so there's no harm in losing
 * one when the process exits.
 */
export type Channel = "tasks" | "journal";

/** A consistent view of the database that stays open until closed. */
export interface Snapshot extends Reader {
  close(): void;
}

/** A data directory's canonical storage. */
export interface Store {
  /**
   * Runs a unit of work and resolves once it's on disk. If the unit throws, none of its changes are
   * applied.
   *
   * The unit must not await anything except `tx`: no network calls, timers or files. It must not
   * have any effects outside `tx` either, since it can run more than once. When one unit in a group
   * fails, the whole group runs again.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if the disk is full or read-only, or if another process
   *   keeps the database locked for longer than the store waits; nothing has changed in that case
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Queues up units of work while another thread in this process writes. That thread has the write
   * lock until the promise settles. Doesn't block the event loop.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Runs reads that all see the database at the same point in time. */
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Returns one row from a single statement, without the cost of a snapshot. */
  queryOne<Row>(query: Sql): Promise<Row | undefined>;
  /**
   * Opens a view of the database as of now. It stays valid for as long as needed, alongside other
   * reads and writes.
   */
  snapshot(): Snapshot;
  /**
   * Calls `listener` after each commit that notified the channel. Returns a function to remove it.
   */
  listen(channel: Channel, listener: () => void): () => void;
  /**
   * Reserves the next `count` row numbers of a table within the unit of work and returns the first
   * one. Rows written over many units of work are then contiguous, ahead of anything else written
   * in the meantime.
   */
  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number>;
  /** Returns the full-text index for memories or chunks. */
  textIndex(name: TextIndexName): TextIndex;
  /**
   * Copies the write-ahead log into the database file, so the log doesn't retain any overwritten
   * content.
   */
  checkpoint(): Promise<void>;
  /**
   * Completes all submitted work, copies the write-ahead log into the database file and closes the
   * store.
   */
  close(): Promise<void>;
}

/** The part of the store usable from other threads. See {@linkcode Store.runExclusive}. */
export type WriteStore = Pick<Store, "write" | "reserve" | "textIndex">;

/** Tables with rows numbered in insertion order. */
export type NumberedTable =
  | "memories"
  | "memory_history"
  | "tasks"
  | "document_versions"
  | "source_assets";

/** Record types with a full-text index. */
export type TextIndexName = "memories" | "chunks";

/**
 * A full-text index over one table's rows, updated in the same unit of work that changes a row.
 * `search/query/terms.ts` prepares the terms. Every term belongs to a project, so neither matches
 * nor frequencies leak from one to another.
 */
export interface TextIndex {
  add(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /** Removes an entry, which must equal the one passed to `add`. */
  remove(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /**
   * Takes a few milliseconds to overwrite some of the entries `remove` has only marked as deleted.
   *
   * @param first whether this is the first step of a pass; the pass covers everything that exists
   *   at that point
   * @returns false if there is nothing left to overwrite
   */
  mergeStep(tx: Tx, first: boolean): Promise<boolean>;
  /** Removes all entries, for a rebuild or a purge. */
  clear(tx: Tx): Promise<void>;
}

/** A row's indexed content. */
export interface TextEntry {
  /** Terms, separated by single spaces. */
  readonly terms: string;
  /** Whether the terms already have their project's prefix (`projectPrefix`). Defaults to false. */
  readonly prefixed?: boolean;
  /** Exact attributes a search can require, e.g. a scope. */
  readonly tags: readonly string[];
}
