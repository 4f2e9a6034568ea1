/** A pool of connections, opened when needed and closed when lost. */

import sql from "sql-template-tag";
import { isConnectionLost, unavailable } from "./errors.ts";
import { type PgAddress, PgConnection } from "./connection.ts";
import { lockSchemaVersion } from "./schema_state.ts";

/** Limits of a pool. Times are in milliseconds. */
export interface PoolLimits {
  /** Maximum number of connections. Defaults to 10. */
  readonly connections?: number;
  /** How long to wait for a free connection. Defaults to 5 seconds. */
  readonly waitMs?: number;
  /** How long the server can be silent while statements run. */
  readonly silenceMs?: number;
  /** How long an unused connection is kept. Defaults to 2 minutes. */
  readonly idleMs?: number;
}

/** A connection that no one uses, and since when. */
interface IdleConnection {
  readonly connection: PgConnection;
  readonly since: number;
}

interface Waiter {
  readonly resolve: (connection: PgConnection) => void;
  readonly reject: (error: unknown) => void;
}

/** A limited number of connections. */
export class PgPool {
  readonly #address: PgAddress;
  readonly #size: number;
  readonly #maxWaitMs: number;
  readonly #maxSilenceMs: number | undefined;
  readonly #maxIdleMs: number;
  readonly #idle: IdleConnection[] = [];
  readonly #waiters = new Set<Waiter>();
  #count = 0;
  #closed = false;

  constructor(
    address: PgAddress,
    { connections = 10, waitMs = 5_000, silenceMs, idleMs = 120_000 }: PoolLimits,
  ) {
    this.#address = address;
    this.#size = connections;
    this.#maxWaitMs = waitMs;
    this.#maxSilenceMs = silenceMs;
    this.#maxIdleMs = idleMs;
  }

  /**
   * Runs work with a connection of its own.
   *
   * @throws ApiError STORAGE_UNAVAILABLE if none is free or can be opened in time
   */
  async use<T>(work: (connection: PgConnection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire();
    try {
      return await work(connection);
    } finally {
      this.#release(connection);
    }
  }

  /** Closes all connections. Those in use are closed when they are released. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiters) reject(unavailable("The database is closed"));
    this.#waiters.clear();
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()));
  }

  /**
   * Opens a connection in addition to those of the pool, for work that takes long or that can't wait
   * for one that is free. The caller closes it.
   *
   * @param maxSilenceMs how long a statement can take
   * @throws ApiError STORAGE_UNAVAILABLE if it can't be opened, or a newer program has changed the
   *   schema
   */
  async openSeparate(maxSilenceMs = this.#maxSilenceMs): Promise<PgConnection> {
    try {
      const connection = await PgConnection.open(this.#address, maxSilenceMs);
      await lockSchemaVersion(connection);
      return connection;
    } catch (error) {
      throw isConnectionLost(error) ? unavailable("The database can't be reached", error) : error;
    }
  }

  /** Ends a connection at once, together with the statement that the server runs for it. */
  async terminate(connection: PgConnection): Promise<void> {
    connection.destroy();
    // A server notices only after its statement that no one waits for it anymore.
    const other = await this.openSeparate();
    try {
      await other.query(sql`select pg_terminate_backend(${connection.processId}::int)`);
    } finally {
      other.destroy();
    }
  }

  async #acquire(): Promise<PgConnection> {
    if (this.#closed) throw unavailable("The database is closed");
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { connection, since } = idle;
      // A firewall may have dropped it without a sign. The first statement would wait for long.
      const isStale = performance.now() - since >= this.#maxIdleMs;
      if (isStale) void connection.close();
      else if (connection.open) return connection;
      this.#count--;
    }
    if (this.#count >= this.#size) return await this.#wait();
    this.#count++;
    try {
      return await this.openSeparate();
    } catch (error) {
      this.#count--;
      this.#openForWaiter();
      throw error;
    }
  }

  #wait(): Promise<PgConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(unavailable("All connections to the database are busy"));
      }, this.#maxWaitMs);
      const waiter: Waiter = {
        resolve: (connection) => {
          clearTimeout(timer);
          resolve(connection);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /** Gives a connection to the first waiter. A waiter whose time has passed is no longer one. */
  #release(connection: PgConnection): void {
    if (!connection.open || this.#closed) {
      this.#count--;
      void connection.close();
      return this.#openForWaiter();
    }
    const waiter = this.#firstWaiter();
    if (waiter === undefined) this.#idle.push({ connection, since: performance.now() });
    else waiter.resolve(connection);
  }

  /** Opens a connection in place of one that was lost, if anyone waits for it. */
  #openForWaiter(): void {
    if (this.#waiters.size === 0 || this.#closed) return;
    this.#count++;
    this.openSeparate().then((connection) => this.#release(connection), (error) => {
      this.#count--;
      this.#firstWaiter()?.reject(error);
      this.#openForWaiter();
    });
  }

  #firstWaiter(): Waiter | undefined {
    const [waiter] = this.#waiters;
    if (waiter !== undefined) this.#waiters.delete(waiter);
    return waiter;
  }
}
