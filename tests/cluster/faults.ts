/** The faults of a chaos campaign. */

import { setTimeout as wait } from "node:timers/promises";
import type { PostgresPair } from "../../testing/postgres_pair.ts";
import type { SeededRandom } from "../../testing/seeded_random.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** What a fault can use. */
export interface FaultStage {
  readonly random: SeededRandom;
  readonly database: PostgresPair;
  /** Number of services. */
  readonly services: number;
  /** Kills a service, and starts it again. */
  kill(service: number): Promise<void>;
  /** Stops a service, and starts it again. */
  stop(service: number): Promise<void>;
}

/** The longest time that a database server is down, in addition to its start, in milliseconds. */
const MAX_DOWN_MS = 400;

/** The longest time between two connections that end, in milliseconds. */
const MAX_PAUSE_MS = 60;

/** How often connections end in a round. */
const MAX_ENDS = 5;

/**
 * How long a standby is lost, in milliseconds. The services give up a commit after 30 s, and stop
 * asking for its outcome after 10 more.
 */
const LOST_MS = 45_000;

/** Connections of the services, including those that show that they run. */
const OF_SERVICES = "application_name like 'commonplace%'";

/** What happens while clients work, by name. Each fault ends with everything running again. */
export const FAULTS = {
  "kill all but one": async ({ random, services, kill }) => {
    const spared = random.below(services);
    const others = Array.from({ length: services }, (_, service) => service)
      .filter((service) => service !== spared);
    await Promise.all(others.map(kill));
  },
  "connections": async ({ random, database }) => {
    for (let ends = 1 + random.below(MAX_ENDS); ends > 0; ends--) {
      await database.primary.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where ${OF_SERVICES} and random() < .5`);
      await wait(random.next() * MAX_PAUSE_MS);
    }
  },
  "crash": async ({ random, database }) => {
    await database.primary.stop("immediate");
    await wait(random.next() * MAX_DOWN_MS);
    await database.primary.start();
  },
  "kill": ({ random, services, kill }) => kill(random.below(services)),
  "cut commits": async ({ random, database }) => {
    for (let ends = 1 + random.below(MAX_ENDS); ends > 0; ends--) {
      const before = database.cuts;
      database.cutNextCommit(random.chance(0.7) ? "before the response" : "before the commit");
      await waitUntil(() => Promise.resolve(database.cuts), (cuts) => cuts > before);
      await wait(random.next() * MAX_PAUSE_MS);
    }
  },
  "failover": async ({ random, database }) => {
    await database.failOver();
    await wait(random.next() * MAX_DOWN_MS);
    await database.restoreStandby();
  },
  "standby": async ({ random, database }) => {
    await database.standby.stop("immediate");
    await wait(random.next() * MAX_DOWN_MS);
    await database.standby.start();
  },
  "lost standby": async ({ database }) => {
    await database.standby.stop("immediate");
    await wait(LOST_MS);
    await database.standby.start();
  },
  "stop": async ({ random, services, stop }) => {
    const [first, count] = [random.below(services), 1 + random.below(services)];
    for (let n = 0; n < count; n++) await stop((first + n) % services);
  },
} satisfies Readonly<Record<string, (stage: FaultStage) => Promise<void>>>;

/** A fault's name. */
export type Fault = keyof typeof FAULTS;

/** All faults, except for one that takes as long as twenty others. */
export const DEFAULT_FAULTS = (Object.keys(FAULTS) as Fault[])
  .filter((fault) => fault !== "lost standby");
