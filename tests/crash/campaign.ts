/**
 * Kill campaign. Clients work on memories, batches, inferred adds, documents, uploads, exports and
 * imports, sometimes during a backup. The server is killed at a random moment and started again,
 * and then everything is compared with the responses the clients received. The seed determines all
 * choices, but not exactly when a kill takes effect.
 */

import { setTimeout as wait } from "node:timers/promises";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../../testing/seeded_random.ts";
import { SERVER_KEY, ServerProcess, type StartOptions } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { Archivist } from "./archivist.ts";
import { ConcurrentBackup } from "./concurrent_backup.ts";
import { type ClientStats, CrashClient } from "./client.ts";
import { findAll } from "./found.ts";
import { addProjects, Importer } from "./importer.ts";
import { checkInvariants } from "./invariants.ts";
import { checkClaimsOf, VectorCheck, waitUntilDrained } from "./projections.ts";
import { makeSnapshot, type Snapshot } from "./snapshot.ts";
import { Violation } from "./violation.ts";

/** Options for a campaign. */
export interface CampaignOptions {
  readonly cycles: number;
  readonly seed: number;
  readonly clients?: number;
  /** Called after every cycle. */
  readonly onCycle?: (cycle: number, report: CampaignReport) => void;
}

/** The report for a campaign. */
export interface CampaignReport extends ClientStats {
  cycles: number;
  killed: number;
  killedWhileStarting: number;
  killedWhileStopping: number;
  stopped: number;
  backups: number;
  backupsKilled: number;
  /** Imported snapshots. Each is exported again and compared. */
  imports: number;
  /** Vectors compared after restarts. */
  vectors: number;
  /** Derivations given up after three kills in a row, then retried. */
  retried: number;
  restartMs: number[];
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
  const report: CampaignReport = {
    cycles: 0,
    acknowledged: 0,
    inDoubtDone: 0,
    inDoubtNotDone: 0,
    replays: 0,
    twins: 0,
    killed: 0,
    killedWhileStarting: 0,
    killedWhileStopping: 0,
    stopped: 0,
    backups: 0,
    backupsKilled: 0,
    imports: 0,
    vectors: 0,
    retried: 0,
    restartMs: [],
  };
  const snapshot = await makeSnapshot();
  while (report.cycles < options.cycles) {
    const directory = makeTempDirSync();
    const run = new DirectoryRun(directory, random, { ...options, snapshot }, report);
    try {
      await run.run();
    } finally {
      run.close();
      await rm(directory);
    }
  }
  return report;
}

interface DirectoryRunOptions extends CampaignOptions {
  readonly snapshot: Snapshot;
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
        await this.#check(cycle % CYCLES_PER_POSTING_CHECK === 0);
        this.#report.cycles++;
        this.#options.onCycle?.(this.#report.cycles, this.#report);
      }
      await this.#waitUntilDrained(server, "views");
      await importer.checkRecords(server.url);
      this.#report.imports += importer.done;
      await this.#stop(server);
      await checkClaimsOf(this.#directory);
      // The doctor compares postings as well.
      const faults = runDoctor(this.#directory).filter(({ ok }) => !ok);
      if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
    } finally {
      await server.kill();
    }
  }

  async #createImporter(): Promise<Importer> {
    const projects = await addProjects(this.#directory, IMPORTS_PER_DIRECTORY);
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
    await waitUntilDrained(this.#directory, what, async (operation, project) => {
      const key = this.#importer?.keyOf(project) ?? SERVER_KEY;
      const headers = { authorization: `Bearer ${key}` };
      const url = `${server.url}/v1/operations/${operation}/retry`;
      const { status, body } = await fetch(url, { method: "POST", headers });
      await body?.cancel();
      // In the meantime, the service may have queued a different operation instead of this one.
      if (status === 404) return;
      if (status !== 202) throw new Violation(`retrying ${operation} returned ${status}`);
      this.#report.retried++;
    });
  }

  get #startOptions(): StartOptions {
    return this.#vectors === null ? {} : { embedder: "minilm" };
  }

  async #cycle(server: ServerProcess): Promise<void> {
    const backup = this.#random.chance(BACKUP_CHANCE)
      ? new ConcurrentBackup(this.#directory)
      : null;
    try {
      await this.#workUntilEnd(server);
    } finally {
      const isComplete = await backup?.finish();
      if (isComplete === true) this.#report.backups++;
      if (isComplete === false) this.#report.backupsKilled++;
    }
  }

  /** Lets the clients work, then ends the server after a random number of acknowledged commands. */
  async #workUntilEnd(server: ServerProcess): Promise<void> {
    let remaining = 1 + this.#random.below(this.#maxCommands());
    // Waits a moment after the response. Otherwise kills would always come right after a commit.
    const delayMs = this.#random.next() * 6;
    const end = this.#drawEnd();
    let ended: Promise<void> | null = null;
    await Promise.all(this.#clients.map((client) =>
      client.work(server.url, {
        onAcknowledged: () => {
          if (--remaining <= 0) ended ??= wait(delayMs).then(() => end(server));
        },
      }).catch(async (error: unknown) => {
        // Otherwise the other clients would wait forever for the server to end.
        await server.kill();
        throw error;
      })
    ));
    if (ended === null) {
      const code = await server.stop();
      throw new Violation(`The server exited unexpectedly with ${code}: ${server.log}`);
    }
    await ended;
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
    return async (server) => {
      await server.kill();
      this.#report.killed++;
    };
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
  async #check(postings: boolean): Promise<void> {
    const db = new Connection(databasePath(this.#directory));
    try {
      await checkInvariants(db, postings);
      const found = { ...findAll(db), drained: true };
      for (const client of this.#clients) client.verify(found);
    } finally {
      db.close();
    }
    this.#report.vectors += await this.#vectors?.check(this.#directory) ?? 0;
  }
}
