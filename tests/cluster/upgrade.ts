/**
 * Rolling upgrades. Clients work through a balancer while each of several services on one database
 * is replaced by one of the next version, which adds to the schema. Afterwards, everything is
 * compared with the responses that the clients received.
 */

import { deepStrictEqual } from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import sql from "sql-template-tag";
import { type Balancer, startBalancer } from "../../testing/balancer.ts";
import { clusterDirectories } from "../../testing/cluster.ts";
import { queryRecords, readRecords, useTestDatabase } from "../../testing/engine.ts";
import { makeNextVersion, NEXT_SCHEMA_VERSION, NEXT_VERSION } from "../../testing/next_version.ts";
import { dropSchema, type PostgresServer, startPostgres } from "../../testing/postgres.ts";
import { run } from "../../testing/program.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY, ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { Archivist } from "../crash/archivist.ts";
import { CrashClient } from "../crash/client.ts";
import { findAll } from "../crash/found.ts";
import { checkInvariants } from "../crash/invariants.ts";
import { checkClaimsOf, waitUntilDrained } from "../crash/projections.ts";
import { type CampaignReport, emptyReport } from "../crash/report.ts";
import { checkSearchCopies } from "../crash/search_copy.ts";
import { Violation } from "../crash/violation.ts";

/** Options for upgrades. */
export interface UpgradeOptions {
  readonly upgrades: number;
  readonly seed: number;
  readonly processes: number;
  readonly clients: number;
  /** Clients that store documents, upload files and export. These cost the most. */
  readonly archivists: number;
  /** Commands to acknowledge before and after each replacement. */
  readonly commands: number;
  /** Whether texts are read for inference and views. Each process takes seconds to load that. */
  readonly reading: boolean;
  /** Called after every upgrade. */
  readonly onUpgrade?: (report: CampaignReport) => void;
}

/** Commands whose texts aren't read. */
const UNREAD = ["add", "messages", "update", "add", "rate", "delete"] as const;

/** How long a client waits after a request that was refused, in milliseconds. */
const REFUSED_PAUSE_MS = 50;

/**
 * Runs upgrades, each on a database of its own.
 *
 * @throws Violation as soon as a check fails
 */
export async function runUpgrades(options: UpgradeOptions): Promise<CampaignReport> {
  const report = emptyReport();
  const random = new SeededRandom(options.seed);
  const root = makeTempDirSync();
  const server = await startPostgres();
  try {
    const next = makeNextVersion(join(root, "next"));
    while (report.cycles < options.upgrades) {
      const upgrade = new Upgrade(server, random, options, report, next);
      try {
        await upgrade.run();
      } finally {
        await upgrade.close();
      }
      report.cycles++;
      options.onUpgrade?.(report);
    }
  } finally {
    await server.close();
    await rm(root);
  }
  return report;
}

class Upgrade {
  readonly #options: UpgradeOptions;
  readonly #report: CampaignReport;
  /** The folder with the source of the next version. */
  readonly #next: string;
  readonly #root = makeTempDirSync();
  readonly #address;
  readonly #directories: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #processes: ServerProcess[] = [];
  readonly #clients: readonly (CrashClient | Archivist)[];
  #balancer: Balancer | undefined;
  #acknowledged = 0;
  #ended = false;
  #replacing: Promise<void> | undefined;
  /** The first response that no client should get. */
  #wrong: string | undefined;

  constructor(
    server: PostgresServer,
    random: SeededRandom,
    options: UpgradeOptions,
    report: CampaignReport,
    next: string,
  ) {
    this.#options = options;
    this.#report = report;
    this.#next = next;
    const { directories, blobs } = clusterDirectories(this.#root, options.processes);
    this.#directories = directories;
    this.#environment = { COMMONPLACE_BLOB_URL: pathToFileURL(blobs).href };
    this.#address = server.newSchema();
    for (const directory of directories) useTestDatabase(directory, this.#address);
    const script = options.reading ? [] : Array.from({ length: 1_000 }, () => UNREAD).flat();
    const drawRandom = () => new SeededRandom(random.below(2 ** 32));
    this.#clients = [
      ...Array.from(
        { length: options.clients },
        (_, index) => new CrashClient(`c${index}`, drawRandom(), report, () => {}, script),
      ),
      ...Array.from(
        { length: options.archivists },
        (_, index) => new Archivist(`a${index}`, drawRandom()),
      ),
    ];
  }

  async run(): Promise<void> {
    for (const directory of this.#directories) {
      this.#processes.push(await this.#start(directory));
    }
    if (!this.#options.reading) {
      await queryRecords(this.#root, sql`update projects set derivation = 0`);
    }
    this.#balancer = await startBalancer(this.#urls);
    this.#balancer.onResponse = (response) => this.#checkResponse(response);
    const working = Promise.all(this.#clients.map((client) => this.#work(client)));
    this.#replacing = this.#replaceAll();
    await Promise.race([working, this.#replacing]);
    this.#ended = true;
    await working;
    await this.#check();
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#balancer?.close();
    const kill = () => Promise.all(this.#processes.map((process) => process.kill()));
    await kill();
    // It may have started another one.
    await this.#replacing?.catch(() => undefined);
    await kill();
    await dropSchema(this.#address).catch(() => undefined);
    await rm(this.#root);
  }

  #start(directory: string, source?: string): Promise<ServerProcess> {
    const options = { environment: this.#environment };
    return ServerProcess.start(directory, source === undefined ? options : { ...options, source });
  }

  get #urls(): string[] {
    return this.#processes.map(({ url }) => url);
  }

  async #work(client: CrashClient | Archivist): Promise<void> {
    await client.work(this.#balancer!.url, {
      search: true,
      shouldContinue: () => !this.#ended,
      onAcknowledged: () => void this.#acknowledged++,
      restoreStorage: () => null,
      onRefused: async () => {
        this.#report.refused++;
        await wait(REFUSED_PAUSE_MS);
      },
    });
    if (!this.#ended) {
      throw new Violation(this.#wrong ?? "a service was stopping although no balancer used it");
    }
  }

  /** Replaces one process after the other, while the clients work. */
  async #replaceAll(): Promise<void> {
    await this.#waitForCommands();
    for (const [index, process] of this.#processes.entries()) {
      if (this.#ended) return;
      this.#balancer!.use(this.#urls.filter((url) => url !== process.url));
      await this.#balancer!.idle(process.url);
      const code = await process.stop();
      if (code !== 0) throw new Violation(`a service stopped with ${code}: ${process.log}`);
      const next = await this.#start(this.#directories[index]!, this.#next);
      this.#report.restartMs.push(next.readyMs);
      this.#processes[index] = next;
      this.#balancer!.use(this.#urls);
      await this.#waitForCommands();
    }
  }

  async #waitForCommands(): Promise<void> {
    const enough = this.#acknowledged + this.#options.commands;
    await waitUntil(
      () => Promise.resolve(this.#acknowledged),
      (count) => this.#ended || count >= enough,
    );
  }

  /** The clients know which status they expect. None expects that of an error of the service. */
  #checkResponse(response: IncomingMessage | null): void {
    const status = response?.statusCode;
    if (status !== undefined && status < 500) return;
    if (status === 503 && response!.headers["retry-after"] !== undefined) return;
    this.#wrong ??= status === undefined
      ? "a connection ended before its response"
      : `a request returned ${status} without Retry-After`;
  }

  async #check(): Promise<void> {
    if (this.#wrong !== undefined) throw new Violation(this.#wrong);
    await waitUntilDrained(this.#root, "views", ({ id }) => {
      throw new Violation(`operation ${id} was given up`);
    });
    // The last change is in the views, but these may still be those of the version before.
    await waitUntil(() => this.#readers(), (readers) => readers.every(isOfNextVersion));
    await checkInvariants(this.#root, false);
    const found = { ...await readRecords(this.#root, findAll), drained: true };
    for (const client of this.#clients) client.verify(found);
    await checkSearchCopies(
      this.#processes.map((process, index) => ({ directory: this.#directories[index]!, process })),
    );
    const { processes } = (await this.#processes[0]!.call("GET", "/v1/health")).json;
    deepStrictEqual(
      processes.map(({ version }: { version: string }) => version),
      this.#processes.map(() => NEXT_VERSION),
    );
    await Promise.all(this.#processes.map((process) => process.stop()));
    if (!this.#options.reading) return;
    await checkClaimsOf(this.#root);
    await this.#checkDatabase();
  }

  /** Returns what read the texts of the views. */
  async #readers(): Promise<string[]> {
    const rows = await queryRecords<{ reader: string }>(
      this.#root,
      sql`select distinct coalesce(reader, '') as reader from derived_progress`,
    );
    return rows.map(({ reader }) => reader);
  }

  /** Checks the database with the next version. */
  async #checkDatabase(): Promise<void> {
    const args = ["doctor", "--data", this.#root, "--json"];
    const environment = { COMMONPLACE_API_KEY: SERVER_KEY, ...this.#environment };
    const { code, stdout } = await run(args, { source: this.#next, environment });
    const isCurrent = stdout.includes(`version ${NEXT_SCHEMA_VERSION}, current`);
    if (code !== 0 || !isCurrent) throw new Violation(`the doctor found: ${stdout}`);
  }
}

function isOfNextVersion(reader: string): boolean {
  return reader.startsWith("builtin-999-");
}
