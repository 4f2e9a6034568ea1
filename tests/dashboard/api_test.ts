/**
 * Tests the dashboard's endpoints: API endpoints called with a session, and endpoints exclusive to
 * the dashboard.
 */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import sql from "sql-template-tag";
import { call, withServer } from "../../testing/harness.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import { connect } from "../oauth/owner.ts";
import { DashboardClient } from "./client.ts";

const WORDS = "Ana keeps the spare key under the fern";

Deno.test("dashboard API returns the same responses to a session as /v1 does to a key", async () => {
  await withServer(async (server) => {
    const id = await server.add(WORDS);
    const client = await DashboardClient.signedIn(server);
    const base = `/projects/${await client.project()}`;
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
      const bySession = await client.call(method, `${base}${path}`, options);
      strictEqual(bySession.status, byKey.status, path);
      deepStrictEqual(withoutIds(bySession.json), withoutIds(byKey.json), path);
    }
    const reply = await client.call("GET", `${base}/memories/${id}`);
    strictEqual(reply.headers.get("cache-control"), "no-store");
    strictEqual(reply.headers.get("x-content-type-options"), "nosniff");
    const wrongMethod = await client.call("DELETE", `${base}/memories/search`);
    deepStrictEqual([wrongMethod.status, wrongMethod.headers.get("allow")], [405, "POST"]);
  });
});

/**
 * Removes what differs between two responses: the request id, and the path in the unknown-endpoint
 * message.
 */
function withoutIds(json: Record<string, unknown>): unknown {
  const { request_id: _, message, ...rest } = json;
  return { ...rest, message: String(message).replace(/No endpoint at .*/, "No endpoint") };
}

Deno.test("POST /dashboard/api/projects/{id}/memories runs once per idempotency key", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const project = await client.project();
    const headers = { origin: server.url, "idempotency-key": "once" };
    const add = (content: string) =>
      client.call("POST", `/projects/${project}/memories`, {
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

Deno.test("POST /dashboard/api/projects/{id}/document-uploads returns an upload URL under the dashboard", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const project = await client.project();
    const bytes = new TextEncoder().encode("# The fern\n\nWater it on Mondays.\n");
    const created = await client.call("POST", `/projects/${project}/document-uploads`, {
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
    const put = await client.call(upload.method, path, {
      raw: bytes,
      headers: { ...upload.headers, origin: server.url },
    });
    strictEqual(put.status, 204, put.text);
    const done = await client.call(
      "POST",
      `/projects/${project}/document-uploads/${source_asset.id}/complete`,
    );
    strictEqual(done.status, 202);
  });
});

Deno.test("/dashboard/api/projects creates, changes and deletes projects, and rejects a name that is taken", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const created = await client.call("POST", "/projects", { body: { name: "shop" } });
    deepStrictEqual(Object.keys(created.json), ["id", "name", "created_at"]);
    const { id } = created.json;
    for (const name of ["shop", "No Name", "", "~"]) {
      const refused = await client.call("POST", "/projects", { body: { name } });
      strictEqual(refused.status, 400, name);
      strictEqual(refused.json.details.issues[0].path, "name");
    }
    const off = await client.call("PUT", `/projects/${id}`, { body: { derivation: false } });
    strictEqual(off.json.derivation, false);
    strictEqual((await client.call("GET", `/projects/${id}`)).json.derivation, false);
    const state = await client.call("GET", `/projects/${id}/profile?user_id=ana`);
    strictEqual(state.json.code, "DERIVATION_DISABLED");

    deepStrictEqual((await client.call("DELETE", `/projects/${id}`)).json, {
      id,
      name: "shop",
      deleted: true,
    });
    for (const path of ["", "/memories", "/keys", "/overview"]) {
      strictEqual((await client.call("GET", `/projects/${id}${path}`)).status, 404, path);
    }
    strictEqual((await client.call("GET", "/projects")).json.results.length, 1);
  });
});

Deno.test("/dashboard/api/projects/{id}/keys shows a key once, limits it to its permissions, and revokes it", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const keys = `/projects/${await client.project()}/keys`;
    const body = { name: "  reader ", permissions: ["memory:read"] };
    const { json: createdKey } = await client.call("POST", keys, { body });
    deepStrictEqual([createdKey.name, createdKey.permissions], ["reader", ["memory:read"]]);
    match(createdKey.key, /^cpl_/);
    const callWithKey = async (path: string) =>
      (await call(server.url, "GET", path, { key: createdKey.key })).status;
    deepStrictEqual(
      [await callWithKey("/v1/memories?user_id=x"), await callWithKey("/v1/health")],
      [200, 403],
    );

    const listed = await client.call("GET", keys);
    ok(!listed.text.includes(createdKey.key));
    const other = await client.call("POST", "/projects", { body: { name: "other" } });
    const otherPath = `/projects/${other.json.id}/keys/${createdKey.id}`;
    strictEqual((await client.call("DELETE", otherPath)).status, 404, "another project's key");
    strictEqual((await client.call("DELETE", `${keys}/${createdKey.id}`)).json.revoked, true);
    strictEqual(await callWithKey("/v1/memories?user_id=x"), 401);
    for (const permissions of [[], ["memory:rule"]]) {
      strictEqual((await client.call("POST", keys, { body: { permissions } })).status, 400);
    }
  });
});

Deno.test("DELETE /dashboard/api/projects/{id}/connections/{id} succeeds for a connection that has ended, and returns 404 for an unknown one", async () => {
  await withServer(async (server) => {
    await connect(server);
    const client = await DashboardClient.signedIn(server);
    const path = `/projects/${await client.project()}/connections`;
    const [{ id }] = (await client.call("GET", path)).json.results;
    const other = await client.call("POST", "/projects", { body: { name: "other" } });
    for (const unknown of [`${path}/conn_x`, `/projects/${other.json.id}/connections/${id}`]) {
      const { status, json } = await client.call("DELETE", unknown);
      deepStrictEqual([status, json.code], [404, "NOT_FOUND"]);
    }
    for (const _ of ["first", "second"]) {
      const { status, json } = await client.call("DELETE", `${path}/${id}`);
      deepStrictEqual([status, json], [200, { id, revoked: true }]);
    }
    const [ended] = (await client.call("GET", path)).json.results;
    deepStrictEqual([ended.status, ended.ended_by], ["revoked", "owner"]);
  });
});

Deno.test("GET /dashboard/api/projects/{id}/overview counts every change and search once, even after a restart", async () => {
  await withServer(async (server) => {
    const client = await DashboardClient.signedIn(server);
    const project = await client.project();
    const sums = async () => {
      const { json } = await client.call("GET", `/projects/${project}/overview?days=2`);
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
    deepStrictEqual(await sums(), expected, "before the counts are written");
    await server.restart();
    deepStrictEqual(await sums(), expected, "after the counts were written");
    await server.add("three");
    await server.call("POST", "/v1/memories/search", { body: { query: "one" } });
    deepStrictEqual(await sums(), { ...expected, memories_added: 3, searches: 3 });
    const { counts } = (await client.call("GET", `/projects/${project}/overview`)).json;
    deepStrictEqual(counts, { memories: 3, documents: 1, chunks: 1, entities: 1 });
    for (const days of ["0", "91", "x"]) {
      const refused = await client.call("GET", `/projects/${project}/overview?days=${days}`);
      strictEqual(refused.status, 400, days);
    }
  });
});

Deno.test("GET /dashboard/api/projects/{id}/operations/{id}/snapshot serves an export only to the project it belongs to", async () => {
  await withServer(async (server) => {
    await server.add(WORDS);
    const client = await DashboardClient.signedIn(server);
    const project = await client.project();
    const headers = { origin: server.url, "idempotency-key": "e" };
    const started = await client.call("POST", `/projects/${project}/exports`, { headers });
    const { json } = await waitForEnd(client, project, started.json.id);
    deepStrictEqual([json.status, json.result.records], ["success", undefined]);
    const file = await client.call(
      "GET",
      `/projects/${project}/operations/${json.id}/snapshot`,
    );
    match(
      file.headers.get("content-disposition")!,
      /^attachment; filename="default-task_\w+\.json"$/,
    );
    ok(file.text.includes(WORDS));

    const copy = (await client.call("POST", "/projects", { body: { name: "copy" } })).json.id;
    const otherProject = await client.call(
      "GET",
      `/projects/${copy}/operations/${json.id}/snapshot`,
    );
    strictEqual(otherProject.status, 404, "another project's file");
  });
});

Deno.test("GET /dashboard/api/health reports the process and every project", async () => {
  await withServer(async (server) => {
    await server.manage("projects", "create", "second");
    const client = await DashboardClient.signedIn(server);
    const { json } = await client.call("GET", "/health");
    ok(json.resident_bytes > 0 && json.schema > 0);
    ok(json.database_bytes > 0);
    const names = json.projects.map((project: { name: string }) => project.name);
    deepStrictEqual(names, ["default", "second"]);
    strictEqual(json.projects[1].health.status, "ok");
  });
});

Deno.test("GET /dashboard/api/health checks 50 projects, and those with failed operations first", async () => {
  await withServer(async (server) => {
    const body = { content: "I am Ana and I live in Faro.", user_id: "ana" };
    const headers = { "idempotency-key": "k" };
    const { json: added } = await server.call("POST", "/v1/memories", { body, headers });
    await waitUntil(
      () => server.call("GET", `/v1/events/${added.event_id}`),
      ({ json }) => json.status === "SUCCEEDED",
    );
    await server.records(sql`with recursive counter(n) as
        (select 1 union all select n + 1 from counter where n < 52)
      insert into projects (id, name, created_at)
      select 'proj_' || n, 'project-' || n, '2026-01-01T00:00:00.000Z' from counter`);
    await server.records(sql`update tasks set status = 'dead', error = '{}',
        project = (select number from projects where id = 'proj_52')
      where id = ${added.event_id as string}`);
    const client = await DashboardClient.signedIn(server);
    const { json } = await client.call("GET", "/health");
    const [first, second] = json.projects;
    deepStrictEqual([json.projects.length, json.project_count], [50, 53]);
    deepStrictEqual([first.name, first.health.status], ["project-52", "degraded"]);
    deepStrictEqual([second.name, second.health.status], ["default", "ok"]);
  });
});

/** Waits for an operation to finish and returns it. */
async function waitForEnd(client: DashboardClient, project: string, id: string) {
  for (;;) {
    const reply = await client.call("GET", `/projects/${project}/browse/operations/${id}`);
    if (["success", "dead"].includes(reply.json.status)) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
