/** Tests unknown paths and methods, as well as HEAD and OPTIONS. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { checkErrorShape } from "../scenarios/table.ts";
import { exportSnapshot } from "../snapshots/snapshots.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

/** The contract's paths with values for their parameters, and the methods allowed for each. */
const PATHS: Readonly<Record<string, string>> = {
  "/v1/memories": "POST, GET, HEAD, DELETE",
  "/v1/memories/search": "POST",
  "/v1/memories/batch": "PUT, DELETE",
  "/v1/memories/mem_x": "GET, HEAD, PUT, DELETE",
  "/v1/memories/mem_x/history": "GET, HEAD",
  "/v1/memories/mem_x/feedback": "GET, HEAD, POST, DELETE",
  "/v1/entities": "GET, HEAD",
  "/v1/entities/user/ana": "GET, HEAD, DELETE",
  "/v1/operations": "GET, HEAD",
  "/v1/operations/task_x": "GET, HEAD",
  "/v1/operations/task_x/retry": "POST",
  "/v1/events": "GET, HEAD",
  "/v1/events/task_x": "GET, HEAD",
  "/v1/health": "GET, HEAD",
  "/v1/openapi.json": "GET, HEAD",
  "/livez": "GET, HEAD",
  "/readyz": "GET, HEAD",
  "/metrics": "GET, HEAD",
};

Deno.test("a known path returns 405 for other methods, and lists the allowed ones", async () => {
  await withServer(async ({ call }) => {
    for (const [path, allow] of Object.entries(PATHS)) {
      const allowed = allow.split(", ");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (allowed.includes(method)) continue;
        const reply = await call(method, path);
        strictEqual(reply.status, 405, `${method} ${path}`);
        strictEqual(reply.json.code, "METHOD_NOT_ALLOWED");
        deepStrictEqual(
          reply.headers.get("allow")?.split(", ").toSorted(),
          allowed.toSorted(),
          `${method} ${path}`,
        );
        checkErrorShape(reply);
      }
    }
  });
});

Deno.test("an unknown HTTP method returns 405", async () => {
  await withServer(async ({ url, key }) => {
    using wire = await RawHttpConnection.open(url);
    await wire.send(
      `BREW /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
    );
    const reply = await wire.reply();
    strictEqual(reply.status, 405, reply.text);
  });
});

Deno.test("an invalid Host header is ignored", async () => {
  await withServer(async ({ url, key }) => {
    const body = '{"content":"Ana sails","user_id":"ana","infer":false}';
    const change = `POST /v1/memories HTTP/1.1\r\nhost: [\r\nauthorization: Bearer ${key}\r\n` +
      "idempotency-key: sail\r\ncontent-type: application/json\r\n" +
      `content-length: ${body.length}\r\n\r\n${body}`;
    for (
      const [request, status] of [["GET /nope HTTP/1.1\r\nhost: [\r\n\r\n", 404], [change, 200]]
    ) {
      using wire = await RawHttpConnection.open(url);
      await wire.send(request as string);
      strictEqual((await wire.reply()).status, status);
    }
  });
});

Deno.test("OPTIONS grants no permissions to other origins", async () => {
  await withServer(async ({ call }) => {
    const reply = await call("OPTIONS", "/v1/memories", {
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
    });
    strictEqual(reply.status, 405);
    const granted = [...reply.headers.keys()].filter((name) => name.startsWith("access-control"));
    deepStrictEqual(granted, []);
  });
});

Deno.test("an unknown path returns 404 in the standard format", async () => {
  await withServer(async ({ call }) => {
    const unknown = [
      "/v1",
      "/v1/",
      "/v1/nowhere",
      "/v1/memories/",
      "/v1/memories/a/b",
      "/v2/memories",
    ];
    for (const path of [...unknown, "/nowhere", "/v1/Memories", "/livez/x"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const reply = await call(method, path);
        strictEqual(reply.status, 404, `${method} ${path}`);
        strictEqual(reply.json.code, "NOT_FOUND");
        checkErrorShape(reply);
      }
    }
  });
});

Deno.test("an unknown path under /v1 returns 401 without a key", async () => {
  await withServer(async ({ call }) => {
    for (const path of ["/v1", "/v1/nowhere", "/v1/openapi.yaml", "/v1/openapi.json/x"]) {
      strictEqual((await call("GET", path, { key: null })).status, 401, path);
    }
    strictEqual((await call("OPTIONS", "/v1/openapi.json", { key: null })).status, 401);
    strictEqual((await call("POST", "/v1/openapi.json", { key: null })).status, 401);
    strictEqual((await call("GET", "/nowhere", { key: null })).status, 404);
  });
});

Deno.test("HEAD returns the status and headers of GET without a body", async () => {
  await withServer(async ({ call, add }) => {
    const check = async (path: string) => {
      const [get, head] = [await call("GET", path), await call("HEAD", path)];
      strictEqual(head.status, get.status, path);
      strictEqual(head.text, "");
      strictEqual(head.headers.get("content-type"), get.headers.get("content-type"));
      // Health changes by itself, such as when a process first brings its copies up to date.
      const lengths = [get, await call("GET", path)].map(({ headers }) =>
        headers.get("content-length")
      );
      ok(lengths.includes(head.headers.get("content-length")), path);
      match(head.headers.get("x-request-id")!, /^req_/);
    };
    // Before the first memory: health changes while that's read in the background.
    for (const path of ["/v1/health", "/livez", "/v1/openapi.json"]) await check(path);
    const id = await add("Ana paints");
    const paths = [`/v1/memories/${id}`, "/v1/memories?user_id=ana", "/v1/memories/mem_unknown"];
    for (const path of [...paths, "/v1/memories"]) await check(path);
    strictEqual((await call("HEAD", "/v1/health", { key: null })).status, 401);
    strictEqual((await call("HEAD", "/v1/openapi.json", { key: null })).status, 200);
  });
});

Deno.test({
  name: "HEAD of a result leaves no file open",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withServer(async ({ call, add, directory }) => {
      await add("Ana paints");
      const { id } = await exportSnapshot(call);
      const path = `/v1/operations/${id}`;
      const get = await call("GET", path);
      ok(get.text.includes("Ana paints"));
      const openBlobs = () => countOpenFiles(`${directory}/blobs/`);
      await waitUntil(openBlobs, (count) => count === 0);
      for (let i = 0; i < 10; i++) {
        const head = await call("HEAD", path);
        strictEqual(head.headers.get("content-length"), get.headers.get("content-length"));
        strictEqual(head.headers.get("content-type"), get.headers.get("content-type"));
      }
      await waitUntil(openBlobs, (count) => count === 0);
    });
  },
});

/** Returns the number of files under a folder that this process, and so the server, has open. */
async function countOpenFiles(folder: string): Promise<number> {
  // Deno itself doesn't let tests read this folder.
  const args = [`/proc/${Deno.pid}/fd`, "-lname", `${folder}*`];
  const { stdout } = await new Deno.Command("find", { args }).output();
  return new TextDecoder().decode(stdout).split("\n").length - 1;
}
