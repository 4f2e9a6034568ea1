/** Counts this process's low-priority threads. */

import { constants } from "node:os";
import { requireTool } from "./tools.ts";

/** The priority of threads that yield to others. */
export const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/** Returns how many of this process's threads have a low priority. */
export async function countLowPriorityThreads(): Promise<number> {
  const { stdout } = await new Deno.Command(requireTool("ps"), {
    args: ["-L", "-o", "ni=", "-p", `${Deno.pid}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((nice) => Number(nice) >= LOW_PRIORITY)
    .length;
}
