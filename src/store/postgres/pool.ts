/** A pool of connections, opened when needed and closed when lost. */

import { isConnectionLost, unavailable } from "./errors.ts";
import { type PgAddress, PgConnection } from "./connection.ts";

/** How long to wait for a free connection, in milliseconds. */
const MAX_WAIT_MS = 5_000;

interface Waiter {
  readonly resolve: (connection: PgConnection) => void;
  readonly reject: (error: unknown) => void;
}

/** At most `size` connections. */
export class PgPool {
  readonly #address: PgAddress;
  readonly #size: number;
  readonly #idle: PgConnection[] = [];
  readonly #waiters = new Set<Waiter>();
  #count = 0;
  #closed = false;

  constructor(address: PgAddress, size: number) {
    this.#address = address;
    this.#size = size;
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
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  async #acquire(): Promise<PgConnection> {
    if (this.#closed) throw unavailable("The database is closed");
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.open) return idle;
      this.#count--;
    }
    if (this.#count >= this.#size) return await this.#wait();
    this.#count++;
    try {
      return await PgConnection.open(this.#address);
    } catch (error) {
      this.#count--;
      this.#serveWaiter();
      throw isConnectionLost(error) ? unavailable("The database can't be reached", error) : error;
    }
  }

  #wait(): Promise<PgConnection> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(unavailable("All connections to the database are busy"));
      }, MAX_WAIT_MS);
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

  #release(connection: PgConnection): void {
    if (!connection.open || this.#closed) {
      this.#count--;
      void connection.close();
      return this.#serveWaiter();
    }
    const waiter = this.#firstWaiter();
    if (waiter === undefined) this.#idle.push(connection);
    else waiter.resolve(connection);
  }

  /** Opens a connection for the first waiter, in place of one that was lost. */
  #serveWaiter(): void {
    if (this.#waiters.size === 0 || this.#closed) return;
    const waiter = this.#firstWaiter()!;
    this.#acquire().then(waiter.resolve, waiter.reject);
  }

  #firstWaiter(): Waiter | undefined {
    const [waiter] = this.#waiters;
    if (waiter !== undefined) this.#waiters.delete(waiter);
    return waiter;
  }
}
