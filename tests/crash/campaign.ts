/**
 * The kill campaign: clients at work on memories, batches, inferred adds, documents, uploads and
 * exports, now and then a backup beside them; the server killed at a random moment, started again,
 * and everything compared with what the clients were told. The choices come from the seed; the
 * moments at which the machine cuts in are its own.
 */

import { setTimeout as wait } from "node:timers/promises";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { SeededRandom } from "../random.ts";
import { SERVER_KEY, ServerProcess, type StartOptions } from "../server_process.ts";
import { makeTempDirSync, rm } from "../temporary.ts";
import { examine } from "../../src/server/doctor/doctor.ts";
import { Archivist } from "./archivist.ts";
import { BackupBeside } from "./backup_beside.ts";
import { CrashClient, type Tally } from "./client.ts";
import { findAll } from "./found.ts";
import { checkInvariants } from "./invariants.ts";
import { checkProjections, untilDrained } from "./projections.ts";
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
export interface CampaignReport extends Tally {
  cycles: number;
  killed: number;
  killedWhileStarting: number;
  killedWhileStopping: number;
  stopped: number;
  backups: number;
  backupsKilled: number;
  vectors: number;
  /** Derivations that were given up after three kills in a row, and asked for again. */
  retried: number;
  restartMs: number[];
}

/** After so many cycles a new directory is taken, so that checks stay as long as at the start. */
const CYCLES_A_DIRECTORY = 20;

/** The share of directories whose texts are embedded; there cycles are few and short. */
const EMBEDDING = { chance: 0.1, cycles: 4, commands: 30 } as const;

/** The share of cycles with a backup under way. */
const WITH_BACKUP = 0.1;

/** A cycle ends after 1 to so many acknowledged commands. */
const MOST_COMMANDS = 500;

/** How each cycle ends; the rest are plain kills. */
const ENDS = { stop: 0.06, killWhileStopping: 0.1 } as const;
const KILLED_WHILE_STARTING = 0.12;

/** Longer than a start takes, so that kills fall before, in and after the opening of the file. */
const STARTING_MS = 250;

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
    vectors: 0,
    retried: 0,
    restartMs: [],
  };
  while (report.cycles < options.cycles) {
    const directory = makeTempDirSync();
    try {
      await new Era(directory, random, options, report).run();
    } finally {
      await rm(directory);
    }
  }
  return report;
}

/** The cycles of one data directory. */
class Era {
  readonly #directory: string;
  readonly #random: SeededRandom;
  readonly #options: CampaignOptions;
  readonly #report: CampaignReport;
  readonly #clients: readonly (CrashClient | Archivist)[];
  readonly #embeds: boolean;

  constructor(
    directory: string,
    random: SeededRandom,
    options: CampaignOptions,
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
    this.#embeds = random.chance(EMBEDDING.chance);
  }

  async run(): Promise<void> {
    let server = await ServerProcess.start(this.#directory, this.#start);
    try {
      const cycles = this.#embeds ? EMBEDDING.cycles : CYCLES_A_DIRECTORY;
      for (let cycle = 0; cycle < cycles; cycle++) {
        if (this.#report.cycles === this.#options.cycles) break;
        await this.#cycle(server);
        server = await this.#startAgain();
        await this.#drained(server, "operations");
        await this.#check();
        this.#report.cycles++;
        this.#options.onCycle?.(this.#report.cycles, this.#report);
      }
      await this.#drained(server, this.#embeds ? "vectors" : "views");
      await this.#stop(server);
      this.#report.vectors += await checkProjections(this.#directory, this.#embeds);
      const faults = examine(this.#directory).filter(({ ok }) => !ok);
      if (faults.length > 0) throw new Violation(`the doctor found ${JSON.stringify(faults)}`);
    } finally {
      await server.kill();
    }
  }

  async #drained(server: ServerProcess, what: Parameters<typeof untilDrained>[1]): Promise<void> {
    await untilDrained(this.#directory, what, async (operation) => {
      const headers = { authorization: `Bearer ${SERVER_KEY}` };
      const url = `${server.url}/v1/operations/${operation}/retry`;
      const { status, body } = await fetch(url, { method: "POST", headers });
      await body?.cancel();
      if (status !== 202) throw new Violation(`retrying ${operation} answered ${status}`);
      this.#report.retried++;
    });
  }

  get #start(): StartOptions {
    return this.#embeds ? { embedder: "minilm" } : {};
  }

  async #cycle(server: ServerProcess): Promise<void> {
    const backup = this.#random.chance(WITH_BACKUP) ? new BackupBeside(this.#directory) : null;
    try {
      await this.#workUntilEnd(server);
    } finally {
      const whole = await backup?.end();
      if (whole === true) this.#report.backups++;
      if (whole === false) this.#report.backupsKilled++;
    }
  }

  /** Lets the clients work, and ends the server after a drawn number of acknowledged commands. */
  async #workUntilEnd(server: ServerProcess): Promise<void> {
    let left = 1 + this.#random.below(this.#embeds ? EMBEDDING.commands : MOST_COMMANDS);
    // A moment later than the answer, or else kills would always fall just behind a commit.
    const delayMs = this.#random.next() * 6;
    const end = this.#drawEnd();
    let ended: Promise<void> | null = null;
    await Promise.all(this.#clients.map((client) =>
      client.work(server.url, {
        acknowledged: () => {
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

  #drawEnd(): (server: ServerProcess) => Promise<void> {
    const drawn = this.#random.next();
    const delayMs = this.#random.next() * 30;
    if (drawn < ENDS.stop) return (server) => this.#stop(server);
    if (drawn < ENDS.stop + ENDS.killWhileStopping) {
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
    while (this.#random.chance(KILLED_WHILE_STARTING)) {
      const delayMs = this.#random.next() * STARTING_MS;
      await this.#killWhileStarting(delayMs);
    }
    const server = await ServerProcess.start(this.#directory, this.#start);
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
  async #check(): Promise<void> {
    const db = new Connection(databasePath(this.#directory));
    try {
      await checkInvariants(db);
      const found = { ...findAll(db), drained: true };
      for (const client of this.#clients) client.settle(found);
    } finally {
      db.close();
    }
  }
}
