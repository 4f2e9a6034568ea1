/** Full, read-only and locked disks: 503, no change, and recovery without a restart. */

import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import sql from "sql-template-tag";
import { ApiError } from "../../src/kernel/errors.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { GroupCommit } from "../../src/store/sqlite/group_commit.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import type { Tx } from "../../src/store/store.ts";
import { withServer } from "../../testing/harness.ts";
import { BUSY_TIMEOUT } from "../../testing/busy_timeout.ts";
import { ServeProcess } from "../../testing/program.ts";
import { call } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const ADD = { content: "Ana waits for the disk", user_id: "ana", infer: false };

const unavailable = (error: unknown) =>
  error instanceof ApiError && error.code === "STORAGE_UNAVAILABLE";

Deno.test("POST /v1/memories returns 503 while another process has the lock, and reads succeed", async () => {
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

Deno.test("GroupCommit rejects units that don't fit on a full disk as a whole, and commits smaller ones", async () => {
  const directory = makeTempDirSync();
  const connection = new Connection(join(directory, "small.db"));
  connection.exec("create table notes (text text not null)");
  connection.exec("pragma max_page_count = 40");
  const commits = new GroupCommit(connection, () => {});
  const note = (bytes: number) => async (tx: Tx) => {
    await tx.run(sql`insert into notes (text) values ('begin')`);
    await tx.run(sql`insert into notes (text) values (${"x".repeat(bytes)})`);
  };
  await commits.submit(note(10));
  await rejects(commits.submit(note(1_000_000)), unavailable);
  const group = await Promise.allSettled([
    commits.submit(note(10)),
    commits.submit(note(1_000_000)),
    commits.submit(note(10)),
  ]);
  strictEqual(group[1]!.status, "rejected");
  const kept = group.filter(({ status }) => status === "fulfilled").length;
  const count = () => connection.first<{ n: number }>(sql`select count(*) as n from notes`)!.n;
  strictEqual(count(), 2 + 2 * kept, "units are committed completely or not at all");
  strictEqual(connection.inTransaction, false);
  connection.exec("pragma max_page_count = 4000");
  await commits.submit(note(1_000_000));
  strictEqual(count(), 4 + 2 * kept);
  connection.close();
  await rm(directory);
});

Deno.test("GroupCommit rejects units on a read-only database, and reads succeed", async () => {
  const directory = makeTempDirSync();
  const path = join(directory, "readonly.db");
  const writable = new Connection(path);
  writable.exec("create table notes (text text not null)");
  writable.close();
  const connection = new Connection(path, { readOnly: true });
  const commits = new GroupCommit(connection, () => {});
  await rejects(
    commits.submit((tx) => tx.run(sql`insert into notes (text) values ('x')`)),
    unavailable,
  );
  deepStrictEqual(connection.all(sql`select text from notes`), []);
  connection.close();
  await rm(directory);
});

/** A file size limit of the server process simulates a full disk; `prlimit` lifts it. */
const prlimit = (await new Deno.Command("which", { args: ["prlimit"], stdout: "null" }).output())
  .success;

Deno.test({
  name: "POST /v1/memories returns 503 if the disk is full, and succeeds once there is space",
  ignore: !prlimit,
  async fn() {
    const directory = makeTempDirSync();
    try {
      await using program = await ServeProcess.serve(directory, [], { ignoreFileSizeSignal: true });
      const { url, apiKey: key } = program;
      const add = (content: string) =>
        call(url, "POST", "/v1/memories", { key, body: { ...ADD, content } });
      const limit = async (bytes: string) => {
        const args = ["--pid", String(program.pid), `--fsize=${bytes}:unlimited`];
        strictEqual((await new Deno.Command("prlimit", { args }).output()).success, true);
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
});

Deno.test("serve reports a data directory that it can't write to in one line", async () => {
  const directory = makeTempDirSync();
  try {
    chmodSync(directory, 0o500);
    // Root can write to it all the same, so the program starts.
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
