/**
 * Kill campaign. Clients work on memories, batches, inferred adds, documents, uploads, exports and
 * imports, sometimes during a backup. The server is killed at a random moment and started again,
 * and then everything is compared with the responses the clients received. On PostgreSQL, the
 * database server fails as well. The seed determines all choices, but not exactly when a kill takes
 * effect.
 */

import { setTimeout as wait } from "node:timers/promises";
import { readRecords } from "../../testing/engine.ts";
import { addProjects } from "../../testing/projects.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { ServerProcess, type StartOptions } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { Archivist } from "./archivist.ts";
import { ConcurrentBackup } from "./concurrent_backup.ts";
import { CrashClient } from "./client.ts";
import { CampaignDatabase, DATABASE_FAULTS, type DatabaseFault } from "./database.ts";
import { checkDirectory } from "./doctor.ts";
import { findAll } from "./found.ts";
import { Importer } from "./importer.ts";
import { checkInvariants } from "./invariants.ts";
import { checkClaimsOf, STALLED, VectorCheck, waitUntilDrained } from "./projections.ts";
import { type CampaignReport, count, emptyReport } from "./report.ts";
import { retryOperation } from "./responses.ts";
import { checkSearchCopies } from "./search_copy.ts";
import { makeSnapshot, type Snapshot } from "./snapshot.ts";
import { Violation } from "./violation.ts";

/** Options for a campaign. */
export interface CampaignOptions {
  readonly cycles: number;
  readonly seed: number;
  readonly clients?: number;
  /** Where the records are. Defaults to SQLite. */
  readonly engine?: "sqlite" | "postgres";
  /** Called after every cycle. */
  readonly onCycle?: (cycle: number, report: CampaignReport) => void;
}

/**
 * How many cycles share a directory before we move on to a new one, so that the checks stay as fast
 * as they were at the start.
 */
const CYCLES_PER_DIRECTORY = 20;

/** How many projects in a directory can import a snapshot. */
const IMPORTS_PER_DIRECTORY = 8;

/**
 * How many cycles to run between comparisons of all postings in the text index. A directory's last
 * cycle compares them too.
 */
const CYCLES_PER_POSTING_CHECK = 5;

/** Fraction of directories whose texts are embedded. These only get a few short cycles. */
const EMBEDDING = { chance: 0.15, cycles: 5, commands: 30 } as const;

/** Fraction of cycles with a concurrent backup. */
const BACKUP_CHANCE = 0.1;

/** How long a client waits after a request that was refused, in milliseconds. */
const REFUSED_PAUSE_MS = 50;

/** Maximum acknowledged commands per cycle. A start costs more than a few commands do. */
const MAX_COMMANDS = { short: 60, long: 400, chanceOfLong: 0.25 } as const;

/** Probability of each way to end a cycle. All others end with a plain kill. */
const END_CHANCES = { stop: 0.06, killWhileStopping: 0.1 } as const;
const KILL_WHILE_STARTING_CHANCE = 0.12;

/**
 * The latest point at which a start is killed, as a multiple of the previous start time. Kills hit
 * before, while and after the database is opened.
 */
const KILL_WINDOW_STARTS = 1.1;

/**
 * Runs a campaign.
 *
 * @throws Violation as soon as a check fails
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const random = new SeededRandom(options.seed);
  const report = emptyReport();
  const snapshot = await makeSnapshot();
  const database = options.engine === "postgres" ? await CampaignDatabase.start() : null;
  try {
    while (report.cycles < options.cycles) {
      const directory = makeTempDirSync();
      database?.assign(directory);
      const run = new DirectoryRun(directory, random, { ...options, snapshot, database }, report);
      try {
        await run.run();
      } finally {
        run.close();
        await database?.remove(directory).catch(() => undefined);
        await rm(directory);
      }
    }
  } finally {
    await database?.close();
  }
  return report;
}

interface DirectoryRunOptions extends CampaignOptions {
  readonly snapshot: Snapshot;
  /** Null on SQLite. */
  readonly database: CampaignDatabase | null;
}

/** Runs the cycles on a single data directory. */
class DirectoryRun {
  readonly #directory: string;
  readonly #random: SeededRandom;
  readonly #options: DirectoryRunOptions;
  readonly #report: CampaignReport;
  readonly #clients: (CrashClient | Archivist | Importer)[];
  /** Null if this directory's texts aren't embedded. */
  readonly #vectors: VectorCheck | null;
  #importer: Importer | null = null;
  #startMs = 0;

  constructor(
    directory: string,
    random: SeededRandom,
    options: DirectoryRunOptions,
    report: CampaignReport,
  ) {
    this.#directory = directory;
    this.#random = random;
    this.#options = options;
    this.#report = report;
    const drawRandom = () => new SeededRandom(random.below(2 ** 32));
    this.#clients = [
      ...Array.from(
        { length: options.clients ?? 8 },
        (_, index) => new CrashClient(`c${index}`, drawRandom(), report),
      ),
      ...["a0", "a1"].map((name) => new Archivist(name, drawRandom())),
    ];
    this.#vectors = random.chance(EMBEDDING.chance) ? new VectorCheck() : null;
  }

  close(): void {
    this.#vectors?.close();
  }

  async run(): Promise<void> {
    let server = await ServerProcess.start(this.#directory, this.#startOptions);
    this.#startMs = server.readyMs;
    const importer = await this.#createImporter();
    try {
      const cycles = this.#vectors === null ? CYCLES_PER_DIRECTORY : EMBEDDING.cycles;
      for (let cycle = 1; cycle <= cycles; cycle++) {
        if (this.#report.cycles === this.#options.cycles) break;
        await this.#cycle(server);
        server = await this.#restart();
        await this.#waitUntilDrained(server, this.#vectors === null ? "operations" : "vectors");
        await this.#check(server, cycle % CYCLES_PER_POSTING_CHECK === 0);
        this.#report.cycles++;
        this.#options.onCycle?.(this.#report.cycles, this.#report);
      }
      await this.#waitUntilDrained(server, "views");
      await importer.checkRecords(server.url);
      this.#report.imports += importer.done;
      await this.#stop(server);
      await checkClaimsOf(this.#directory);
      // The doctor compares postings as well.
      await checkDirectory(this.#directory);
    } finally {
      await server.kill();
    }
  }

  async #createImporter(): Promise<Importer> {
    const projects = await addProjects(this.#directory, IMPORTS_PER_DIRECTORY, "import");
    const random = new SeededRandom(this.#random.below(2 ** 32));
    const importer = new Importer(this.#options.snapshot, projects, random);
    this.#clients.push(importer);
    this.#importer = importer;
    return importer;
  }

  async #waitUntilDrained(
    server: ServerProcess,
    what: Parameters<typeof waitUntilDrained>[1],
  ): Promise<void> {
    await waitUntilDrained(this.#directory, what, async ({ id, project, status }) => {
      const isRetried = await retryOperation(server.url, id, this.#importer?.keyOf(project));
      if (isRetried && status === "dead") this.#report.retried++;
    }, STALLED);
  }

  get #startOptions(): StartOptions {
    return this.#vectors === null ? {} : { embedder: "minilm" };
  }

  async #cycle(server: ServerProcess): Promise<void> {
    const fault = this.#drawFault();
    const backup = this.#random.chance(BACKUP_CHANCE)
      ? new ConcurrentBackup(this.#directory)
      : null;
    try {
      await this.#workUntilEnd(server, fault);
    } finally {
      const isComplete = await backup?.finish(fault !== null);
      if (isComplete === true) this.#report.backups++;
      if (isComplete === false) this.#report.backupsKilled++;
    }
  }

  /** Returns how the database server fails during the next round, if it does. */
  #drawFault(): DatabaseFault | null {
    if (this.#options.database === null) return null;
    // In turns, so that a few rounds are enough for all of them.
    return [...DATABASE_FAULTS, null][this.#report.cycles % (DATABASE_FAULTS.length + 1)]!;
  }

  /** Lets the clients work, then ends the server after a random number of acknowledged commands. */
  async #workUntilEnd(server: ServerProcess, fault: DatabaseFault | null): Promise<void> {
    let remaining = 1 + this.#random.below(this.#maxCommands());
    const failAt = this.#random.below(remaining);
    // Waits a moment after the response. Otherwise kills would always come right after a commit.
    const delayMs = this.#random.next() * 6;
    const drawn = this.#drawEnd();
    const end = fault === "outage" ? () => this.#kill(server) : drawn;
    let failed: Promise<void> | null = null;
    let ended: Promise<void> | null = null;
    await Promise.all(this.#clients.map((client) =>
      client.work(server.url, {
        search: true,
        onAcknowledged: () => {
          remaining--;
          if (fault !== null && remaining <= failAt) failed ??= this.#failDatabase(server, fault);
          if (remaining > 0) return;
          ended ??= Promise.all([failed, wait(delayMs)]).then(() => end(server));
        },
        ...(fault === null ? {} : {
          restoreStorage: () => failed,
          onRefused: async () => {
            this.#report.refused++;
            await wait(REFUSED_PAUSE_MS);
          },
        }),
      }).catch(async (error: unknown) => {
        // Otherwise the other clients would wait forever for the server to end.
        await server.kill();
        throw error;
      })
    ));
    await failed;
    // No client continues while the outcome of its command is unknown.
    if (fault === "outage" || (fault !== null && await isRunning(server))) ended ??= end(server);
    if (ended === null) {
      const code = await server.stop();
      throw new Violation(`The server exited unexpectedly with ${code}: ${server.log}`);
    }
    await ended;
  }

  async #failDatabase(server: ServerProcess, fault: DatabaseFault): Promise<void> {
    count(this.#report.databaseFaults, fault);
    await this.#options.database!.fail(fault, this.#random, () => server.kill());
  }

  #maxCommands(): number {
    if (this.#vectors !== null) return EMBEDDING.commands;
    const { short, long, chanceOfLong } = MAX_COMMANDS;
    return this.#random.chance(chanceOfLong) ? long : short;
  }

  #drawEnd(): (server: ServerProcess) => Promise<void> {
    const drawn = this.#random.next();
    const delayMs = this.#random.next() * 30;
    if (drawn < END_CHANCES.stop) return (server) => this.#stop(server);
    if (drawn < END_CHANCES.stop + END_CHANCES.killWhileStopping) {
      return async (server) => {
        server.beginStop();
        await wait(delayMs);
        await server.kill();
        this.#report.killedWhileStopping++;
      };
    }
    return (server) => this.#kill(server);
  }

  async #kill(server: ServerProcess): Promise<void> {
    await server.kill();
    this.#report.killed++;
  }

  async #stop(server: ServerProcess): Promise<void> {
    const code = await server.stop();
    if (code !== 0) {
      throw new Violation(`Asked to stop, the server exited with ${code}: ${server.log}`);
    }
    this.#report.stopped++;
  }

  /** Starts the server again. Some of these starts get killed as well. */
  async #restart(): Promise<ServerProcess> {
    while (this.#random.chance(KILL_WHILE_STARTING_CHANCE)) {
      const delayMs = this.#random.next() * KILL_WINDOW_STARTS * this.#startMs;
      await this.#killWhileStarting(delayMs);
    }
    await this.#options.database?.noteKill();
    const server = await ServerProcess.start(this.#directory, this.#startOptions);
    this.#startMs = server.readyMs;
    this.#report.restartMs.push(server.readyMs);
    return server;
  }

  async #killWhileStarting(delayMs: number): Promise<void> {
    let killed: Promise<void> | undefined;
    await ServerProcess.start(this.#directory, {
      ...this.#startOptions,
      onSpawn: (starting) => killed = wait(delayMs).then(() => starting.kill()),
    });
    await killed;
    this.#report.killedWhileStarting++;
  }

  /** Checks the database invariants and compares the database with what every client knows. */
  async #check(server: ServerProcess, postings: boolean): Promise<void> {
    await this.#options.database?.waitForKilled();
    await checkInvariants(this.#directory, postings);
    const found = { ...await readRecords(this.#directory, findAll), drained: true };
    for (const client of this.#clients) client.verify(found);
    if (this.#options.database !== null) {
      await checkSearchCopies([{ directory: this.#directory, process: server }]);
    }
    this.#report.vectors += await this.#vectors?.check(this.#directory) ?? 0;
  }
}

function isRunning(server: ServerProcess): Promise<boolean> {
  return server.call("GET", "/v1/health").then(() => true, () => false);
}
