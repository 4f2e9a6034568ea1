/** Giving memory that was freed back to the system. */

import { setTimeout } from "node:timers";

/** How long freed memory is kept, in case what comes next needs it. */
const TRIM_DELAY_MS = 3_000;

let mallocTrim: (() => void) | undefined;
let pending = false;

/**
 * Soon makes glibc return to the system what `malloc` still holds of all that threads have freed
 * (malloc_trim(3)): 50 of 370 MB after a thousand searches of a hundred thousand memories. It takes
 * the calling thread 1 to 15 ms. Call it after any work that allocates much: calls that follow each
 * other closely count as one. Without glibc or without `--allow-ffi` nothing happens.
 */
export function trimHeap(): void {
  if (pending) return;
  pending = true;
  const timer = setTimeout(() => {
    pending = false;
    trimHeapNow();
  }, TRIM_DELAY_MS);
  // A thread that has nothing else to do may end before this.
  timer.unref();
}

/** The same, immediately. */
export function trimHeapNow(): void {
  mallocTrim ??= loadMallocTrim();
  mallocTrim();
}

function loadMallocTrim(): () => void {
  // Queried first: without the permission Deno would ask for it in the terminal, during a search.
  if (Deno.permissions.querySync({ name: "ffi" }).state !== "granted") return () => undefined;
  try {
    const { symbols } = Deno.dlopen("libc.so.6", {
      malloc_trim: { parameters: ["usize"], result: "i32" },
    });
    return () => void symbols.malloc_trim(0n);
  } catch {
    // No glibc: other C libraries have other names and return memory in their own way.
    return () => undefined;
  }
}
