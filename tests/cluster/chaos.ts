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
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient } from "../crash/client.ts";
import { checkDirectory } from "../crash/doctor.ts";
import { findAll } from "../crash/found.ts";
import { checkInvariants } from "../crash/invariants.ts";
import { waitUntilDrained } from "../crash/projections.ts";
import { type CampaignReport, count, emptyReport } from "../crash/report.ts";
import { checkSearchCopy } from "../crash/search_copy.ts";
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

/** Acknowledged commands per round. */
const COMMANDS = { min: 30, max: 90 } as const;

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
  readonly #clients: readonly (CrashClient | Archivist)[];
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
  }

  async run(): Promise<void> {
    for (const directory of this.#directories) {
      this.#processes.push(await this.#start(directory));
    }
    this.#balancer = await startBalancer(this.#urls);
    for (let round = 1; round <= ROUNDS_PER_DATABASE; round++) {
      if (isOver(this.#options, this.#report)) break;
      const { faults = DEFAULT_FAULTS } = this.#options;
      const fault = faults[this.#report.cycles % faults.length]!;
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
    this.#report.requests += this.#balancer?.requests ?? 0;
    await this.#balancer?.close();
    await Promise.all(this.#processes.map((process) => process.kill()));
    const { url } = this.#database.primary;
    await dropSchema({ ...this.#address, url }).catch(() => undefined);
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
    let isEnded = false;
    const fail = () => failed ??= this.#fail(fault).finally(() => isEnded = true);
    let [acknowledgedAt, pauseMs] = [performance.now(), 0];
    await Promise.all(this.#clients.map((client) =>
      client.work(this.#balancer!.url, {
        search: true,
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
