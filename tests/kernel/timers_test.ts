/** Tests waiting. */

import { strictEqual } from "node:assert/strict";
import { delay, systemTimers } from "../../src/kernel/timers.ts";

/** A signal that counts its listeners. */
class CountedSignal extends EventTarget {
  readonly aborted = false;
  listeners = 0;

  override addEventListener(...args: Parameters<EventTarget["addEventListener"]>): void {
    this.listeners++;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget["removeEventListener"]>): void {
    this.listeners--;
    super.removeEventListener(...args);
  }
}

Deno.test("delay() leaves no listener on a signal", async () => {
  const signal = new CountedSignal();
  await delay(systemTimers, 0, signal as unknown as AbortSignal);
  strictEqual(signal.listeners, 0);
});

Deno.test("delay() ends with its signal, and cancels its timer", async () => {
  const stop = new AbortController();
  // A timer that is left would fail the test.
  const waiting = delay(systemTimers, 3_600_000, stop.signal);
  stop.abort();
  await waiting;
});
