/** A snapshot on its way in: what stalls is given up, so that it can't hold a place for good. */

import { rejects } from "node:assert/strict";
import { snapshotBytes } from "../../src/snapshots/receive.ts";
import { stallingBody, UNFINISHED_BODIES } from "../../testing/unfinished_bodies.ts";

for (const [how, body, patience] of UNFINISHED_BODIES) {
  Deno.test(`a snapshot that ${how} is given up`, async () => {
    await rejects(Array.fromAsync(snapshotBytes(body(), 1_000_000, patience)), {
      code: "INVALID_REQUEST",
    });
  });
}

Deno.test("a snapshot is counted as it arrives", async () => {
  const patience = { stallMs: 60_000, totalMs: 60_000 };
  await rejects(Array.fromAsync(snapshotBytes(stallingBody(), 9, patience)), {
    code: "REQUEST_TOO_LARGE",
  });
});
