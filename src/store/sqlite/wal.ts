/** Keeps the write-ahead log (WAL) short without delaying writes. */

import sql from "sql-template-tag";
import { WorkerClient } from "../../kernel/process/worker_client.ts";
import type { Connection } from "./connection.ts";

/** WAL length at which a checkpoint starts: 4 MB, SQLite's default. */
const CHECKPOINT_WAL_PAGES = 1_000;

/** WAL length at which writers wait until all of it has been copied: 8 MB. */
const EXCLUSIVE_CHECKPOINT_WAL_PAGES = 2 * CHECKPOINT_WAL_PAGES;

/** WAL length at which the commit itself runs a checkpoint, however long that blocks: 16 MB. */
export const MAX_WAL_PAGES = 4 * CHECKPOINT_WAL_PAGES;

/** WAL length, in pages. */
interface WalExtent {
  readonly log: number;
  /** Pages already in the database. */
  readonly checkpointed: number;
}

/**
 * Copies as many pages from the WAL into the database as readers allow, without blocking anyone. If
 * the whole WAL was copied and no reader is using it, the next write starts it over
 * (sqlite.org/wal.html). Both files are synced, just like SQLite's automatic checkpoints do.
 */
export function checkpoint(connection: Connection): void {
  connection.first(sql`pragma wal_checkpoint(passive)`);
}

/** The thread that runs a database's checkpoints. Started by the first one. */
export class CheckpointWorker {
  readonly #worker: WorkerClient<"checkpoint", void>;

  /** @param path the database file */
  constructor(path: string) {
    this.#worker = new WorkerClient(new URL("./checkpoint_worker.ts", import.meta.url), path);
  }

  /** Runs a checkpoint and resolves once it's finished. See {@linkcode checkpoint}. */
  run(): Promise<void> {
    return this.#worker.request("checkpoint");
  }

  close(): void {
    this.#worker.close();
  }
}

/**
 * Decides after each commit whether another thread should run a checkpoint. By default, SQLite runs
 * one on the main thread every 1,000 pages. All requests would be blocked during the writes and the
 * sync.
 */
export class Checkpointer {
  readonly #connection: Connection;
  readonly #checkpoint: () => Promise<void>;
  readonly #runExclusive: (work: () => Promise<void>) => Promise<void>;
  #running: Promise<void> | null = null;
  /** WAL length at the last attempt. A reader can keep it from shrinking for a long time. */
  #lastAttemptPages = 0;

  /**
   * @param connection the writer; from now on, it only runs checkpoints itself at MAX_WAL_PAGES
   * @param checkpoint runs `checkpoint` in another thread and resolves once it's finished
   * @param runExclusive see {@linkcode SqliteStore.runExclusive}
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
    // If the checkpoint fails, the WAL is unchanged; we try again after another 1,000 pages.
    this.#running = this.#run().catch(() => undefined).finally(() => this.#running = null);
  }

  /** Resolves when no checkpoint is running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /**
   * At first, the checkpoint runs alongside the writers; pages written in the meantime are left for
   * the next one. Under steady writes, there are always some left, so the WAL can't start over.
   * That's why writers have to wait once it reaches a certain length.
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
