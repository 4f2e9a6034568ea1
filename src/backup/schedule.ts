/** Makes backups at regular intervals while a server is running, keeping only the newest. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, HOUR_MS, timestamp } from "../kernel/clock.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Timers } from "../kernel/timers.ts";
import { WorkerClient } from "../kernel/process/worker_client.ts";
import { type CopyReport, PARTIAL_SUFFIX } from "./copy.ts";
import type { CopyRequest } from "./worker.ts";

/** How often to check whether a backup is due, in milliseconds. */
const CHECK_INTERVAL_MS = 60_000;

/** Longest time between two attempts after failed ones, in milliseconds. */
const MAX_RETRY_INTERVAL_MS = HOUR_MS;

/**
 * Backup names, which sort by age. Apart from these and unfinished copies of them, no file in the
 * directory is ever deleted.
 */
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
  #failures = 0;
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
   * Makes a backup in a worker and deletes the oldest ones over the limit, and what earlier backups
   * left that didn't finish. Returns the new backup's directory.
   */
  async run(): Promise<string> {
    const { source, directory, keep } = this.#plan;
    const { clock, log } = this.#deps;
    const started = clock.now();
    const name = nameAt(started);
    this.#delete(this.#listNames().filter(isPartialBackup));
    const report = await this.#worker.request({ source, target: join(directory, name) });
    const { files, bytes } = report;
    log.info("backup made", {
      directory: report.directory,
      files,
      bytes,
      ms: clock.now() - started,
    });
    this.#delete(this.#listBackups().slice(0, -keep));
    return report.directory;
  }

  async #runIfDue(): Promise<void> {
    try {
      if (this.#isDue()) await this.run();
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      if (!this.#stopped) this.#deps.log.error("backup failed", { error: describeError(error) });
    }
    if (this.#stopped) return;
    // Each attempt copies everything, so a failed one is repeated less and less often.
    const wait = Math.min(CHECK_INTERVAL_MS * 2 ** this.#failures, MAX_RETRY_INTERVAL_MS);
    this.#cancel = this.#deps.timers.after(wait, () => void this.#runIfDue());
  }

  #isDue(): boolean {
    const now = this.#deps.clock.now();
    const newest = this.#listBackups().at(-1);
    return newest === undefined || newest > nameAt(now) ||
      newest <= nameAt(now - this.#plan.everyMs);
  }

  /**
   * Returns the names of all backups, oldest first. Those from the future were made while the clock
   * was ahead. They come before all others, so they neither keep the next backup waiting nor stay.
   */
  #listBackups(): string[] {
    const names = this.#listNames().filter((name) => BACKUP_NAME.test(name)).sort();
    const now = nameAt(this.#deps.clock.now());
    return [...names.filter((name) => name > now), ...names.filter((name) => name <= now)];
  }

  #listNames(): string[] {
    const { directory } = this.#plan;
    return existsSync(directory) ? readdirSync(directory) : [];
  }

  #delete(names: readonly string[]): void {
    for (const name of names) {
      rmSync(join(this.#plan.directory, name), { recursive: true, force: true });
    }
  }
}

/** Returns the name of a backup made at an instant. */
function nameAt(milliseconds: number): string {
  return `commonplace-${timestamp(milliseconds).replaceAll(/[-:.]/g, "")}`;
}

/** Checks whether a name is that of a backup whose process ended before it was finished. */
function isPartialBackup(name: string): boolean {
  return name.endsWith(PARTIAL_SUFFIX) && BACKUP_NAME.test(name.slice(0, -PARTIAL_SUFFIX.length));
}
