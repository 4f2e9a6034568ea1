/** The program in processes of its own: servers, commands, and waiting for what they do. */

import { join } from "node:path";
import { type Ended, run } from "./program.ts";
import { ServerProcess } from "./server_process.ts";

const MAIN = join(import.meta.dirname!, "..", "main.ts");

/** Arguments of Deno for any verb, for clients that start the program themselves. */
export const COMMAND: readonly string[] = ["run", "--quiet", "--allow-all", MAIN];

/** Starts a server on a directory and waits until it accepts requests. */
export function startProcess(
  directory: string,
  ...flags: readonly string[]
): Promise<ServerProcess> {
  return ServerProcess.start(directory, { flags });
}

/** Runs a verb to its end. */
export function commonplace(...args: readonly string[]): Promise<Ended> {
  return run(args);
}

/** Asks until the answer satisfies, at most for `seconds`. */
export async function until<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  seconds = 10,
): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Not within ${seconds} s; the last answer was ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
