/** Counts the low-priority threads of a process. */

import { constants, getPriority } from "node:os";
import { requireTool } from "./tools.ts";

/** The priority of threads that yield to others. */
const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/** Returns how many of this process's threads have a low priority. */
export async function countLowPriorityThreads(): Promise<number> {
  const { stdout } = await new Deno.Command(requireTool("ps"), {
    args: ["-L", "-o", "ni=", "-p", `${Deno.pid}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((nice) => Number(nice) >= LOW_PRIORITY)
    .length;
}

/** What a step of a script left behind. */
export interface ThreadCounts {
  /** Number of low-priority threads after the step, by its name. */
  readonly [step: string]: number;
}

/**
 * Runs a script that prints {@linkcode ThreadCounts} as JSON in a process of its own, since tests of
 * other files run in threads of this one. Returns null if that process has a low priority itself, in
 * which case all of its threads do.
 */
export async function threadCountsOf(script: URL): Promise<ThreadCounts | null> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--no-check", script.href],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(text(stderr));
  return getPriority() >= LOW_PRIORITY ? null : JSON.parse(text(stdout));
}

/** Prints the counts of a script for {@linkcode threadCountsOf}. */
export function printThreadCounts(counts: ThreadCounts): void {
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(counts)));
}
