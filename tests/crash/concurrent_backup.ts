/** A backup under way while the server works and is killed; half of them are killed too. */

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
   * Kills it, every other time, and looks at what there is: a whole copy under the name, or none.
   * Answers whether there was one.
   */
  async finish(): Promise<boolean> {
    if (serial % 2 === 0) this.#kill();
    const { success, stderr } = await this.#child.output();
    const made = existsSync(this.#target);
    try {
      if (success && !made) throw new Violation("a backup succeeded and is not there");
      if (!made && serial % 2 === 1) {
        throw new Violation(`a backup failed: ${new TextDecoder().decode(stderr)}`);
      }
      const faults = made ? runDoctor(this.#target).filter(({ ok }) => !ok) : [];
      if (faults.length > 0) throw new Violation(`a backup is damaged: ${JSON.stringify(faults)}`);
      return made;
    } finally {
      await rm(this.#target);
      await rm(`${this.#target}.partial`);
    }
  }

  #kill(): void {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // It had ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}
