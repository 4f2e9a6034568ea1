/**
 * Makes sure that the native library sends no reports. By default, it reports its usage and the
 * machine's id to Microsoft.
 */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { call } from "../../testing/harness.ts";
import { ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

Deno.test("openNative() disables telemetry in the native library", async () => {
  const directory = makeTempDirSync();
  const home = join(directory, "home");
  mkdirSync(home);
  try {
    const environment = { HOME: home, COMMONPLACE_EMBEDDER: "minilm" };
    await using program = await ServeProcess.serve(join(directory, "data"), [], { environment });
    const key = program.apiKey;
    const body = { content: "Ana whistles", user_id: "ana", infer: false };
    await call(program.url, "POST", "/v1/memories", { key, body });
    const { json } = await waitUntil(
      () => call(program.url, "GET", "/v1/health", { key }),
      ({ json }) => json.projections.vector_pending === 0,
    );
    strictEqual(json.embedder.runtime, "native");
    strictEqual((await program.stop()).code, 0);
    // Where the library would store the machine's id and any pending reports.
    deepStrictEqual(listFiles(home).filter((path) => /onnxruntime|Microsoft/.test(path)), []);
  } finally {
    await rm(directory);
  }
});

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
