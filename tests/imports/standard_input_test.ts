/** Tests imports of other products' files from standard input. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { run } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("commonplace import --from FORMAT - reads standard input", async () => {
  const directory = makeTempDirSync();
  try {
    const data = ["--data", directory];
    strictEqual((await run(["projects", "create", "default", ...data])).code, 0);
    const stdin = JSON.stringify([{ memory: "Ana keeps bees", user_id: "ana" }]);
    const ended = await run(["import", "--from", "mem0", "-", "--json", ...data], { stdin });
    strictEqual(ended.code, 0, ended.stderr);
    deepStrictEqual(JSON.parse(ended.stdout).memories, { found: 1, added: 1, unchanged: 0 });
  } finally {
    await rm(directory);
  }
});
