/** Ends the process together with the launcher of the npm package. */

// In packages below node_modules, the global timers are those of Node.
import { setInterval } from "node:timers";

/** How often to check for the launcher, in milliseconds. */
const CHECK_MS = 250;

/**
 * Exits when the launcher is gone. Node before version 22.15 can't replace its process by the
 * program, so a launcher that is killed would leave the program running, with its data locked.
 *
 * @param launcher process id of the launcher, or undefined if there is none
 */
export function followLauncher(launcher: string | undefined): void {
  if (launcher === undefined) return;
  const timer = setInterval(() => {
    if (Deno.ppid !== Number(launcher)) Deno.exit(1);
  }, CHECK_MS);
  timer.unref();
}
