/** Counts the threads of this process that run at a low priority. */

import { constants } from "node:os";
import { requireTool } from "./tools.ts";

/** Priority of threads that yield to others. */
export const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/** Returns the number of threads of this process that have a low priority. */
export async function countLowPriorityThreads(): Promise<number> {
  const { stdout } = await new Deno.Command(requireTool("ps"), {
    args: ["-L", "-o", "ni=", "-p", `${Deno.pid}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((nice) => Number(nice) >= LOW_PRIORITY)
    .length;
}
