/**
 * The boundary of storage: units of work, snapshots, and the few things that engines do in their
 * own way. Slices write their SQL once, in the subset that SQLite and PostgreSQL share; SQLite
 * stands behind this boundary now.
 */

import type { Sql } from "sql-template-tag";

/** A consistent view of the database. Rows come as plain objects keyed by column. */
export interface Reader {
  all<Row>(query: Sql): Promise<Row[]>;
  first<Row>(query: Sql): Promise<Row | undefined>;
}

/** The open unit of work: a reader that sees its own changes. */
export interface Tx extends Reader {
  /** Runs a change and answers how many rows it touched. */
  run(query: Sql): Promise<number>;
  /** Inserts one row into a table whose rows are numbered, and answers its number. */
  insert(query: Sql): Promise<number>;
  /** Tells the channel's listeners in this process, once the unit is on disk, and only then. */
  notify(channel: Channel): void;
}

/** What units of work can announce. A notice may be lost with its process: it only saves waiting. */
export type Channel = "tasks" | "journal";

/** A consistent view of the database that stays open until it is closed. */
export interface Snapshot extends Reader {
  close(): void;
}

/** Canonical storage of one data directory. */
export interface Store {
  /**
   * Runs one unit of work and resolves once it is on disk: all of it or, when it throws, nothing.
   * Within it nothing but `tx` may be awaited, no network, timer or file; and it may run more than
   * once (a group of units is tried again when one of them fails), so it must have no effects
   * outside `tx`.
   *
   * @throws ApiError STORAGE_UNAVAILABLE when the disk is full, read-only or locked by another
   * process for longer than the patience of the store; nothing was changed then
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Keeps units of work waiting, and the event loop free, while another thread of this process
   * writes: it has the lock until the promise is settled.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Runs reads that all see the same point in time. */
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** One row by one statement: a read without the cost of a snapshot. */
  queryOne<Row>(query: Sql): Promise<Row | undefined>;
  /** One point in time to read from for as long as it takes, beside all other reads and writes. */
  snapshot(): Snapshot;
  /** Calls back after each commit that notified the channel; answers how to stop that. */
  listen(channel: Channel, listener: () => void): () => void;
  /**
   * Takes the next `count` row numbers of a table out of use by others, in the unit of work, and
   * answers the first: rows that are written over many units then stand together, in front of
   * whatever is written meanwhile.
   */
  reserve(tx: Tx, table: NumberedTable, count: number): Promise<number>;
  /** The full-text index of memories or of chunks. */
  textIndex(name: TextIndexName): TextIndex;
  /** Copies the write-ahead log into the database file: nothing overwritten stays behind in it. */
  checkpoint(): Promise<void>;
  /** Finishes what was submitted, copies the write-ahead log into the database file, and closes. */
  close(): Promise<void>;
}

/** The part of the store that other threads have; see `lend`. */
export type WriteStore = Pick<Store, "write" | "reserve" | "textIndex">;

/** Tables whose rows are numbered in the order of their writing. */
export type NumberedTable =
  | "memories"
  | "memory_history"
  | "tasks"
  | "document_versions"
  | "source_assets";

/** The records that have a full-text index. */
export type TextIndexName = "memories" | "chunks";

/**
 * A full-text index over rows of one table, part of the unit of work that changes the row. Terms
 * are prepared by `search/terms.ts`; every term is private to its project, so that neither matches
 * nor frequencies cross from one project into another.
 */
export interface TextIndex {
  add(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /** Takes out what was added; the entry must be the one given to `add`. */
  remove(tx: Tx, project: number, seq: number, entry: TextEntry): Promise<void>;
  /**
   * Overwrites some of what `remove` has only marked as gone, a few milliseconds' worth; false when
   * nothing is left to overwrite. The first step of a pass says so: it takes in all there is.
   */
  purgeStep(tx: Tx, first: boolean): Promise<boolean>;
  /** Empties the index, for a rebuild or a purge of all that it holds. */
  clear(tx: Tx): Promise<void>;
}

/** What is indexed of one row. */
export interface TextEntry {
  /** Its terms, with one space between them. */
  readonly terms: string;
  /** Whether the terms have their project's mark in front already (`projectMark`). */
  readonly prefixed?: boolean;
  /** Exact attributes that a search may demand, e.g. a scope. */
  readonly tags: readonly string[];
}
