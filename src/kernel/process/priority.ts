/** Lowers the scheduling priority of work that can wait. */

import { constants, setPriority } from "node:os";

const LOW_PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;
const PERMISSION = { name: "sys", kind: "setPriority" } as const;

/**
 * Lowers the priority of a process or, on Linux, of the calling thread (0). While other threads are
 * busy, it gets a tenth of the CPU time one of them gets. Threads it starts later inherit the
 * priority. We don't use the lowest priority, which gets a hundredth: on a fully loaded machine,
 * even the smallest file took half a minute. Best effort: if the system or Deno (`--allow-sys`)
 * doesn't permit the change, the work runs at normal priority and slows down other work.
 */
export function lowerPriority(pid: number): void {
  // On other systems, 0 means the whole process.
  if (pid === 0 && Deno.build.os !== "linux") return;
  // Check the permission first. Otherwise, Deno would prompt for it on the terminal.
  if (Deno.permissions.querySync(PERMISSION).state !== "granted") return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_SYSTEM_ERROR") throw error;
  }
}
