/** Tests what happens when incoming bytes stall or end early. */

import { deepStrictEqual, rejects } from "node:assert/strict";
import { join } from "node:path";
import { FolderBlobs } from "../../src/store/blobs/folder.ts";
import { receiveBytes } from "../../src/uploads/receive.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { UNFINISHED_BODIES } from "../../testing/unfinished_bodies.ts";
import { listFiles } from "./files.ts";

for (const [how, body, timeouts] of UNFINISHED_BODIES) {
  Deno.test(`receiveBytes() throws and leaves nothing behind if a body ${how}`, async () => {
    const directory = makeTempDirSync();
    try {
      const blobs = new FolderBlobs(join(directory, "blobs"), Math.random);
      const expected = { size: 1_000_000, blobs, sha256: null };
      await rejects(receiveBytes(body(), expected, timeouts), { code: "INVALID_REQUEST" });
      deepStrictEqual(listFiles(directory), []);
    } finally {
      await rm(directory);
    }
  });
}
