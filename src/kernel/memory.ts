/** Giving memory that was freed back to the system. */

import { setTimeout } from "node:timers";

/** How long what was freed is kept for what comes next. */
const KEPT_MS = 3_000;

let giveBack: (() => void) | undefined;
let pending = false;

/**
 * Soon has glibc return what its `malloc` keeps of all that threads have freed (malloc_trim(3)): after
 * a thousand searches of a hundred thousand memories 50 of 370 MB. It takes the calling thread 1 to
 * 15 ms. To be called after work that allocates much, however often; only where there is glibc, and
 * leave to call it (`--allow-ffi`), does anything happen.
 */
export function giveBackFreedMemory(): void {
  if (pending) return;
  pending = true;
  const timer = setTimeout(() => {
    pending = false;
    trimFreedMemory();
  }, KEPT_MS);
  // A thread that has nothing else to do need not wait for this.
  timer.unref();
}

/** The same at once. */
export function trimFreedMemory(): void {
  giveBack ??= trimOfGlibc();
  giveBack();
}

function trimOfGlibc(): () => void {
  // Asked first: whoever gave no leave would be asked for it, in the terminal, amid a search.
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return () => undefined;
  try {
    const { symbols } = Deno.dlopen("libc.so.6", {
      malloc_trim: { parameters: ["usize"], result: "i32" },
    });
    return () => void symbols.malloc_trim(0n);
  } catch {
    // Another system's library has another name, and its own ways.
    return () => undefined;
  }
}
