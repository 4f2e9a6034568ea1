/** Tests `connect` that a signal ends. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { run, spawn } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

Deno.test("connect that a signal ends revokes the key it has created", async () => {
  const directory = makeTempDirSync();
  try {
    const folder = join(directory, "data");
    const data = ["--data", folder];
    const environment = { HOME: directory, COMMONPLACE_DATABASE_URL: "" };
    strictEqual((await run(["projects", "create", "default", ...data], { environment })).code, 0);
    using db = new DatabaseSync(join(folder, "commonplace.db"), { readOnly: true });
    const keys = db.prepare("select name from api_keys");
    // A server that never responds.
    using server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${server.addr.port}`;
    const child = spawn(["connect", "cursor", "--url", url, ...data], { environment });
    using _connection = await server.accept();
    deepStrictEqual(keys.all().map((row) => row["name"]), ["cursor"]);
    child.kill("SIGINT");
    const [{ code }, stderr] = await Promise.all([child.status, child.stderr.text()]);
    await child.stdout.cancel();
    deepStrictEqual([code, stderr, keys.all()], [130, "", []]);
    strictEqual(existsSync(join(directory, ".cursor")), false);
  } finally {
    await rm(directory);
  }
});
