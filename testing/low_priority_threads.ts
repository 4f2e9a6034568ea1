/** Which threads of this process give way to others. */

import { constants } from "node:os";

/** The priority of what gives way. */
export const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/** How many threads of this process have a low priority. */
export async function countLowPriorityThreads(): Promise<number> {
  const { stdout } = await new Deno.Command("ps", {
    args: ["-L", "-o", "ni=", "-p", `${Deno.pid}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((nice) => Number(nice) >= LOW_PRIORITY)
    .length;
}
