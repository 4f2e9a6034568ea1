/**
 * Runs backups while the server is working and getting killed. Half of the backups are killed too.
 * On PostgreSQL, a backup is a copy of the instance in a data directory.
 */

import { existsSync } from "node:fs";
import { testDatabase } from "../../testing/engine.ts";
import { spawn } from "../../testing/program.ts";
import { rm } from "../../testing/temp_dir.ts";
import { checkDirectory } from "./doctor.ts";
import { Violation } from "./violation.ts";

let serial = 0;

export class ConcurrentBackup {
  readonly #target: string;
  readonly #child: Deno.ChildProcess;

  constructor(directory: string) {
    this.#target = `${directory}-backup-${serial++}`;
    const isPostgres = testDatabase(directory) !== undefined;
    const command = isPostgres ? ["copy", "--to", this.#target] : ["backup", this.#target];
    this.#child = spawn([...command, "--data", directory]);
  }

  /**
   * Kills every other backup and checks the result: the copy is either complete or doesn't exist.
   * Returns whether it exists.
   *
   * @param canFail whether the database server failed during the backup
   */
  async finish(canFail = false): Promise<boolean> {
    if (serial % 2 === 0) this.#kill();
    const { success, stderr } = await this.#child.output();
    const exists = existsSync(this.#target);
    try {
      if (success && !exists) throw new Violation("a backup succeeded but does not exist");
      if (!exists && serial % 2 === 1 && !canFail) {
        throw new Violation(`a backup failed: ${new TextDecoder().decode(stderr)}`);
      }
      if (exists) await checkDirectory(this.#target);
      return exists;
    } finally {
      await rm(this.#target);
    }
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // The backup had already exited.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
