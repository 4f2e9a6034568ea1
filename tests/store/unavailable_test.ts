/**
 * Checks that full, read-only and locked disks lead to a 503 and no change, and that the service
 * recovers without a restart.
 */

import { ok, strictEqual } from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { ServeProcess } from "../../testing/program.ts";
import { call } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { requireTool, testWith } from "../../testing/tools.ts";

const ADD = { content: "Ana waits for the disk", user_id: "ana", infer: false };

Deno.test("POST /v1/memories returns 503 while a different process has the lock, and reads succeed", async () => {
  await withServer(async (server) => {
    const id = await server.add("before");
    const other = new DatabaseSync(databasePath(server.directory), BUSY_TIMEOUT);
    other.exec("begin immediate");
    const writing = server.call("POST", "/v1/memories", { body: ADD });
    strictEqual((await server.call("GET", `/v1/memories/${id}`)).status, 200);
    const refused = await writing;
    const body = { query: "before", sort_by: "most_accessed" };
    strictEqual((await server.call("POST", "/v1/memories/search", { body })).status, 200);
    other.exec("rollback");
    strictEqual(refused.status, 503);
    strictEqual(refused.json.code, "STORAGE_UNAVAILABLE");
    ok(Number(refused.headers.get("retry-after")) > 0);
    strictEqual((await server.call("POST", "/v1/memories", { body: ADD })).status, 200);
    other.close();
    const { json } = await server.call("GET", "/v1/memories?user_id=ana");
    strictEqual(json.results.length, 2, "the failed add left no memory");
  });
});

Deno.test("POST /v1/memories waits for a lock that is released in time", async () => {
  await withServer(async (server) => {
    const other = new DatabaseSync(databasePath(server.directory), BUSY_TIMEOUT);
    other.exec("begin immediate");
    const writing = server.call("POST", "/v1/memories", { body: ADD });
    await server.call("GET", "/v1/health");
    other.exec("rollback");
    other.close();
    strictEqual((await writing).status, 200);
  });
});

/**
 * We simulate a full disk by limiting the server process's file size. `prlimit` lifts the limit.
 */
testWith(
  ["prlimit"],
  "POST /v1/memories returns 503 if the disk is full, and succeeds once there is space",
  async () => {
    const directory = makeTempDirSync();
    try {
      await using program = await ServeProcess.serve(directory, [], { ignoreFileSizeSignal: true });
      const { url, apiKey: key } = program;
      const add = (content: string) =>
        call(url, "POST", "/v1/memories", { key, body: { ...ADD, content } });
      const limit = async (bytes: string) => {
        const args = ["--pid", String(program.pid), `--fsize=${bytes}:unlimited`];
        strictEqual(
          (await new Deno.Command(requireTool("prlimit"), { args }).output()).success,
          true,
        );
      };
      strictEqual((await add("there was room")).status, 200);
      await limit("2000000");
      let acknowledged = 1;
      let refused: Awaited<ReturnType<typeof add>> | undefined;
      for (let n = 0; n < 100 && refused === undefined; n++) {
        const reply = await add(`${n} ${"word ".repeat(15_000)}`);
        if (reply.status === 200) acknowledged++;
        else refused = reply;
      }
      strictEqual(refused?.status, 503, refused?.text ?? "");
      strictEqual(refused.json.code, "STORAGE_UNAVAILABLE");
      const count = async () =>
        (await call(url, "GET", "/v1/entities/user/ana", { key })).json.total_memories;
      strictEqual(await count(), acknowledged, "reads succeed, and no acknowledged add is lost");
      await limit("unlimited");
      strictEqual((await add("there is room again")).status, 200);
      strictEqual(await count(), acknowledged + 1);
      strictEqual((await program.stop()).code, 0);
    } finally {
      await rm(directory);
    }
  },
);

Deno.test("serve reports on a single line that it can't write to a data directory", async () => {
  const directory = makeTempDirSync();
  try {
    chmodSync(directory, 0o500);
    // Root can write to the directory anyway, so the program starts.
    const program = await ServeProcess.serve(join(directory, "data")).catch((error: Error) =>
      error
    );
    if (program instanceof Error) {
      strictEqual(/commonplace: [^\n]+\n$/.test(program.message), true, program.message);
    } else strictEqual((await program.stop()).code, 0);
  } finally {
    chmodSync(directory, 0o700);
    await rm(directory);
  }
});
