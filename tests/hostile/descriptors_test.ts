/**
 * Opens more connections than the process may open files. The server has to refuse some, and
 * survive.
 */

import { strictEqual } from "node:assert/strict";
import { call } from "../../testing/harness.ts";
import { ServeProcess } from "../../testing/program.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";
import { waitUntil } from "../../testing/wait_until.ts";

/** Limit on open files. Enough for the process itself and a few hundred connections. */
const MAX_OPEN_FILES = 200;

const KEY = "cpl_test-key-of-few-files";

Deno.test("serve survives connections that use up all file descriptors", async () => {
  const directory = makeTempDirSync();
  try {
    await using program = await ServeProcess.serve(directory, [], {
      environment: { COMMONPLACE_API_KEY: KEY },
      prefix: ["sh", "-c", `ulimit -n ${MAX_OPEN_FILES}; exec "$@"`, "sh"],
    });
    const add = (content: string) =>
      call(program.url, "POST", "/v1/memories", {
        key: KEY,
        body: { content, infer: false, user_id: "ana" },
      });
    strictEqual((await add("Before")).status, 200);
    const wires: RawHttpConnection[] = [];
    try {
      for (let count = 0; count < 2 * MAX_OPEN_FILES; count++) {
        const wire = await RawHttpConnection.open(program.url).catch(() => null);
        if (wire === null) continue;
        wires.push(wire);
        await wire.send("GET /livez HTTP/1.1\r\nhost: x\r\nx-slow: a");
      }
      await waitUntil(
        () => Promise.resolve(program.stderr),
        (log) => log.includes("Too many open files"),
      );
    } finally {
      for (const wire of wires) wire.close();
    }
    await waitUntil(
      () => call(program.url, "GET", "/readyz", { key: null }).catch(() => null),
      (reply) => reply?.status === 200,
    );
    strictEqual((await add("After")).status, 200);
    const { json } = await call(program.url, "GET", "/v1/memories?user_id=ana", { key: KEY });
    strictEqual(json.results.length, 2);
    strictEqual((await program.stop()).code, 0);
  } finally {
    await rm(directory);
  }
});
