/** How work that can wait lets others have the processor first. */

import { constants, setPriority } from "node:os";

const LOW = constants.priority.PRIORITY_BELOW_NORMAL;
const LEAVE = { name: "sys", kind: "setPriority" } as const;

/**
 * Gives a process, or on Linux the calling thread (0), a low priority: while others are busy, it gets
 * a tenth of what one of them gets. Threads that it starts afterwards inherit that. Not the lowest:
 * that is a hundredth, and on a full machine the smallest file took half a minute. Where the system
 * or `--allow-sys` doesn't let it, the work is done at the usual priority, and others wait longer.
 */
export function yieldToOthers(pid: number): void {
  // Elsewhere 0 would be the whole process.
  if (pid === 0 && Deno.build.os !== "linux") return;
  // Asked first: whoever gave no leave would be asked for it in the terminal.
  if (Deno.permissions.querySync(LEAVE).state !== "granted") return;
  try {
    setPriority(pid, LOW);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
