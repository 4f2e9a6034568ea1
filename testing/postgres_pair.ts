/** Two PostgreSQL servers for tests: a primary and its synchronous standby, each behind a proxy. */

import type { PgAddress } from "../src/store/postgres/connection.ts";
import { type Cut, type CuttingProxy, startCuttingProxy } from "./cutting_proxy.ts";
import { memoryFolder, type PostgresServer, randomSchema, startPostgres } from "./postgres.ts";

/** Name of a standby's connection, unless its settings have another one. */
const STANDBY = "walreceiver";

/** A server, and a proxy in front of it. */
interface Host {
  readonly server: PostgresServer;
  readonly proxy: CuttingProxy;
}

/** A primary server and its standby. */
export class PostgresPair {
  #primary: Host;
  #standby: Host;

  private constructor(primary: Host, standby: Host) {
    this.#primary = primary;
    this.#standby = standby;
  }

  /** Starts both servers. A commit waits until the standby has it. */
  static async start(): Promise<PostgresPair> {
    const servers: PostgresServer[] = [];
    const settings = [`synchronous_standby_names=${STANDBY}`, "wal_retrieve_retry_interval=100ms"];
    try {
      // A crash of a server isn't one of the machine, so nothing here depends on a disk.
      const folder = memoryFolder();
      servers.push(await startPostgres(settings, folder));
      servers.push(await startPostgres(settings, folder, servers[0]));
      const [primary, standby] = await Promise.all(servers.map(async (server): Promise<Host> => ({
        server,
        proxy: await startCuttingProxy(server.port),
      })));
      return new PostgresPair(primary!, standby!);
    } catch (error) {
      await Promise.all(servers.map((server) => server.close()));
      throw error;
    }
  }

  get primary(): PostgresServer {
    return this.#primary.server;
  }

  get standby(): PostgresServer {
    return this.#standby.server;
  }

  /** Number of connections that were cut. */
  get cuts(): number {
    return this.#primary.proxy.cuts + this.#standby.proxy.cuts;
  }

  /** Cuts the connection of the primary's next commit. */
  cutNextCommit(cut: Cut): void {
    this.#primary.proxy.cutNextCommit(cut);
  }

  /** Returns the address of a new schema, with both hosts. */
  newSchema(): PgAddress {
    const hosts = [this.#primary, this.#standby].map(({ proxy }) => `127.0.0.1:${proxy.port}`);
    return { url: `postgres://postgres@${hosts}/postgres`, schema: randomSchema() };
  }

  /** Ends the primary like a crash, and makes the standby the primary. There's no standby then. */
  async failOver(): Promise<void> {
    await this.primary.stop("immediate");
    await this.standby.promote();
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
  }

  /** Makes the server that was stopped the standby. */
  async restoreStandby(): Promise<void> {
    await this.standby.follow(this.primary);
  }

  /** Accepts connections, but reaches the servers only after the returned function is called. */
  holdConnections(): () => void {
    const open = [this.#primary, this.#standby].map(({ proxy }) => proxy.holdConnections());
    return () => open.forEach((release) => release());
  }

  async close(): Promise<void> {
    for (const { proxy, server } of [this.#primary, this.#standby]) {
      proxy.close();
      await server.close();
    }
  }
}
