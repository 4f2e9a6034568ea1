/**
 * Tests for receiving a snapshot: stalled requests are aborted, so that they don't block a slot
 * forever.
 */

import { rejects } from "node:assert/strict";
import { snapshotBytes } from "../../src/snapshots/receive.ts";
import { stallingBody, UNFINISHED_BODIES } from "../../testing/unfinished_bodies.ts";

for (const [how, body, timeouts] of UNFINISHED_BODIES) {
  Deno.test(`snapshotBytes() throws if the body ${how}`, async () => {
    await rejects(Array.fromAsync(snapshotBytes(body(), 1_000_000, timeouts)), {
      code: "INVALID_REQUEST",
    });
  });
}

Deno.test("snapshotBytes() throws as soon as the limit is exceeded", async () => {
  const timeouts = { stallMs: 60_000, totalMs: 60_000 };
  await rejects(Array.fromAsync(snapshotBytes(stallingBody(), 9, timeouts)), {
    code: "REQUEST_TOO_LARGE",
  });
});
