/** Runs `commonplace status` next to a server and without one. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { call } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("status shows the running service, what it stores, and vectors that are up to date", async () => {
  const directory = makeTempDirSync();
  try {
    {
      await using program = await ServeProcess.serve(directory);
      const body = { user_id: "ana", infer: false, content: "The kettle is in the kitchen" };
      const added = await call(program.url, "POST", "/v1/memories", {
        key: program.apiKey,
        body,
      });
      strictEqual(added.status, 200);
      const { code, stdout, stderr } = await run(["status", "--data", directory, "--json"]);
      strictEqual(code, 0, stderr);
      deepStrictEqual(JSON.parse(stdout), {
        service: program.url,
        data: directory,
        projects: 1,
        memories: 1,
        chunks: 0,
        embedder: null,
        vectors_pending: 0,
        vectors_per_second: null,
        vector_seconds_left: null,
      });
    }
    const stopped = await run(["status", "--data", directory]);
    match(stopped.stdout, /^Service {3}not running\n/);
    match(stopped.stdout, /^Vectors {3}up to date\n/m);
  } finally {
    await rm(directory);
  }
});

Deno.test("status shows no model if texts are no longer embedded", async () => {
  const directory = makeTempDirSync();
  const status = async (embedder: string) =>
    JSON.parse(
      (await run(["status", "--data", directory, "--json"], {
        environment: { COMMONPLACE_EMBEDDER: embedder },
      })).stdout,
    );
  try {
    await run(["projects", "create", "notes", "--data", directory]);
    const connection = new Connection(databasePath(directory));
    connection.run(sql`insert into embedding_models (id, dims, position, serving)
      values ('all-minilm-l6-v2-int8', 384, 0, 1)`);
    connection.close();
    strictEqual((await status("minilm")).embedder, "all-minilm-l6-v2-int8");
    const { embedder, vectors_pending } = await status("none");
    deepStrictEqual([embedder, vectors_pending], [null, 0]);
  } finally {
    await rm(directory);
  }
});

Deno.test("status reports a data directory that doesn't exist", async () => {
  const directory = makeTempDirSync();
  const { code, stderr } = await run(["status", "--data", `${directory}/none`]);
  strictEqual(code, 1);
  match(stderr, /doesn't exist/);
  await rm(directory);
});
