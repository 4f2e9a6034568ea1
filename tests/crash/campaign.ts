/**
 * The kill campaign: clients at work on memories, batches, inferred adds, documents, uploads,
 * exports and imports, now and then a backup beside them; the server killed at a random moment,
 * started again, and everything compared with what the clients were told. The choices come from the
 * seed; the moments at which the machine cuts in are its own.
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

/** What a campaign is. */
export interface CampaignOptions {
  readonly cycles: number;
  readonly seed: number;
  readonly clients?: number;
  /** Called after every cycle. */
  readonly onCycle?: (cycle: number, report: CampaignReport) => void;
}

/** What came of it. */
export interface CampaignReport extends ClientStats {
  cycles: number;
  killed: number;
  killedWhileStarting: number;
  killedWhileStopping: number;
  stopped: number;
  backups: number;
  backupsKilled: number;
  /** Snapshots that were imported, each compared with what comes out again. */
  imports: number;
  /** Vectors that were compared, after each start again. */
  vectors: number;
  /** Derivations that were given up after three kills in a row, and asked for again. */
  retried: number;
  restartMs: number[];
}

/** After so many cycles a new directory is taken, so that checks stay as long as at the start. */
const CYCLES_PER_DIRECTORY = 20;

/** Projects of a directory into which snapshots can be imported. */
const IMPORTS_PER_DIRECTORY = 8;

/** Cycles after which every posting of the text index is compared; a directory's last is so too. */
const CYCLES_PER_POSTING_CHECK = 5;

/** The share of directories whose texts are embedded; there cycles are few and short. */
const EMBEDDING = { chance: 0.15, cycles: 5, commands: 30 } as const;

/** The share of cycles with a backup under way. */
const BACKUP_CHANCE = 0.1;

/** A cycle ends after 1 to so many acknowledged commands: a start costs more than a few of them. */
const MAX_COMMANDS = { short: 60, long: 400, chanceOfLong: 0.25 } as const;

/** How each cycle ends; the rest are plain kills. */
const END_CHANCES = { stop: 0.06, killWhileStopping: 0.1 } as const;
const KILL_WHILE_STARTING_CHANCE = 0.12;

/** In starts, of the one before, so that kills fall before, in and after the opening of the file. */
const KILL_WINDOW_STARTS = 1.1;

/** @throws Violation as soon as anything is not as it must be */
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
    const era = new DirectoryRun(directory, random, { ...options, snapshot }, report);
    try {
      await era.run();
    } finally {
      era.close();
      await rm(directory);
    }
  }
  return report;
}

interface DirectoryRunOptions extends CampaignOptions {
  readonly snapshot: Snapshot;
}

/** The cycles of one data directory. */
class DirectoryRun {
  readonly #directory: string;
  readonly #random: SeededRandom;
  readonly #options: DirectoryRunOptions;
  readonly #report: CampaignReport;
  readonly #clients: (CrashClient | Archivist | Importer)[];
  /** Null in a directory whose texts aren't embedded. */
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
    const drawn = () => new SeededRandom(random.below(2 ** 32));
    this.#clients = [
      ...Array.from(
        { length: options.clients ?? 8 },
        (_, index) => new CrashClient(`c${index}`, drawn(), report),
      ),
      ...["a0", "a1"].map((name) => new Archivist(name, drawn())),
    ];
    this.#vectors = random.chance(EMBEDDING.chance) ? new VectorCheck() : null;
  }

  close(): void {
    this.#vectors?.close();
  }

  async run(): Promise<void> {
    let server = await ServerProcess.start(this.#directory, this.#start);
    this.#startMs = server.readyMs;
    const importer = await this.#addImporter();
    try {
      const cycles = this.#vectors === null ? CYCLES_PER_DIRECTORY : EMBEDDING.cycles;
      for (let cycle = 1; cycle <= cycles; cycle++) {
        if (this.#report.cycles === this.#options.cycles) break;
        await this.#cycle(server);
        server = await this.#startAgain();
        await this.#drained(server, this.#vectors === null ? "operations" : "vectors");
        await this.#check(cycle % CYCLES_PER_POSTING_CHECK === 0);
        this.#report.cycles++;
        this.#options.onCycle?.(this.#report.cycles, this.#report);
      }
      await this.#drained(server, "views");
      await importer.checkRecords(server.url);
      this.#report.imports += importer.done;
      await this.#stop(server);
      await checkClaimsOf(this.#directory);
      // The doctor compares postings too.
      const faults = runDoctor(this.#directory).filter(({ ok }) => !ok);
      if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
    } finally {
      await server.kill();
    }
  }

  async #addImporter(): Promise<Importer> {
    const projects = await addProjects(this.#directory, IMPORTS_PER_DIRECTORY);
    const random = new SeededRandom(this.#random.below(2 ** 32));
    const importer = new Importer(this.#options.snapshot, projects, random);
    this.#clients.push(importer);
    this.#importer = importer;
    return importer;
  }

  async #drained(
    server: ServerProcess,
    what: Parameters<typeof waitUntilDrained>[1],
  ): Promise<void> {
    await waitUntilDrained(this.#directory, what, async (operation, project) => {
      const key = this.#importer?.keyOf(project) ?? SERVER_KEY;
      const headers = { authorization: `Bearer ${key}` };
      const url = `${server.url}/v1/operations/${operation}/retry`;
      const { status, body } = await fetch(url, { method: "POST", headers });
      await body?.cancel();
      // Meanwhile the service itself may have queued another in the place of this one.
      if (status === 404) return;
      if (status !== 202) throw new Violation(`retrying ${operation} answered ${status}`);
      this.#report.retried++;
    });
  }

  get #start(): StartOptions {
    return this.#vectors === null ? {} : { embedder: "minilm" };
  }

  async #cycle(server: ServerProcess): Promise<void> {
    const backup = this.#random.chance(BACKUP_CHANCE)
      ? new ConcurrentBackup(this.#directory)
      : null;
    try {
      await this.#workUntilEnd(server);
    } finally {
      const whole = await backup?.finish();
      if (whole === true) this.#report.backups++;
      if (whole === false) this.#report.backupsKilled++;
    }
  }

  /** Lets the clients work, and ends the server after a drawn number of acknowledged commands. */
  async #workUntilEnd(server: ServerProcess): Promise<void> {
    let left = 1 + this.#random.below(this.#maxCommands());
    // A moment later than the answer, or else kills would always fall just behind a commit.
    const delayMs = this.#random.next() * 6;
    const end = this.#drawEnd();
    let ended: Promise<void> | null = null;
    await Promise.all(this.#clients.map((client) =>
      client.work(server.url, {
        onAcknowledged: () => {
          if (--left <= 0) ended ??= wait(delayMs).then(() => end(server));
        },
      }).catch(async (error: unknown) => {
        // The others wait for the end of the server, which would never come.
        await server.kill();
        throw error;
      })
    ));
    if (ended === null) {
      const code = await server.stop();
      throw new Violation(`The server ended by itself (${code}): ${server.log}`);
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
    if (code !== 0) throw new Violation(`Told to stop, it ended with ${code}: ${server.log}`);
    this.#report.stopped++;
  }

  /** Starts the server again; now and then that start is killed too. */
  async #startAgain(): Promise<ServerProcess> {
    while (this.#random.chance(KILL_WHILE_STARTING_CHANCE)) {
      const delayMs = this.#random.next() * KILL_WINDOW_STARTS * this.#startMs;
      await this.#killWhileStarting(delayMs);
    }
    const server = await ServerProcess.start(this.#directory, this.#start);
    this.#startMs = server.readyMs;
    this.#report.restartMs.push(server.readyMs);
    return server;
  }

  async #killWhileStarting(delayMs: number): Promise<void> {
    let killed: Promise<void> | undefined;
    await ServerProcess.start(this.#directory, {
      ...this.#start,
      onSpawn: (starting) => killed = wait(delayMs).then(() => starting.kill()),
    });
    await killed;
    this.#report.killedWhileStarting++;
  }

  /** Compares the database with the invariants and with every client's knowledge. */
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
