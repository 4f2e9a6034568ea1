/** Tests the file that describes the running server. */

import { deepStrictEqual, throws } from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { writeServerFile } from "../../src/server/server_file.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("writeServerFile() leaves no partial file if it fails", async () => {
  const directory = makeTempDirSync();
  try {
    mkdirSync(join(directory, "server.json"));
    throws(() =>
      writeServerFile(directory, {
        url: "http://127.0.0.1:8420",
        webhooksAllowPrivate: false,
        fixedEmbedder: null,
      })
    );
    deepStrictEqual(readdirSync(directory), ["server.json"]);
  } finally {
    await rm(directory);
  }
});
