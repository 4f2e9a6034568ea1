/** The PostgreSQL server of a campaign, and the ways in which it fails while a round is running. */

import { setTimeout as wait } from "node:timers/promises";
import { testDatabase, useTestDatabase } from "../../testing/engine.ts";
import { dropSchema, type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/**
 * What happens to the server during a round, before the service is killed: connections end, the
 * server crashes and starts again, or the service is killed while the server is down.
 */
export const DATABASE_FAULTS = ["connections", "crash", "outage"] as const;

export type DatabaseFault = typeof DATABASE_FAULTS[number];

/** The longest time that the server is down, in addition to its start, in milliseconds. */
const MAX_DOWN_MS = 400;

/** How often connections end in a round, at most, and the longest time in between. */
const MAX_TERMINATIONS = 5;
const MAX_PAUSE_MS = 60;

/** Connections of the service. Those of the campaign itself have ended when a round begins. */
const OF_SERVICE = "application_name = 'commonplace'";

/** A server of its own, so that it can be stopped. */
export class CampaignDatabase {
  readonly #server: PostgresServer;
  #killedAt = "-infinity";

  private constructor(server: PostgresServer) {
    this.#server = server;
  }

  static async start(): Promise<CampaignDatabase> {
    return new CampaignDatabase(await startPostgres());
  }

  /** Keeps the records of a data directory in a new schema. */
  assign(directory: string): void {
    useTestDatabase(directory, this.#server.newSchema());
  }

  /** Removes the records of a data directory. */
  async remove(directory: string): Promise<void> {
    await dropSchema(testDatabase(directory)!);
  }

  /**
   * Lets the server fail.
   *
   * @param kill ends the service
   */
  async fail(fault: DatabaseFault, random: SeededRandom, kill: () => Promise<void>): Promise<void> {
    if (fault === "connections") return await this.#terminateConnections(random);
    const downMs = random.next() * MAX_DOWN_MS;
    await this.#server.stop("immediate");
    await wait(downMs);
    if (fault === "outage") await kill();
    await this.#server.start();
  }

  /** Notes that all services have been killed. */
  async noteKill(): Promise<void> {
    const query = "select clock_timestamp()::text as now";
    this.#killedAt = (await this.#server.query<{ now: string }>(query))[0]!.now;
  }

  /** Waits until nothing is executed any more for the services that were killed. */
  async waitForKilled(): Promise<void> {
    const connections = () =>
      this.#server.query(`select pid from pg_stat_activity
        where ${OF_SERVICE} and backend_start < '${this.#killedAt}'`);
    await waitUntil(connections, ({ length }) => length === 0);
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #terminateConnections(random: SeededRandom): Promise<void> {
    for (let count = 1 + random.below(MAX_TERMINATIONS); count > 0; count--) {
      await this.#server.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where ${OF_SERVICE} and random() < .5`);
      await wait(random.next() * MAX_PAUSE_MS);
    }
  }
}
