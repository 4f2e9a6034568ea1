/** Makes backups at regular intervals while a server is running, keeping only the newest. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, timestamp } from "../kernel/clock.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Timers } from "../kernel/timers.ts";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import type { CopyReport } from "./copy.ts";
import type { CopyRequest } from "./worker.ts";

/** How often to check whether a backup is due, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;

/** Backup names, which sort by age. No other file in the directory is ever deleted. */
const BACKUP_NAME = /^commonplace-\d{8}T\d{9}Z$/;

/** What to back up, where to, how often, and how many backups to keep. */
export interface BackupPlan {
  readonly source: string;
  readonly directory: string;
  readonly everyMs: number;
  readonly keep: number;
}

/** Makes backups while a server is running. */
export class BackupSchedule {
  readonly #plan: BackupPlan;
  readonly #deps: { clock: Clock; timers: Timers; log: Log };
  readonly #worker = new WorkerClient<CopyRequest, CopyReport>(
    new URL("./worker.ts", import.meta.url),
  );
  #cancel = () => {};
  #stopped = false;

  constructor(plan: BackupPlan, deps: { clock: Clock; timers: Timers; log: Log }) {
    this.#plan = plan;
    this.#deps = deps;
  }

  /** Checks right away whether a backup is due, in case the server has been down for a while. */
  start(): void {
    void this.#runIfDue();
  }

  /** Stops all backups, including one in progress. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    this.#worker.close();
  }

  /**
   * Makes a backup in a worker and deletes the oldest ones over the limit. Returns the new backup's
   * directory.
   */
  async run(): Promise<string> {
    const { source, directory, keep } = this.#plan;
    const { clock, log } = this.#deps;
    const name = `commonplace-${timestamp(clock.now()).replaceAll(/[-:.]/g, "")}`;
    const started = clock.now();
    const report = await this.#worker.request({ source, target: join(directory, name) });
    const { files, bytes } = report;
    log.info("backup made", {
      directory: report.directory,
      files,
      bytes,
      ms: clock.now() - started,
    });
    for (const old of this.#listBackups().slice(0, -keep)) {
      rmSync(join(directory, old), { recursive: true, force: true });
    }
    return report.directory;
  }

  async #runIfDue(): Promise<void> {
    try {
      if (this.#isDue()) await this.run();
    } catch (error) {
      if (!this.#stopped) this.#deps.log.error("backup failed", { error: describeError(error) });
    }
    if (!this.#stopped) {
      this.#cancel = this.#deps.timers.after(CHECK_INTERVAL_MS, () => void this.#runIfDue());
    }
  }

  #isDue(): boolean {
    const newest = this.#listBackups().at(-1);
    if (newest === undefined) return true;
    const cutoff = timestamp(this.#deps.clock.now() - this.#plan.everyMs).replaceAll(/[-:.]/g, "");
    return newest <= `commonplace-${cutoff}`;
  }

  /** Returns the names of all backups, oldest first. */
  #listBackups(): string[] {
    const { directory } = this.#plan;
    return existsSync(directory)
      ? readdirSync(directory).filter((name) => BACKUP_NAME.test(name)).sort()
      : [];
  }
}
