/** Low priority for work that can wait. */

import { constants, setPriority } from "node:os";

const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;
const PERMISSION = { name: "sys", kind: "setPriority" } as const;

/**
 * Gives a process, or on Linux the calling thread (0), a low priority: while others are busy, it
 * gets a tenth of the processor time that one of them gets. Threads that it starts afterwards
 * inherit that. Not the lowest priority: that is a hundredth, and on a full machine the smallest
 * file took half a minute. Where the system or Deno (`--allow-sys`) doesn't permit it, the work is
 * done at the usual priority, and others wait longer.
 */
export function lowerPriority(pid: number): void {
  // Elsewhere 0 would be the whole process.
  if (pid === 0 && Deno.build.os !== "linux") return;
  // Queried first: without the permission Deno would ask for it in the terminal.
  if (Deno.permissions.querySync(PERMISSION).state !== "granted") return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
