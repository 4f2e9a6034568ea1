/** Runs `commonplace demo` on an empty data directory. */

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { call } from "../../testing/harness.ts";
import { run, ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { waitUntil } from "../../testing/wait_until.ts";

Deno.test("demo loads its own project once, next to the default one, and demo --remove removes it", async () => {
  const directory = makeTempDirSync();
  const commonplace = (...args: string[]) => run([...args, "--data", directory]);
  const projects = async () =>
    JSON.parse((await commonplace("projects", "list", "--json")).stdout)
      .map(({ name }: { name: string }) => name).sort();
  try {
    const loaded = await commonplace("demo");
    strictEqual(loaded.code, 0, loaded.stderr);
    match(loaded.stdout, /^API key {2}cpl_/, "the key of the default project");
    const key = /^Its API key {2}(cpl_\S+)$/m.exec(loaded.stdout)![1]!;
    deepStrictEqual(await projects(), ["default", "demo"]);
    {
      await using program = await ServeProcess.serve(directory);
      // The command waits at most 20 seconds until everything is read. The service reads the rest.
      const find = async (path: string, query: string, user_id: string) => {
        const body = { query, user_id };
        const reply = await waitUntil(
          () => call(program.url, "POST", path, { key, body }),
          ({ status, json }) => status !== 200 || json.results.length > 0,
        );
        strictEqual(reply.status, 200, reply.text);
      };
      await find("/v1/memories/search", "Which invoice did Tidewater get?", "lindgren");
      await find("/v1/memories/search", "favourite drink", "nora");
      await find("/v1/documents/search", "How much cobalt is in the blue glaze?", "lindgren");
    }
    const again = await commonplace("demo");
    strictEqual(again.code, 1);
    match(again.stderr, /Project "demo" exists; run `deno task commonplace demo --remove` first/);
    strictEqual((await commonplace("demo", "--remove")).code, 0);
    deepStrictEqual(await projects(), ["default"]);
  } finally {
    await rm(directory);
  }
});

Deno.test("demo --json prints nothing but JSON, with the key of the default project", async () => {
  const directory = makeTempDirSync();
  try {
    const { stdout, stderr } = await run(["demo", "--json", "--data", directory]);
    const { project, key, default_key } = JSON.parse(stdout);
    strictEqual(project, "demo", stderr);
    match(key, /^cpl_/);
    match(default_key, /^cpl_/);
  } finally {
    await rm(directory);
  }
});
