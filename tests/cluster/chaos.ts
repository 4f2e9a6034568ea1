/**
 * Chaos campaign. Clients work through a balancer that sends each request to another one of several
 * services on one database, which a primary server and a synchronous standby have. Each round has
 * one fault. Afterwards, everything is compared with the responses that the clients received. The
 * seed determines all choices, but not exactly when a fault takes effect.
 */

import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import sql from "sql-template-tag";
import type { PgAddress } from "../../src/store/postgres/connection.ts";
import { LOCK } from "../../src/store/postgres/locks.ts";
import { type Balancer, startBalancer } from "../../testing/balancer.ts";
import { clusterDirectories } from "../../testing/cluster.ts";
import { queryRecords, readRecords, useTestDatabase } from "../../testing/engine.ts";
import { dropSchema } from "../../testing/postgres.ts";
import { PostgresPair } from "../../testing/postgres_pair.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient } from "../crash/client.ts";
import { checkDirectory } from "../crash/doctor.ts";
import { findAll } from "../crash/found.ts";
import { checkInvariants } from "../crash/invariants.ts";
import { checkClaimsOf, STALLED, waitUntilDrained } from "../crash/projections.ts";
import { type CampaignReport, count, emptyReport } from "../crash/report.ts";
import { retryOperation } from "../crash/responses.ts";
import { checkSearchCopies } from "../crash/search_copy.ts";
import { Violation } from "../crash/violation.ts";
import { DEFAULT_FAULTS, type Fault, FAULTS, type FaultStage } from "./faults.ts";

/** Options for a campaign. */
export interface ChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** What happens in the rounds, in turn. */
  readonly faults?: readonly Fault[];
  readonly processes?: number;
  readonly clients?: number;
  /** When to begin no further rounds, as from `performance.now()`. */
  readonly deadline?: number;
  /** Called after every round. */
  readonly onRound?: (round: number, report: CampaignReport) => void;
}

/** How many rounds share a database, so that the checks stay fast. */
const ROUNDS_PER_DATABASE = 20;

/**
 * Fraction of databases whose texts are read, for inferred adds and views. These only get a few
 * rounds: each service that starts takes seconds to load what reads texts.
 */
const READING = { chance: 0.25, rounds: 8 } as const;

/** How many rounds to run between comparisons of everything in the search copies. */
const ROUNDS_PER_COPY_CHECK = 5;

/**
 * Acknowledged commands per round, at least. There are more while a fault lasts. A service that has
 * just started takes ten times as long for each as a warm one.
 */
const COMMANDS = { min: 15, max: 50 } as const;

/** How much of each service's log to print after a violation. */
const MAX_LOG_CHARACTERS = 4_000;

/** How long a client waits after a request that was refused, in milliseconds. */
const REFUSED_PAUSE_MS = 50;

/**
 * Runs a campaign.
 *
 * @throws Violation as soon as a check fails
 */
export async function runChaos(options: ChaosOptions): Promise<CampaignReport> {
  const report = emptyReport();
  const random = new SeededRandom(options.seed);
  const database = await PostgresPair.start();
  try {
    while (!isOver(options, report)) {
      const run = new DatabaseRun(database, random, options, report);
      try {
        await run.run();
      } finally {
        await run.close();
      }
    }
  } finally {
    await database.close();
  }
  return report;
}

function isOver({ rounds, deadline = Infinity }: ChaosOptions, { cycles }: CampaignReport) {
  return cycles >= rounds || performance.now() > deadline;
}

/** Runs the rounds on one database. */
class DatabaseRun {
  readonly #database: PostgresPair;
  readonly #address: PgAddress;
  readonly #random: SeededRandom;
  readonly #options: ChaosOptions;
  readonly #report: CampaignReport;
  readonly #root = makeTempDirSync();
  readonly #directories: readonly string[];
  /** The folder for files. */
  readonly #blobs: string;
  readonly #processes: ServerProcess[] = [];
  /** What the services wrote that ended in this round. */
  #endedLogs: string[] = [];
  readonly #clients: readonly (CrashClient | Archivist)[];
  /** Whether texts are read. */
  readonly #reading: boolean;
  #balancer: Balancer | undefined;

  constructor(
    database: PostgresPair,
    random: SeededRandom,
    options: ChaosOptions,
    report: CampaignReport,
  ) {
    this.#database = database;
    this.#address = database.newSchema();
    this.#random = random;
    this.#options = options;
    this.#report = report;
    const { directories, blobs } = clusterDirectories(this.#root, options.processes ?? 3);
    this.#directories = directories;
    this.#blobs = blobs;
    for (const directory of this.#directories) useTestDatabase(directory, this.#address);
    const drawRandom = () => new SeededRandom(random.below(2 ** 32));
    this.#clients = [
      ...Array.from(
        { length: options.clients ?? 6 },
        (_, index) => new CrashClient(`c${index}`, drawRandom(), report),
      ),
      ...["a0", "a1"].map((name) => new Archivist(name, drawRandom())),
    ];
    this.#reading = random.chance(READING.chance);
  }

  async run(): Promise<void> {
    await this.#startAll();
    this.#balancer = await startBalancer(this.#urls);
    const rounds = this.#reading ? READING.rounds : ROUNDS_PER_DATABASE;
    for (let round = 1; round <= rounds; round++) {
      if (isOver(this.#options, this.#report)) break;
      const { faults = DEFAULT_FAULTS } = this.#options;
      const fault = faults[this.#report.cycles % faults.length]!;
      try {
        await this.#work(fault);
        await this.#check(round % ROUNDS_PER_COPY_CHECK === 0);
      } catch (error) {
        const logs = [...this.#endedLogs, ...this.#processes.map(({ log }) => log)]
          .map((log) => log.slice(-MAX_LOG_CHARACTERS));
        const where = `round ${this.#report.cycles + 1}, ${fault}`;
        throw new Error(`${where}. The logs of the services:\n${logs.join("\n")}`, {
          cause: error,
        });
      }
      this.#report.cycles++;
      this.#options.onRound?.(this.#report.cycles, this.#report);
    }
    if (this.#reading) await this.#waitUntilDrained("views");
    await Promise.all(this.#processes.map((process) => process.stop()));
    if (this.#reading) await checkClaimsOf(this.#root);
    // The doctor compares everything in the search copies as well.
    const blobs = { kind: "folder", directory: this.#blobs } as const;
    for (const directory of this.#directories) await checkDirectory(directory, blobs);
  }

  async close(): Promise<void> {
    this.#report.requests += this.#balancer?.requests ?? 0;
    await this.#balancer?.close();
    await Promise.all(this.#processes.map((process) => process.kill()));
    const { url } = this.#database.primary;
    await dropSchema({ ...this.#address, url }).catch(() => undefined);
    await rm(this.#root);
  }

  async #startAll(): Promise<void> {
    // The first one creates the tables.
    const [first, ...others] = this.#directories;
    this.#processes.push(await this.#start(first!));
    await Promise.all(others.map(async (directory, index) => {
      this.#processes[index + 1] = await this.#start(directory);
    }));
    if (!this.#reading) await queryRecords(this.#root, sql`update projects set derivation = 0`);
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
    this.#endedLogs = [];
    let remaining = COMMANDS.min + this.#random.below(COMMANDS.max - COMMANDS.min);
    const failAt = this.#random.below(remaining);
    let failed: Promise<void> | null = null;
    let isEnded = false;
    const fail = () => failed ??= this.#fail(fault).finally(() => isEnded = true);
    let [acknowledgedAt, pauseMs] = [performance.now(), 0];
    await Promise.all(this.#clients.map((client) =>
      client.work(this.#balancer!.url, {
        search: true,
        infer: this.#reading,
        shouldContinue: () => remaining > 0 || !isEnded,
        onAcknowledged: () => {
          pauseMs = Math.max(pauseMs, performance.now() - acknowledgedAt);
          acknowledgedAt = performance.now();
          if (--remaining <= failAt) void fail().catch(() => undefined);
        },
        restoreStorage: () => failed,
        onRefused: async ({ message }) => {
          this.#report.refused++;
          count(this.#report.errors, message);
          await wait(REFUSED_PAUSE_MS);
        },
        onCutOff: ({ message }) => count(this.#report.errors, message),
      })
    ));
    // The fault may have cut off all clients before the last command.
    await fail();
    (this.#report.pauseMs[fault] ??= []).push(pauseMs);
  }

  async #fail(fault: Fault): Promise<void> {
    count(this.#report.databaseFaults, fault);
    const stage: FaultStage = {
      random: this.#random,
      database: this.#database,
      services: this.#processes.length,
      kill: (service) => this.#restart(service, (process) => process.kill()),
      stop: (service) =>
        this.#restart(service, async (process) => {
          this.#balancer!.use(this.#urls.filter((url) => url !== process.url));
          const code = await process.stop();
          if (code !== 0) throw new Violation(`a service stopped with ${code}: ${process.log}`);
        }),
    };
    await FAULTS[fault](stage);
  }

  /** Ends a service and starts it again. */
  async #restart(index: number, end: (process: ServerProcess) => Promise<void>): Promise<void> {
    await end(this.#processes[index]!);
    this.#endedLogs.push(this.#processes[index]!.log);
    const next = await this.#start(this.#directories[index]!);
    this.#report.restartMs.push(next.readyMs);
    this.#processes[index] = next;
    this.#balancer!.use(this.#urls);
  }

  /**
   * Checks the database, and compares it with what every client knows.
   *
   * @param whole whether to compare everything in the search copies
   */
  async #check(whole: boolean): Promise<void> {
    await this.#waitUntilDrained("operations");
    await this.#waitForTransactions();
    await checkInvariants(this.#root, false);
    const found = { ...await readRecords(this.#root, findAll), drained: true };
    for (const client of this.#clients) client.verify(found);
    await checkSearchCopies(
      this.#processes.map((process, index) => ({ directory: this.#directories[index]!, process })),
      whole,
    );
  }

  async #waitUntilDrained(what: "operations" | "views"): Promise<void> {
    await waitUntilDrained(this.#root, what, async ({ id, status }) => {
      const isRetried = await retryOperation(this.#balancer!.url, id);
      if (isRetried && status === "dead") this.#report.retried++;
    }, STALLED);
  }

  /** Waits until no transaction writes any more, e.g. of a service that was killed. */
  async #waitForTransactions(): Promise<void> {
    await queryRecords(
      this.#root,
      sql`select pg_advisory_xact_lock(hashtext(current_schema()), ${LOCK.journal}::int)`,
    );
  }
}
