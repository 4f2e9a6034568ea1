/** The dashboard's endpoints: the API's own by session, and those that only people need. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { call, withServer } from "../../testing/harness.ts";
import { DashboardClient } from "./client.ts";

const WORDS = "Ana keeps the spare key under the fern";

Deno.test("the API's endpoints answer a session as they answer a key", async () => {
  await withServer(async (server) => {
    const id = await server.add(WORDS);
    const visitor = await DashboardClient.signedIn(server);
    const base = `/projects/${await visitor.project()}`;
    for (
      const [method, path, body] of [
        ["GET", `/memories/${id}`, undefined],
        ["GET", "/memories?user_id=ana", undefined],
        ["GET", `/memories/${id}/history`, undefined],
        ["POST", "/memories/search", { query: "where is the key" }],
        ["GET", "/operations?status=nonsense", undefined],
        ["POST", "/memories", { infer: false }],
        ["GET", "/documents/doc_unknown", undefined],
        ["GET", "/nowhere", undefined],
        ["POST", "/exports", undefined],
      ] as const
    ) {
      const options = body === undefined ? {} : { body };
      const byKey = await call(server.url, method, `/v1${path}`, options);
      const bySession = await visitor.call(method, `${base}${path}`, options);
      strictEqual(bySession.status, byKey.status, path);
      deepStrictEqual(withoutIds(bySession.json), withoutIds(byKey.json), path);
    }
    const kept = await visitor.call("GET", `${base}/memories/${id}`);
    strictEqual(kept.headers.get("cache-control"), "no-store");
    strictEqual(kept.headers.get("x-content-type-options"), "nosniff");
    const wrongMethod = await visitor.call("DELETE", `${base}/memories/search`);
    deepStrictEqual([wrongMethod.status, wrongMethod.headers.get("allow")], [405, "POST"]);
  });
});

/** Request ids differ, and so does the path in the words about a path that isn't there. */
function withoutIds(json: Record<string, unknown>): unknown {
  const { request_id: _, message, ...rest } = json;
  return { ...rest, message: String(message).replace(/Nothing is at .*/, "Nothing is there") };
}

Deno.test("a command with a key runs once, by session as by API", async () => {
  await withServer(async (server) => {
    const visitor = await DashboardClient.signedIn(server);
    const project = await visitor.project();
    const headers = { origin: server.url, "idempotency-key": "once" };
    const add = (content: string) =>
      visitor.call("POST", `/projects/${project}/memories`, {
        headers,
        body: { content, user_id: "ana", infer: false },
      });
    const first = await add(WORDS);
    strictEqual(first.status, 200, first.text);
    const again = await add(WORDS);
    strictEqual(again.headers.get("idempotency-replayed"), "true");
    deepStrictEqual(again.json, first.json);
    strictEqual((await add("something else")).json.code, "IDEMPOTENCY_CONFLICT");
  });
});

Deno.test("an upload goes through the address that it is given", async () => {
  await withServer(async (server) => {
    const visitor = await DashboardClient.signedIn(server);
    const project = await visitor.project();
    const bytes = new TextEncoder().encode("# The fern\n\nWater it on Mondays.\n");
    const created = await visitor.call("POST", `/projects/${project}/document-uploads`, {
      headers: { origin: server.url, "idempotency-key": "u" },
      body: {
        filename: "fern.md",
        content_type: "text/markdown",
        size_bytes: bytes.length,
        user_id: "ana",
      },
    });
    const { source_asset, upload } = created.json;
    const address = `${server.url}/dashboard/api/projects/${project}/document-uploads/`;
    strictEqual(upload.url, `${address}${source_asset.id}/content`);
    const path = new URL(upload.url).pathname.slice("/dashboard/api".length);
    const put = await visitor.call(upload.method, path, {
      raw: bytes,
      headers: { ...upload.headers, origin: server.url },
    });
    strictEqual(put.status, 204, put.text);
    const done = await visitor.call(
      "POST",
      `/projects/${project}/document-uploads/${source_asset.id}/complete`,
    );
    strictEqual(done.status, 202);
  });
});

Deno.test("projects are made, seen and deleted; a name that is taken is told", async () => {
  await withServer(async (server) => {
    const visitor = await DashboardClient.signedIn(server);
    const made = await visitor.call("POST", "/projects", { body: { name: "shop" } });
    deepStrictEqual(Object.keys(made.json), ["id", "name", "created_at"]);
    const { id } = made.json;
    for (const name of ["shop", "No Name", "", "~"]) {
      const refused = await visitor.call("POST", "/projects", { body: { name } });
      strictEqual(refused.status, 400, name);
      strictEqual(refused.json.details.issues[0].path, "name");
    }
    const off = await visitor.call("PUT", `/projects/${id}`, { body: { derivation: false } });
    strictEqual(off.json.derivation, false);
    strictEqual((await visitor.call("GET", `/projects/${id}`)).json.derivation, false);
    const state = await visitor.call("GET", `/projects/${id}/profile?user_id=ana`);
    strictEqual(state.json.code, "DERIVATION_DISABLED");

    deepStrictEqual((await visitor.call("DELETE", `/projects/${id}`)).json, {
      id,
      name: "shop",
      deleted: true,
    });
    for (const path of ["", "/memories", "/keys", "/overview"]) {
      strictEqual((await visitor.call("GET", `/projects/${id}${path}`)).status, 404, path);
    }
    strictEqual((await visitor.call("GET", "/projects")).json.results.length, 1);
  });
});

Deno.test("a key is shown once, opens what it may, and is refused from its revocation on", async () => {
  await withServer(async (server) => {
    const visitor = await DashboardClient.signedIn(server);
    const keys = `/projects/${await visitor.project()}/keys`;
    const body = { name: "  reader ", permissions: ["memory:read"] };
    const { json: made } = await visitor.call("POST", keys, { body });
    deepStrictEqual([made.name, made.permissions], ["reader", ["memory:read"]]);
    match(made.key, /^cpl_/);
    const use = async (path: string) =>
      (await call(server.url, "GET", path, { key: made.key })).status;
    deepStrictEqual([await use("/v1/memories?user_id=x"), await use("/v1/health")], [200, 403]);

    const listed = await visitor.call("GET", keys);
    ok(!listed.text.includes(made.key));
    const other = await visitor.call("POST", "/projects", { body: { name: "other" } });
    const elsewhere = `/projects/${other.json.id}/keys/${made.id}`;
    strictEqual((await visitor.call("DELETE", elsewhere)).status, 404, "another project's key");
    strictEqual((await visitor.call("DELETE", `${keys}/${made.id}`)).json.revoked, true);
    strictEqual(await use("/v1/memories?user_id=x"), 401);
    for (const permissions of [[], ["memory:rule"]]) {
      strictEqual((await visitor.call("POST", keys, { body: { permissions } })).status, 400);
    }
  });
});

Deno.test("activity counts every change and every search once, across writes and restarts", async () => {
  await withServer(async (server) => {
    const visitor = await DashboardClient.signedIn(server);
    const project = await visitor.project();
    const sums = async () => {
      const { json } = await visitor.call("GET", `/projects/${project}/overview?days=2`);
      const sum: Record<string, number> = {};
      for (const { hour, kind, count } of json.activity) {
        match(hour, /T\d\d:00:00\.000Z$/);
        sum[kind] = (sum[kind] ?? 0) + count;
      }
      return sum;
    };
    deepStrictEqual(await sums(), {});
    const id = await server.add("one");
    await server.add("two");
    await server.call("PUT", `/v1/memories/${id}`, { body: { content: "changed" } });
    await server.call("POST", "/v1/memories/search", { body: { query: "one" } });
    await server.call("POST", "/v1/documents/search", { body: { query: "one" } });
    const document = { source_key: "a", user_id: "ana", content: "text", mime_type: "text/plain" };
    strictEqual((await server.call("POST", "/v1/documents", { body: document })).status, 200);
    const expected = { memories_added: 2, memories_changed: 1, documents: 1, searches: 2 };
    deepStrictEqual(await sums(), expected, "before anything is written");
    await server.restart();
    deepStrictEqual(await sums(), expected, "after it was written");
    await server.add("three");
    await server.call("POST", "/v1/memories/search", { body: { query: "one" } });
    deepStrictEqual(await sums(), { ...expected, memories_added: 3, searches: 3 });
    const { counts } = (await visitor.call("GET", `/projects/${project}/overview`)).json;
    deepStrictEqual(counts, { memories: 3, documents: 1, chunks: 1, entities: 1 });
    for (const days of ["0", "91", "x"]) {
      const refused = await visitor.call("GET", `/projects/${project}/overview?days=${days}`);
      strictEqual(refused.status, 400, days);
    }
  });
});

Deno.test("an export is a file to keep, and its own project's alone", async () => {
  await withServer(async (server) => {
    await server.add(WORDS);
    const visitor = await DashboardClient.signedIn(server);
    const project = await visitor.project();
    const headers = { origin: server.url, "idempotency-key": "e" };
    const started = await visitor.call("POST", `/projects/${project}/exports`, { headers });
    const { json } = await ended(visitor, project, started.json.id);
    deepStrictEqual([json.status, json.result.records], ["success", undefined]);
    const file = await visitor.call(
      "GET",
      `/projects/${project}/operations/${json.id}/snapshot`,
    );
    match(
      file.headers.get("content-disposition")!,
      /^attachment; filename="default-task_\w+\.json"$/,
    );
    ok(file.text.includes(WORDS));

    const copy = (await visitor.call("POST", "/projects", { body: { name: "copy" } })).json.id;
    const nothing = await visitor.call("GET", `/projects/${copy}/operations/${json.id}/snapshot`);
    strictEqual(nothing.status, 404, "another project's file");
  });
});

Deno.test("health tells of the process and of every project", async () => {
  await withServer(async (server) => {
    await server.manage("projects", "create", "second");
    const visitor = await DashboardClient.signedIn(server);
    const { json } = await visitor.call("GET", "/health");
    ok(json.database_bytes > 0 && json.resident_bytes > 0 && json.schema > 0);
    const names = json.projects.map((project: { name: string }) => project.name);
    deepStrictEqual(names, ["default", "second"]);
    strictEqual(json.projects[1].health.status, "ok");
  });
});

/** An operation once it has ended. */
async function ended(visitor: DashboardClient, project: string, id: string) {
  for (;;) {
    const reply = await visitor.call("GET", `/projects/${project}/operations/${id}/outline`);
    if (["success", "dead"].includes(reply.json.status)) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
