/** Tests the lists and links used only by the dashboard. */

import assert from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { DashboardClient } from "./client.ts";

/** Signs in and returns a function that calls endpoints under `browse`. */
async function openBrowse(server: TestServer) {
  const client = await DashboardClient.signedIn(server);
  const project = await client.project();
  return (method: string, path: string, body?: unknown) =>
    client.call(method, `/projects/${project}/browse${path}`, { body });
}

Deno.test("GET /browse/memories lists without a scope, newest first, each memory once, filtered by type and validity", async () => {
  await withServer(async (server) => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await server.add(`Note ${n}`));
    ids.unshift(await server.add("Renew it", { run_id: "r", memory_type: "todo" }));
    const browse = await openBrowse(server);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { json } = await browse("GET", `/memories?limit=4${query}`);
      seen.push(...json.results.map(({ id }: { id: string }) => id));
      cursor = json.next_cursor;
    }
    assert.deepEqual(seen, ids);
    const found = async (query: string) =>
      (await browse("GET", `/memories?${query}`)).json.results.map(({ id }: { id: string }) => id);
    assert.deepEqual(await found("memory_type=todo"), [ids[0]]);
    assert.deepEqual(await found("user_id=ana&memory_type=todo"), []);
    assert.deepEqual(await found("validity=ended"), []);
    const ended = await browse("POST", `/memories/${ids[1]}/end`, {});
    assert.deepEqual([ended.status, ended.json.event], [200, "INVALIDATE"]);
    assert.deepEqual(await found("validity=ended"), [ids[1]]);
    assert.deepEqual(await found("validity=holds&user_id=ana"), ids.slice(2));
    const { next_cursor } = (await browse("GET", "/memories?limit=1")).json;
    const foreign = await browse("GET", `/memories?validity=holds&cursor=${next_cursor}`);
    assert.deepEqual([foreign.status, foreign.json.code], [400, "INVALID_REQUEST"]);
  });
});

Deno.test("POST /browse/memories/{id}/end sets valid_to and writes an INVALIDATE history record", async () => {
  await withServer(async (server) => {
    const id = await server.add("I live in Porto.", { user_id: "ana", event_date: "2024-01-01" });
    const browse = await openBrowse(server);
    const valid_to = "2024-06-01T00:00:00.000Z";
    await browse("POST", `/memories/${id}/end`, { valid_to });
    assert.equal((await server.call("GET", `/v1/memories/${id}`)).json.valid_to, valid_to);
    const { results } = (await server.call("GET", `/v1/memories/${id}/history`)).json;
    assert.deepEqual(
      [results[1].event, results[1].changes.valid_to, results[1].source.kind],
      ["INVALIDATE", { from: null, to: valid_to }, "api"],
    );
    const unknown = await browse("POST", "/memories/mem_0/end", {});
    assert.deepEqual([unknown.status, unknown.json.code], [404, "MEMORY_NOT_FOUND"]);
  });
});

Deno.test("GET /browse/memories/{id}/links returns sources, siblings, superseded memories and claims", async () => {
  await withServer(async (server) => {
    const addMessage = async (content: string) => {
      const { json } = await server.call("POST", "/v1/memories", {
        body: { messages: [{ role: "user", content }], user_id: "ana" },
        headers: { "idempotency-key": content },
      });
      for (;;) {
        const event = (await server.call("GET", `/v1/events/${json.event_id}`)).json;
        if (event.status === "SUCCEEDED") return event;
        assert.notEqual(event.status, "FAILED");
      }
    };
    const first = await addMessage("I live in Lisbon. My name is Ana.");
    const second = await addMessage("I moved to Porto.");
    const browse = await openBrowse(server);
    const idOf = (
      event: { results: { id: string; memory: string; event: string }[] },
      of: RegExp,
    ) => event.results.find(({ memory, event }) => of.test(memory) && event === "ADD")!.id;
    const [lisbon, name] = [idOf(first, /Lisbon/), idOf(first, /Ana/)];
    const porto = idOf(second, /Porto/);
    const old = (await browse("GET", `/memories/${lisbon}/links`)).json;
    assert.deepEqual(old.sources, [{ operation_id: first.id, messages: [0] }]);
    assert.deepEqual(old.siblings.map(({ id }: { id: string }) => id), [name]);
    assert.equal(old.superseded_by.id, porto);
    const now = (await browse("GET", `/memories/${porto}/links`)).json;
    assert.deepEqual(now.supersedes, [{ id: lisbon, memory: "User lives in Lisbon" }]);
    assert.deepEqual(now.claims, [
      { subject: "user", attribute: "lives_in", value: "Porto", op: "assert" },
    ]);
    const slots = (await browse("GET", "/slots?user_id=ana")).json.results;
    assert.deepEqual(
      slots.map(({ attribute, memories }: { attribute: string; memories: number }) =>
        `${attribute} ${memories}`
      ).sort(),
      ["lives_in 2", "name 1"],
    );
    assert.equal((await browse("GET", "/slots")).status, 400);
  });
});

Deno.test("GET /browse/documents/{id}/versions lists newest first, and returns 404 for another project's document", async () => {
  await withServer(async (server) => {
    const ids: string[] = [];
    for (const content of ["one", "two"]) {
      const body = { content, source_key: "guide", user_id: "ana" };
      ids.unshift((await server.call("POST", "/v1/documents", { body })).json.document.id);
    }
    const browse = await openBrowse(server);
    const { results } = (await browse("GET", `/documents/${ids[1]}/versions`)).json;
    assert.deepEqual(
      results.map(({ document, current, file }: Record<string, { id: string }>) => [
        document!.id,
        current,
        file,
      ]),
      [[ids[0], true, null], [ids[1], false, null]],
    );
    await server.manage("projects", "create", "other");
    const client = await DashboardClient.signedIn(server);
    const other = await client.project("other");
    const foreign = await client.call(
      "GET",
      `/projects/${other}/browse/documents/${ids[0]}/versions`,
    );
    assert.deepEqual([foreign.status, foreign.json.code], [404, "DOCUMENT_NOT_FOUND"]);
  });
});

Deno.test("GET /browse/operations lists operations with their uploads, and filters them", async () => {
  await withServer(async (server) => {
    const upload = await server.call("POST", "/v1/document-uploads", {
      headers: { "idempotency-key": "u" },
      body: { filename: "a.txt", content_type: "text/plain", size_bytes: 2, user_id: "ana" },
    });
    const exported = await server.call("POST", "/v1/exports", {
      headers: { "idempotency-key": "e" },
    });
    const browse = await openBrowse(server);
    const { results } = (await browse("GET", "/operations")).json;
    assert.deepEqual(
      results.map(({ id, upload }: { id: string; upload: unknown }) => [id, upload]),
      [[exported.json.id, null], [upload.json.operation.id, {
        filename: "a.txt",
        document_id: null,
      }]],
    );
    const waiting = await browse("GET", "/operations?status=awaiting_upload&limit=1");
    assert.deepEqual(waiting.json.results, [results[1]]);
    const one = await browse("GET", `/operations/${upload.json.operation.id}`);
    assert.deepEqual(one.json, results[1]);
    const unknown = await browse("GET", "/operations/task_0");
    assert.deepEqual([unknown.status, unknown.json.code], [404, "OPERATION_NOT_FOUND"]);
  });
});
