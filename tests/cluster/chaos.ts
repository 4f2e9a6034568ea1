/**
 * Chaos campaign. Clients work through a balancer that sends each request to another one of several
 * services on one database, while services are killed or stopped, and the database server loses
 * connections or crashes. Afterwards, everything is compared with the responses that the clients
 * received. The seed determines all choices, but not exactly when a fault takes effect.
 */

import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import { LOCK } from "../../src/store/postgres/locks.ts";
import { type Balancer, startBalancer } from "../../testing/balancer.ts";
import { clusterDirectories } from "../../testing/cluster.ts";
import { queryRecords, readRecords, testDatabase, useTestDatabase } from "../../testing/engine.ts";
import { dropSchema, type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient } from "../crash/client.ts";
import { checkDirectory } from "../crash/doctor.ts";
import { findAll } from "../crash/found.ts";
import { checkInvariants } from "../crash/invariants.ts";
import { waitUntilDrained } from "../crash/projections.ts";
import { type CampaignReport, emptyReport } from "../crash/report.ts";
import { checkSearchCopy } from "../crash/search_copy.ts";
import { Violation } from "../crash/violation.ts";

/** Options for a campaign. */
export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly processes?: number;
  readonly clients?: number;
  /** Called after every round. */
  readonly onRound?: (round: number, report: CampaignReport) => void;
}

/** What happens during a round. They take turns. */
const FAULTS = ["kill all but one", "connections", "crash", "kill", "stop"] as const;

type Fault = typeof FAULTS[number];

/** How many rounds share a database, so that the checks stay fast. */
const ROUNDS_PER_DATABASE = 20;

/** Acknowledged commands per round. */
const COMMANDS = { min: 40, max: 160 } as const;

/** How long a client waits after a request that was refused, in milliseconds. */
const REFUSED_PAUSE_MS = 50;

/** The longest time that the database server is down, in addition to its start, in milliseconds. */
const MAX_DOWN_MS = 400;

/** Connections of the services, including those that show that they run. */
const OF_SERVICES = "application_name like 'commonplace%'";

/**
 * Runs a campaign.
 *
 * @throws Violation as soon as a check fails
 */
export async function runChaos(options: ChaosOptions): Promise<CampaignReport> {
  const report = emptyReport();
  const random = new SeededRandom(options.seed);
  const server = await startPostgres();
  try {
    while (report.cycles < options.rounds) {
      const run = new DatabaseRun(server, random, options, report);
      try {
        await run.run();
      } finally {
        await run.close();
      }
    }
  } finally {
    await server.close();
  }
  return report;
}

/** Runs the rounds on one database. */
class DatabaseRun {
  readonly #server: PostgresServer;
  readonly #random: SeededRandom;
  readonly #options: ChaosOptions;
  readonly #report: CampaignReport;
  readonly #root = makeTempDirSync();
  readonly #directories: readonly string[];
  /** The folder for files. */
  readonly #blobs: string;
  readonly #processes: ServerProcess[] = [];
  readonly #clients: readonly (CrashClient | Archivist)[];
  #balancer: Balancer | undefined;

  constructor(
    server: PostgresServer,
    random: SeededRandom,
    options: ChaosOptions,
    report: CampaignReport,
  ) {
    this.#server = server;
    this.#random = random;
    this.#options = options;
    this.#report = report;
    const { directories, blobs } = clusterDirectories(this.#root, options.processes ?? 3);
    this.#directories = directories;
    this.#blobs = blobs;
    const address = server.newSchema();
    for (const directory of this.#directories) useTestDatabase(directory, address);
    const drawRandom = () => new SeededRandom(random.below(2 ** 32));
    this.#clients = [
      ...Array.from(
        { length: options.clients ?? 6 },
        (_, index) => new CrashClient(`c${index}`, drawRandom(), report),
      ),
      ...["a0", "a1"].map((name) => new Archivist(name, drawRandom())),
    ];
  }

  async run(): Promise<void> {
    for (const directory of this.#directories) {
      this.#processes.push(await this.#start(directory));
    }
    this.#balancer = await startBalancer(this.#urls);
    for (let round = 1; round <= ROUNDS_PER_DATABASE; round++) {
      if (this.#report.cycles === this.#options.rounds) break;
      const fault = FAULTS[this.#report.cycles % FAULTS.length]!;
      await this.#work(fault).catch((error: unknown) => {
        throw new Error(`round ${this.#report.cycles + 1}, ${fault}`, { cause: error });
      });
      await this.#check();
      this.#report.cycles++;
      this.#options.onRound?.(this.#report.cycles, this.#report);
    }
    await Promise.all(this.#processes.map((process) => process.stop()));
    const blobs = { kind: "folder", directory: this.#blobs } as const;
    for (const directory of this.#directories) await checkDirectory(directory, blobs);
  }

  async close(): Promise<void> {
    await this.#balancer?.close();
    await Promise.all(this.#processes.map((process) => process.kill()));
    await dropSchema(testDatabase(this.#root)!).catch(() => undefined);
    await rm(this.#root);
  }

  #start(directory: string): Promise<ServerProcess> {
    const environment = { COMMONPLACE_BLOB_URL: pathToFileURL(this.#blobs).href };
    return ServerProcess.start(directory, { environment });
  }

  get #urls(): string[] {
    return this.#processes.map(({ url }) => url);
  }

  /** Lets the clients work, and the fault happen after a random number of acknowledged commands. */
  async #work(fault: Fault): Promise<void> {
    let remaining = COMMANDS.min + this.#random.below(COMMANDS.max - COMMANDS.min);
    const failAt = this.#random.below(remaining);
    let failed: Promise<void> | null = null;
    const fail = () => failed ??= this.#fail(fault);
    await Promise.all(this.#clients.map((client) =>
      client.work(this.#balancer!.url, {
        search: true,
        shouldContinue: () => remaining > 0,
        onAcknowledged: () => {
          if (--remaining <= failAt) void fail().catch(() => undefined);
        },
        restoreStorage: () => failed,
        onRefused: async () => {
          this.#report.refused++;
          await wait(REFUSED_PAUSE_MS);
        },
      })
    ));
    // The fault may have cut off all clients before the last command.
    await fail();
  }

  async #fail(fault: Fault): Promise<void> {
    this.#report.databaseFaults[fault] = (this.#report.databaseFaults[fault] ?? 0) + 1;
    const first = this.#random.below(this.#processes.length);
    switch (fault) {
      case "kill":
        return await this.#restart(first, (process) => process.kill());
      case "kill all but one":
        await Promise.all(
          this.#processes.map((_, index) =>
            index === first ? undefined : this.#restart(index, (process) => process.kill())
          ),
        );
        return;
      case "stop":
        for (const index of this.#processes.keys()) {
          await this.#restart(index, async (process) => {
            this.#balancer!.use(this.#urls.filter((url) => url !== process.url));
            const code = await process.stop();
            if (code !== 0) throw new Violation(`a service stopped with ${code}: ${process.log}`);
          });
        }
        return;
      case "connections":
        for (let count = 1 + this.#random.below(5); count > 0; count--) {
          await this.#server.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where ${OF_SERVICES} and random() < .5`);
          await wait(this.#random.next() * 60);
        }
        return;
      case "crash":
        await this.#server.stop("immediate");
        await wait(this.#random.next() * MAX_DOWN_MS);
        await this.#server.start();
    }
  }

  /** Ends a service and starts it again. */
  async #restart(index: number, end: (process: ServerProcess) => Promise<void>): Promise<void> {
    await end(this.#processes[index]!);
    const next = await this.#start(this.#directories[index]!);
    this.#report.restartMs.push(next.readyMs);
    this.#processes[index] = next;
    this.#balancer!.use(this.#urls);
  }

  /** Checks the database, and compares it with what every client knows. */
  async #check(): Promise<void> {
    await waitUntilDrained(this.#root, "operations", async (operation) => {
      const headers = { authorization: `Bearer ${SERVER_KEY}` };
      const url = `${this.#balancer!.url}/v1/operations/${operation}/retry`;
      const { status, body } = await fetch(url, { method: "POST", headers });
      await body?.cancel();
      if (status !== 404 && status !== 202) {
        throw new Violation(`retrying ${operation} returned ${status}`);
      }
      this.#report.retried++;
    });
    await this.#waitForTransactions();
    await checkInvariants(this.#root, false);
    const found = { ...await readRecords(this.#root, findAll), drained: true };
    for (const client of this.#clients) client.verify(found);
    for (const [index, process] of this.#processes.entries()) {
      await checkSearchCopy(this.#directories[index]!, process);
    }
  }

  /** Waits until no transaction writes any more, e.g. of a service that was killed. */
  async #waitForTransactions(): Promise<void> {
    await queryRecords(
      this.#root,
      sql`select pg_advisory_xact_lock(hashtext(current_schema()), ${LOCK.journal}::int)`,
    );
  }
}
