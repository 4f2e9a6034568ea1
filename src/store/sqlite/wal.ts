/** Limits the length of the write-ahead log (WAL) without delaying writes. */

import sql from "sql-template-tag";
import { WorkerClient } from "../../kernel/worker_client.ts";
import type { Connection } from "./connection.ts";

/** WAL length at which a checkpoint starts: 4 MB, which is SQLite's default. */
const CHECKPOINT_WAL_PAGES = 1_000;

/** WAL length at which writers wait until the whole WAL has been copied: 8 MB. */
const EXCLUSIVE_CHECKPOINT_WAL_PAGES = 2 * CHECKPOINT_WAL_PAGES;

/**
 * WAL length at which the commit itself runs a checkpoint, no matter how long that blocks: 16 MB.
 */
export const MAX_WAL_PAGES = 4 * CHECKPOINT_WAL_PAGES;

/** Length of the WAL, in pages. */
interface WalExtent {
  readonly log: number;
  /** Pages that are already in the database. */
  readonly checkpointed: number;
}

/**
 * Copies as many pages from the WAL into the database as readers allow, without blocking anyone. If
 * the whole WAL has been copied and no reader is using it, the next write starts the WAL over
 * (sqlite.org/wal.html). Both files are synced, just as in SQLite's automatic checkpoints.
 */
export function checkpoint(connection: Connection): void {
  connection.first(sql`pragma wal_checkpoint(passive)`);
}

/** The thread that runs checkpoints for a database. It starts with the first checkpoint. */
export class CheckpointWorker {
  readonly #worker: WorkerClient<"checkpoint", void>;

  /** @param path the database file */
  constructor(path: string) {
    this.#worker = new WorkerClient(new URL("./checkpoint_worker.ts", import.meta.url), path);
  }

  /** Runs a checkpoint, and resolves when it is finished. See {@linkcode checkpoint}. */
  run(): Promise<void> {
    return this.#worker.request("checkpoint");
  }

  close(): void {
    this.#worker.close();
  }
}

/**
 * Decides after each commit whether another thread should run a checkpoint. By default, SQLite runs
 * one on the main thread every 1,000 pages, which would block all requests during the writes and
 * the sync.
 */
export class Checkpointer {
  readonly #connection: Connection;
  readonly #checkpoint: () => Promise<void>;
  readonly #runExclusive: (work: () => Promise<void>) => Promise<void>;
  #running: Promise<void> | null = null;
  /** WAL length at the last attempt. A reader can keep the WAL from shrinking for a long time. */
  #lastAttemptPages = 0;

  /**
   * @param connection the writer, which from now on runs checkpoints itself only at MAX_WAL_PAGES
   * @param checkpoint runs `checkpoint` in another thread, and resolves when it is finished
   * @param runExclusive see {@linkcode Store.runExclusive}
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

  /** Starts a checkpoint if one is due. Call this after each commit. */
  checkpointIfDue(): void {
    if (this.#running !== null) return;
    const extent = this.#readExtent();
    if (extent === null) return;
    const { log, checkpointed } = extent;
    if (log < this.#lastAttemptPages) this.#lastAttemptPages = 0;
    if (log - Math.max(checkpointed, this.#lastAttemptPages) < CHECKPOINT_WAL_PAGES) return;
    this.#lastAttemptPages = log;
    // If the checkpoint fails, the WAL is unchanged, and we try again after the next 1,000 pages.
    this.#running = this.#run().catch(() => undefined).finally(() => this.#running = null);
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /**
   * The checkpoint initially runs alongside the writers, and any pages they write in the meantime
   * are left for the next one. Under steady writes there are always some pages left, so the WAL
   * can't start over. That is why the writers have to wait once the WAL reaches a certain length.
   */
  async #run(): Promise<void> {
    await this.#checkpoint();
    const extent = this.#readExtent();
    if (extent === null || extent.log === extent.checkpointed) return;
    if (extent.log >= EXCLUSIVE_CHECKPOINT_WAL_PAGES) await this.#runExclusive(this.#checkpoint);
  }

  /** Returns null if the length can't be read right now. The next write will report why. */
  #readExtent(): WalExtent | null {
    try {
      return this.#connection.first<WalExtent>(sql`pragma wal_checkpoint(noop)`)!;
    } catch {
      return null;
    }
  }
}
