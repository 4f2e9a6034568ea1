/** How long the write-ahead log may get, and what keeps it short beside the writing. */

import sql from "sql-template-tag";
import { WorkerClient } from "../../kernel/worker_client.ts";
import type { Connection } from "./connection.ts";

/** Pages in the log from which on it is copied into the database: 4 MB, as SQLite has it by itself. */
const LOG_PAGES = 1_000;

/** From here on nobody writes until all of it is copied: 8 MB. */
const MANY_LOG_PAGES = 2 * LOG_PAGES;

/** From here on whoever commits copies it, whoever waits meanwhile: 16 MB. */
export const MOST_LOG_PAGES = 4 * LOG_PAGES;

/** What there is of the log, in pages. */
interface LogExtent {
  readonly log: number;
  /** Those that are in the database already. */
  readonly checkpointed: number;
}

/**
 * Copies as much of the log as no reader needs, without keeping anybody waiting. The log begins
 * anew with the next write once all of it is copied and no reader is left in it
 * (sqlite.org/wal.html); both are synced on the way, as with SQLite's own checkpoints.
 */
export function copyLog(connection: Connection): void {
  connection.first(sql`pragma wal_checkpoint(passive)`);
}

/** The thread that copies the log of a database; it starts when it is asked for the first time. */
export class LogThread {
  readonly #worker: WorkerClient<"copy", void>;

  /** @param path the database file */
  constructor(path: string) {
    this.#worker = new WorkerClient(new URL("./log_worker.ts", import.meta.url), path);
  }

  /** Resolves when it has done what it could; see `copyLog`. */
  copy(): Promise<void> {
    return this.#worker.ask("copy");
  }

  close(): void {
    this.#worker.close();
  }
}

/**
 * Has the log copied by another thread. On the main thread, as SQLite does it at a commit, every
 * thousandth page would keep all requests waiting for the writes and the sync.
 */
export class LogKeeper {
  readonly #connection: Connection;
  readonly #copy: () => Promise<void>;
  readonly #lend: (work: () => Promise<void>) => Promise<void>;
  #running: Promise<void> | null = null;
  /** Pages there were at the last try: a reader may keep them where they are for a long time. */
  #tried = 0;

  /**
   * @param connection the writer; from now on it copies the log itself only as the last resort
   * @param copy runs `copyLog` in another thread, and resolves when it is done
   * @param lend see `Store.lend`
   */
  constructor(
    connection: Connection,
    copy: () => Promise<void>,
    lend: (work: () => Promise<void>) => Promise<void>,
  ) {
    this.#connection = connection;
    this.#copy = copy;
    this.#lend = lend;
    connection.exec(`pragma wal_autocheckpoint = ${MOST_LOG_PAGES}`);
  }

  /** To be called after each commit; begins to copy when it is time. */
  look(): void {
    if (this.#running !== null) return;
    const extent = this.#extent();
    if (extent === null) return;
    const { log, checkpointed } = extent;
    if (log < this.#tried) this.#tried = 0;
    if (log - Math.max(checkpointed, this.#tried) < LOG_PAGES) return;
    this.#tried = log;
    // A failure leaves the log as it is: the next thousand pages bring the next try.
    this.#running = this.#copyAll().catch(() => undefined).finally(() => this.#running = null);
  }

  /** Resolves when nothing is being copied. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /**
   * Beside the writing. What is written meanwhile is left for the next time; where it always is, the
   * log can't begin anew, and at some length those who write wait for the rest.
   */
  async #copyAll(): Promise<void> {
    await this.#copy();
    const left = this.#extent();
    if (left === null || left.log === left.checkpointed) return;
    if (left.log >= MANY_LOG_PAGES) await this.#lend(this.#copy);
  }

  /** Null when it can't be told now; whoever writes next learns why from the database itself. */
  #extent(): LogExtent | null {
    try {
      return this.#connection.first<LogExtent>(sql`pragma wal_checkpoint(noop)`)!;
    } catch {
      return null;
    }
  }
}
