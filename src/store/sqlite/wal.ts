/** How long the write-ahead log (WAL) may get, and what keeps it short without delaying writes. */

import sql from "sql-template-tag";
import { WorkerClient } from "../../kernel/worker_client.ts";
import type { Connection } from "./connection.ts";

/** Pages in the WAL at which it is copied into the database: 4 MB, SQLite's own default. */
const CHECKPOINT_WAL_PAGES = 1_000;

/** At this length writers wait until all of it is copied: 8 MB. */
const EXCLUSIVE_CHECKPOINT_WAL_PAGES = 2 * CHECKPOINT_WAL_PAGES;

/** At this length the commit itself copies it, however long everyone then waits: 16 MB. */
export const MAX_WAL_PAGES = 4 * CHECKPOINT_WAL_PAGES;

/** How long the WAL is, in pages. */
interface WalExtent {
  readonly log: number;
  /** Those that are in the database already. */
  readonly checkpointed: number;
}

/**
 * Copies as much of the WAL into the database as no reader needs, without making anyone wait. The
 * WAL starts over with the next write once all of it is copied and no reader is left in it
 * (sqlite.org/wal.html); both files are synced on the way, as in SQLite's own checkpoints.
 */
export function checkpoint(connection: Connection): void {
  connection.first(sql`pragma wal_checkpoint(passive)`);
}

/** The thread that checkpoints a database; it starts with the first checkpoint. */
export class CheckpointWorker {
  readonly #worker: WorkerClient<"checkpoint", void>;

  /** @param path the database file */
  constructor(path: string) {
    this.#worker = new WorkerClient(new URL("./checkpoint_worker.ts", import.meta.url), path);
  }

  /** Resolves when the thread has done what it could; see `checkpoint`. */
  run(): Promise<void> {
    return this.#worker.request("checkpoint");
  }

  close(): void {
    this.#worker.close();
  }
}

/**
 * Decides after each commit whether another thread should checkpoint. On the main thread, as SQLite
 * does it by default, every thousandth page would block all requests for the writes and the sync.
 */
export class Checkpointer {
  readonly #connection: Connection;
  readonly #checkpoint: () => Promise<void>;
  readonly #runExclusive: (work: () => Promise<void>) => Promise<void>;
  #running: Promise<void> | null = null;
  /** The length of the WAL at the last try: a reader may hold it there for a long time. */
  #lastAttemptPages = 0;

  /**
   * @param connection the writer; from now on it checkpoints by itself only as a last resort
   * @param checkpoint runs `checkpoint` in another thread, and resolves when that is done
   * @param runExclusive see `Store.lend`
   */
  constructor(
    connection: Connection,
    checkpoint: () => Promise<void>,
    runExclusive: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.#connection = connection;
    this.#checkpoint = checkpoint;
    this.#runExclusive = runExclusive;
    connection.exec(`pragma wal_autocheckpoint = ${MAX_WAL_PAGES}`);
  }

  /** To be called after each commit; starts a checkpoint when one is due. */
  checkpointIfDue(): void {
    if (this.#running !== null) return;
    const extent = this.#readExtent();
    if (extent === null) return;
    const { log, checkpointed } = extent;
    if (log < this.#lastAttemptPages) this.#lastAttemptPages = 0;
    if (log - Math.max(checkpointed, this.#lastAttemptPages) < CHECKPOINT_WAL_PAGES) return;
    this.#lastAttemptPages = log;
    // A failure leaves the WAL as it is: the next thousand pages bring the next try.
    this.#running = this.#run().catch(() => undefined).finally(() => this.#running = null);
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /**
   * Beside the writers at first. What they write meanwhile is left for the next time; under steady
   * writes something always is, the WAL can't start over, and at some length writers have to wait.
   */
  async #run(): Promise<void> {
    await this.#checkpoint();
    const left = this.#readExtent();
    if (left === null || left.log === left.checkpointed) return;
    if (left.log >= EXCLUSIVE_CHECKPOINT_WAL_PAGES) await this.#runExclusive(this.#checkpoint);
  }

  /** Null when it can't be read now; whoever writes next learns why from the database itself. */
  #readExtent(): WalExtent | null {
    try {
      return this.#connection.first<WalExtent>(sql`pragma wal_checkpoint(noop)`)!;
    } catch {
      return null;
    }
  }
}
