/**
 * Runs backups while the server is working and getting killed. Half of the backups are killed too.
 */

import { existsSync } from "node:fs";
import { runDoctor } from "../../src/server/doctor/doctor.ts";
import { spawn } from "../../testing/program.ts";
import { rm } from "../../testing/temp_dir.ts";
import { Violation } from "./violation.ts";

let serial = 0;

export class ConcurrentBackup {
  readonly #target: string;
  readonly #child: Deno.ChildProcess;

  constructor(directory: string) {
    this.#target = `${directory}-backup-${serial++}`;
    this.#child = spawn(["backup", this.#target, "--data", directory]);
  }

  /**
   * Kills every other backup and checks the result: the copy is either complete or doesn't exist.
   * Returns whether it exists.
   */
  async finish(): Promise<boolean> {
    if (serial % 2 === 0) this.#kill();
    const { success, stderr } = await this.#child.output();
    const exists = existsSync(this.#target);
    try {
      if (success && !exists) throw new Violation("a backup succeeded but does not exist");
      if (!exists && serial % 2 === 1) {
        throw new Violation(`a backup failed: ${new TextDecoder().decode(stderr)}`);
      }
      const faults = exists ? runDoctor(this.#target).filter(({ ok }) => !ok) : [];
      if (faults.length > 0) throw new Violation(`a backup is damaged: ${JSON.stringify(faults)}`);
      return exists;
    } finally {
      await rm(this.#target);
      await rm(`${this.#target}.partial`);
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
