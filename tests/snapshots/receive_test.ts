/** A snapshot on its way in: what stalls is given up, so that it can't hold a place for good. */

import { rejects } from "node:assert/strict";
import { snapshotBytes } from "../../src/snapshots/receive.ts";

const silent = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
  });

/** Never silent for long, and never done. */
const dripping = () =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new Uint8Array(1));
    },
  });

/** Hangs up. */
const broken = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("connection reset")),
  });

const BODIES = [
  ["stalls", silent, { stallMs: 20, totalMs: 60_000 }],
  ["drips in forever", dripping, { stallMs: 60_000, totalMs: 50 }],
  ["breaks off", broken, { stallMs: 60_000, totalMs: 60_000 }],
] as const;

for (const [how, body, patience] of BODIES) {
  Deno.test(`a snapshot that ${how} is given up`, async () => {
    await rejects(Array.fromAsync(snapshotBytes(body(), 1_000_000, patience)), {
      code: "INVALID_REQUEST",
    });
  });
}

Deno.test("a snapshot is counted as it arrives", async () => {
  const patience = { stallMs: 60_000, totalMs: 60_000 };
  await rejects(Array.fromAsync(snapshotBytes(silent(), 9, patience)), {
    code: "REQUEST_TOO_LARGE",
  });
});
