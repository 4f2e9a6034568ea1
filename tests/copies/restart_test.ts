/** Tests of the search copies of real processes: after a kill, and on a disk that is full. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { COPY_FOLDER } from "../../src/copies/copies.ts";
import { databasePath } from "../../src/store/sqlite/store.ts";
import { useTestDatabase } from "../../testing/engine.ts";
import { call } from "../../testing/harness.ts";
import { ServeProcess } from "../../testing/program.ts";
import { ServerProcess } from "../../testing/server_process.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { requireTool, testWith } from "../../testing/tools.ts";
import { contentOf, newDatabase, TOOLS } from "./content.ts";

testWith(TOOLS, "a search after a kill continues with the copy from before", async () => {
  const directory = makeTempDirSync();
  useTestDatabase(directory, await newDatabase());
  const folder = join(directory, COPY_FOLDER);
  const add = (content: string) =>
    server.call("POST", "/v1/memories", { body: { content, user_id: "ana", infer: false } });
  const search = () => server.call("POST", "/v1/memories/search", { body: { query: "heron" } });
  let server = await ServerProcess.start(directory);
  try {
    await add("A heron stood in the reeds");
    strictEqual((await search()).json.results.length, 1);
    await server.kill();
    // If the copy was filled again, it wouldn't have this.
    const database = new DatabaseSync(databasePath(folder));
    database.exec("update memories set importance = 0.123");
    database.close();
    server = await ServerProcess.start(directory);
    await add("A heron flew away");
    strictEqual((await search()).json.results.length, 2);
    await server.stop();
    const memories = contentOf(folder)["memories"] as { importance: number }[];
    deepStrictEqual(memories.map(({ importance }) => importance === 0.123), [true, false]);
  } finally {
    await server.kill();
    await rm(directory);
  }
});

/** Longer than the file size in the next test, in bytes. */
const CONTENT = "reeds ".repeat(1_000);
const MAX_FILE_BYTES = 100_000;

testWith(
  [...TOOLS, "prlimit"],
  "POST /v1/memories/search returns 503 while there's no space for its copy; adds succeed",
  async () => {
    const directory = makeTempDirSync();
    useTestDatabase(directory, await newDatabase());
    try {
      await using program = await ServeProcess.serve(directory, [], { ignoreFileSizeSignal: true });
      const { url, apiKey: key } = program;
      const limit = async (bytes: number | "unlimited") => {
        const args = ["--pid", String(program.pid), `--fsize=${bytes}:unlimited`];
        ok((await new Deno.Command(requireTool("prlimit"), { args }).output()).success);
      };
      const add = (content: string) => {
        const messages = Array.from({ length: 40 }, (_, n) => ({
          role: "user",
          content: `${n} ${content}`,
        }));
        const body = { messages, user_id: "ana", infer: false };
        return call(url, "POST", "/v1/memories", { key, body });
      };
      const search = () =>
        call(url, "POST", "/v1/memories/search", { key, body: { query: "heron", limit: 5 } });
      await limit(MAX_FILE_BYTES);
      strictEqual((await add(CONTENT)).status, 200);
      const refused = await search();
      strictEqual(refused.status, 503, refused.text);
      strictEqual(refused.json.code, "STORAGE_UNAVAILABLE");
      ok(Number(refused.headers.get("retry-after")) > 0);
      strictEqual((await add("heron")).status, 200, "records aren't on that disk");
      strictEqual((await call(url, "GET", "/v1/memories?user_id=ana", { key })).status, 200);
      strictEqual((await call(url, "GET", "/readyz", { key: null })).status, 200);
      await limit("unlimited");
      const found = await search();
      strictEqual(found.status, 200, found.text);
      strictEqual(found.json.results.length, 5);
      strictEqual((await program.stop()).code, 0);
    } finally {
      await rm(directory);
    }
  },
);
