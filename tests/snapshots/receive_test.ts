/**
 * Tests for receiving a snapshot: stalled requests are aborted, so that they don't block a slot
 * forever.
 */

import { rejects } from "node:assert/strict";
import { importBytes } from "../../src/kernel/http/body_stream.ts";
import { stallingBody, UNFINISHED_BODIES } from "../../testing/unfinished_bodies.ts";

for (const [how, body, timeouts] of UNFINISHED_BODIES) {
  Deno.test(`importBytes() throws if the body ${how}`, async () => {
    await rejects(Array.fromAsync(importBytes(body(), 1_000_000, timeouts)), {
      code: "INVALID_REQUEST",
    });
  });
}

Deno.test("importBytes() throws as soon as the limit is exceeded", async () => {
  const timeouts = { stallMs: 60_000, totalMs: 60_000 };
  await rejects(Array.fromAsync(importBytes(stallingBody(), 9, timeouts)), {
    code: "REQUEST_TOO_LARGE",
  });
});
