/** A home directory for a test, and `connect` run in it by a terminal that is part of the test. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "../../src/cli/command.ts";
import { runCommandLine } from "../../src/cli/main.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

/** A home directory without any client. */
export class ClientHome {
  readonly path = makeTempDirSync();

  /** Runs a command that must succeed, and returns what it printed. */
  async run(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    const { code, printed } = await this.tryRun(args, environment);
    if (code !== 0) throw new Error(`commonplace ${args.join(" ")} failed`);
    return printed;
  }

  async tryRun(args: readonly string[], environment: Record<string, string> = {}) {
    const lines: string[] = [];
    const code = await runCommandLine(args, this.terminal(environment, lines));
    return { code, printed: lines.join("\n") };
  }

  /** Returns a terminal with no variables but HOME and the given ones. */
  terminal(environment: Record<string, string> = {}, lines: string[] = []): Terminal {
    const variables: Record<string, string> = { HOME: this.path, ...environment };
    return {
      print: (line) => void lines.push(line),
      environment: (name) => variables[name],
      confirm: () => null,
    };
  }

  /** Returns the content of a file, or null if it doesn't exist. */
  read(path: string): string | null {
    const file = join(this.path, path);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path);
  }
}
