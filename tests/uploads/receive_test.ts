/** Bytes on their way in: what stalls is given up, and leaves nothing. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { join } from "node:path";
import { Blobs } from "../../src/store/blobs.ts";
import { receiveBytes } from "../../src/uploads/receive.ts";
import { makeTempDirSync, rm } from "../temporary.ts";
import { filesOf } from "./files.ts";

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

const BODIES = [
  ["stalls", silent, { stallMs: 20, totalMs: 60_000 }],
  ["drips in forever", dripping, { stallMs: 60_000, totalMs: 50 }],
] as const;

for (const [how, body, patience] of BODIES) {
  Deno.test(`a body that ${how} is given up`, async () => {
    const directory = makeTempDirSync();
    try {
      const blobs = new Blobs(join(directory, "blobs"), Math.random);
      const expected = { most: 1_000_000, blobs, sha256: null };
      await rejects(receiveBytes(body(), expected, patience), { code: "INVALID_REQUEST" });
      deepStrictEqual(filesOf(directory), []);
    } finally {
      await rm(directory);
    }
  });
}
