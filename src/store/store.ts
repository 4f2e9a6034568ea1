/**
 * The storage interface: units of work, snapshots, and the handful of operations each engine
 * implements in its own way. Modules write their SQL only once, in the subset shared by SQLite and
 * PostgreSQL.
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
  /**
   * Executes a change that needs no response. If it fails, the unit fails at its end at the latest.
   * A server gets it without waiting: the rows that several posts or units insert into a table can
   * be one statement, before the next statement that names the table, and before any update or
   * delete, since these can run triggers. So an insert of {@linkcode recordRows} must do the same
   * for each record or group of equal ones, however many there are.
   */
  post(query: Sql): void;
  /** Inserts a row into a table with numbered rows and returns its number. */
  insert(query: Sql): Promise<number>;
  /** Notifies the channel's listeners in this process, but not before the unit is on disk. */
  notify(channel: Channel): void;
}

/**
 * Channels that units of work can notify. This only shortens a wait, so there's no harm in losing
 * one when the process exits.
 */
export type Channel = "tasks" | "journal" | "garbage" | "leftovers";

/** A consistent view of the database that stays open until closed. */
export interface Snapshot extends Reader {
  close(): Promise<void>;
}

/**
 * The rows that a unit of work changes. Units with the same owner run one after the other, in the
 * order of their calls, in any number of processes:
 *
 * - a project's number: rows of this project, and nothing else
 * - `"projects"`: projects and keys as a whole, e.g. creating a project
 * - `"maintenance"`: the progress of background work that covers all projects
 * - `"rows"`: single rows of any project. These units can overlap with those of other processes and of
 *   all other owners, so each statement must state what it expects of the rows that it changes.
 *
 * SQLite has a single writer and ignores the owner.
 */
export type Owner = number | "projects" | "maintenance" | "rows";

/** The canonical storage of an instance. */
export interface Store {
  /** What searches read in addition to the records. */
  readonly index: SearchIndex;
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
  write<T>(owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs a unit of work that begins with a query. A server gets the queries of all units that wait
   * at once.
   *
   * So the row can be as it was before other units with the same owner that wait at the same time. If
   * it has changed since, the unit must fail, e.g. because of a unique index. The unit then runs
   * again, with the row as it is now.
   *
   * @param lookup query for a row. It doesn't lock the row
   */
  lookUpAndWrite<Row, T>(
    owner: Owner,
    lookup: Sql,
    work: (tx: Tx, found: Row | undefined) => Promise<T>,
  ): Promise<T>;
  /** Runs reads that all see the database at the same point in time. */
  read<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** Returns one row from a single statement, without the cost of a snapshot. */
  queryOne<Row>(query: Sql): Promise<Row | undefined>;
  /**
   * Returns the number of the last journal entry for followers of all projects: every entry up to
   * it is visible to reads that begin afterwards. An engine with several writers can commit entries
   * in another order than that of their numbers.
   */
  journalEnd(): Promise<number>;
  /**
   * Waits until all units of work that are running in any process have ended, also those whose
   * outcome is unknown. Reads that begin afterwards see their changes.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if they take too long
   */
  awaitUnits(): Promise<void>;
  /**
   * Opens a view of the database as of now. It stays valid for as long as needed, alongside other
   * reads and writes.
   */
  snapshot(): Promise<Snapshot>;
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
  /**
   * Removes deleted content from wherever the engine still retains it, as far as it can. Call this
   * at the end of a purge.
   */
  erase(): Promise<void>;
  /** Completes all submitted work and closes the store. */
  close(): Promise<void>;
}

/** The part of the store that writes chunk batches, possibly in another thread. */
export type WriteStore = Pick<Store, "write" | "reserve" | "index">;

/** Tables with rows numbered in insertion order. */
export type NumberedTable =
  | "memories"
  | "memory_history"
  | "tasks"
  | "document_versions"
  | "source_assets";

/**
 * What searches read in addition to the records, written in the same unit of work as these. An
 * engine that searches elsewhere stores nothing here.
 */
export interface SearchIndex {
  readonly memories: TextIndex;
  readonly chunks: ChunkIndex;
}

/**
 * A full-text index over one table's rows, updated in the same unit of work that changes a row.
 * `search/query/terms.ts` prepares the terms. Every term belongs to a project, so neither matches
 * nor frequencies leak from one to another.
 */
export interface TextIndex {
  /**
   * Inserts a row into the table and adds its entry.
   *
   * @param row the insert. Its entry is only made if the engine needs it
   */
  insert(tx: Tx, project: number, row: Sql, entry: () => TextEntry): Promise<void>;
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

/** A chunk in the index of chunks. */
export interface IndexedChunk {
  /** The chunk's row number. */
  readonly seq: number;
  readonly version: number;
  readonly position: number;
}

/** A chunk's terms, for the text index and for scoring. */
export interface ChunkTerms {
  /** Terms as stored in the text index, with the project's prefix. */
  readonly impactTerms: string;
  /** Terms and their counts, packed. */
  readonly terms: Uint8Array;
}

/**
 * The index of heads' chunks: their text index entries, and their terms for scoring. Both are added
 * and removed together, so that every chunk found can be scored.
 */
export interface ChunkIndex {
  /**
   * Adds a chunk.
   *
   * @param tags exact attributes that a search can require. See `versionTags`
   */
  add(
    tx: Tx,
    project: number,
    chunk: IndexedChunk,
    terms: ChunkTerms,
    tags: readonly string[],
  ): Promise<void>;
  /** Removes a chunk. Takes the same terms and tags that were passed to `add`. */
  remove(
    tx: Tx,
    project: number,
    seq: number,
    terms: ChunkTerms,
    tags: readonly string[],
  ): Promise<void>;
  /** Runs one merge step. See {@linkcode TextIndex.mergeStep}. */
  mergeStep(tx: Tx, first: boolean): Promise<boolean>;
  /** Removes all chunks. */
  clear(tx: Tx): Promise<void>;
}
