/** Runs the program in child processes: servers and commands. */

import { join } from "node:path";
import { type CommandResult, run } from "./program.ts";
import { ServerProcess } from "./server_process.ts";

const MAIN = join(import.meta.dirname!, "..", "main.ts");

/**
 * The Deno arguments that precede any command. Used by clients that start the program themselves.
 */
export const COMMAND_ARGS: readonly string[] = ["run", "--quiet", "--allow-all", MAIN];

/** Starts a server on a directory and waits for it to accept requests. */
export function startServerProcess(
  directory: string,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  return ServerProcess.start(directory, { flags });
}

/** Runs a command and waits for it to exit. */
export function runCommonplace(...args: readonly string[]): Promise<CommandResult> {
  return run(args);
}
