/** Tests who can access `/mcp`: keys, permissions, projects, origins and bodies. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { call, type TestServer, withServer } from "../../testing/harness.ts";
import { isOwnPage } from "../../src/http/base_url.ts";
import { connectOverHttp } from "./client.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const ACCEPT = { accept: "application/json, text/event-stream" };

function post(server: TestServer, headers: Record<string, string> = {}, body: unknown = LIST) {
  return call(server.url, "POST", "/mcp", { body, headers: { ...ACCEPT, ...headers } });
}

Deno.test("POST /mcp returns 401 without a valid key", async () => {
  await withServer(async (server) => {
    for (const key of [null, "cpl_unknown"]) {
      const refused = await call(server.url, "POST", "/mcp", { body: LIST, headers: ACCEPT, key });
      strictEqual(refused.status, 401);
      strictEqual(refused.json.code, "INVALID_API_KEY");
      const challenge = refused.headers.get("www-authenticate")!;
      const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
      match(challenge, /^Bearer /);
      ok(challenge.includes(`resource_metadata="${metadata}"`), challenge);
      strictEqual(challenge.includes('error="invalid_token"'), key !== null);
      // Through a proxy, the service doesn't know its own URL unless it's configured.
      const proxied = await call(server.url, "POST", "/mcp", {
        body: LIST,
        headers: { ...ACCEPT, "x-forwarded-host": "memory.example" },
        key,
      });
      strictEqual(proxied.headers.get("www-authenticate"), "Bearer");
    }
    const inQuery = await call(server.url, "POST", `/mcp?api_key=${server.key}`, {
      body: LIST,
      headers: ACCEPT,
      key: null,
    });
    strictEqual(inQuery.status, 401);
  });
});

Deno.test("a tool without permission is not listed, and calling it returns PERMISSION_DENIED", async () => {
  await withServer(async (server) => {
    const id = await server.add("Written by another key");
    const reader = await connectOverHttp(
      server.url,
      await server.createKey("default", "memory:read"),
    );
    const tools = await reader.tools();
    for (const name of ["add_memory", "update_memory", "delete_memory", "get_event"]) {
      ok(!tools.includes(name), name);
    }
    strictEqual((await reader.call("get_memory", { memory_id: id })).isError, false);
    const refused = await reader.call("delete_memory", { memory_id: id });
    strictEqual(refused.json.code, "PERMISSION_DENIED");
    deepStrictEqual(refused.json.details, { required: "memory:write" });
    strictEqual((await server.call("GET", `/v1/memories/${id}`)).status, 200);
    await reader.close();

    const watcher = await connectOverHttp(
      server.url,
      await server.createKey("default", "operations:read"),
    );
    deepStrictEqual(await watcher.tools(), ["get_event"]);
    deepStrictEqual((await watcher.client.listResourceTemplates()).resourceTemplates, []);
    await watcher.client.readResource({ uri: `commonplace://memories/${id}` }).then(
      () => ok(false, "a key without memory:read read a memory"),
      (error: { data: { code: string } }) => strictEqual(error.data.code, "PERMISSION_DENIED"),
    );
    await watcher.close();
  });
});

Deno.test("a record in a different project returns the same error as an unknown id", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana's secret");
    const stored = await server.call("POST", "/v1/documents", {
      body: { content: "Secret", title: "s", user_id: "ana" },
    });
    const document = stored.json.document.id;
    const other = await connectOverHttp(server.url, await server.createKey("other"));
    for (
      const [name, args] of [
        ["get_memory", { memory_id: id }],
        ["update_memory", { memory_id: id, content: "x" }],
        ["delete_memory", { memory_id: id }],
        ["memory_history", { memory_id: id }],
        ["rate_memory", { memory_id: id, rating: "positive" }],
      ] as const
    ) {
      strictEqual((await other.call(name, args)).json.code, "MEMORY_NOT_FOUND", name);
    }
    const read = await other.call("read_document", { document_id: document });
    strictEqual(read.json.code, "DOCUMENT_NOT_FOUND");
    const found = await other.call("search_memories", { query: "secret", user_id: "ana" });
    deepStrictEqual(found.json.results, []);
    for (const uri of [`commonplace://memories/${id}`, `commonplace://documents/${document}`]) {
      await rejectsWith(other.client.readResource({ uri }), /^No|No (memory|document)/);
    }
    await other.close();
  });
});

Deno.test("resources/read returns memories and documents", async () => {
  await withServer(async (server) => {
    const id = await server.add("Ana lives in Porto");
    const content = "# Title\n\nText\n";
    const stored = await server.call("POST", "/v1/documents", {
      body: { content, title: "s", mime_type: "text/markdown", user_id: "ana" },
    });
    const document = stored.json.document.id;
    for (const era of ["auto", "legacy"] as const) {
      const { client, close } = await connectOverHttp(server.url, server.key, era);
      const { resourceTemplates } = await client.listResourceTemplates();
      deepStrictEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
        "commonplace://memories/{id}",
        "commonplace://documents/{id}",
      ]);
      deepStrictEqual((await client.listResources()).resources, []);
      const memory = await client.readResource({ uri: `commonplace://memories/${id}` });
      const [first] = memory.contents as { text: string; mimeType: string }[];
      strictEqual(JSON.parse(first!.text).memory, "Ana lives in Porto");
      const read = await client.readResource({ uri: `commonplace://documents/${document}` });
      const [part] = read.contents as { text: string; mimeType: string }[];
      deepStrictEqual([part!.text, part!.mimeType], [content, "text/markdown"]);
      for (const uri of ["commonplace://memories/mem_unknown", "file:///etc/passwd"]) {
        await rejectsWith(client.readResource({ uri }), /No memory|No resource at/);
      }
      await close();
    }
  });
});

Deno.test("POST /mcp rejects pages from other hosts and opaque origins", async () => {
  await withServer(async (server) => {
    for (
      const origin of ["https://evil.example", "null", "http://localhost:1", "nonsense", "file://"]
    ) {
      const refused = await post(server, { origin });
      strictEqual(refused.status, 403, origin);
      strictEqual(refused.json.code, "FOREIGN_ORIGIN");
      // The origin is checked before the key, so these pages learn nothing about keys.
      const keyless = await call(server.url, "POST", "/mcp", {
        body: LIST,
        headers: { ...ACCEPT, origin },
        key: null,
      });
      strictEqual(keyless.status, 403);
    }
    strictEqual((await post(server, { origin: server.url })).status, 200);
    strictEqual((await post(server)).status, 200);
    // A site whose name points to this machine (DNS rebinding).
    const host = "evil.example";
    // Its pages can send any header along, also the one of a proxy.
    const rebound = new Headers({ host, "x-forwarded-host": host });
    const request = { headers: rebound, base: null, fromTrustedProxy: false };
    strictEqual(isOwnPage(`http://${host}`, request), false);
    const forwarded = { "x-forwarded-host": "memory.example", origin: "https://memory.example" };
    strictEqual((await post(server, forwarded)).status, 403, "a proxy that isn't trusted");
    await server.stop();
    await server.start({ trustedProxies: "127.0.0.1" });
    strictEqual((await post(server, forwarded)).status, 200, "through a trusted proxy");
    const other = { ...forwarded, origin: "https://evil.example" };
    strictEqual((await post(server, other)).status, 403);
  });
});

Deno.test("/mcp returns 405 for every method other than POST", async () => {
  await withServer(async (server) => {
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
      const refused = await call(server.url, method, "/mcp", { headers: ACCEPT });
      strictEqual(refused.status, 405, method);
      strictEqual(refused.headers.get("allow"), "POST");
      strictEqual(refused.json.code, "METHOD_NOT_ALLOWED");
    }
  });
});

Deno.test("POST /mcp returns a JSON-RPC error for an invalid message", async () => {
  await withServer(async (server) => {
    const headers = { ...ACCEPT, "content-type": "application/json" };
    const raw = (text: string | Uint8Array<ArrayBuffer>) =>
      call(server.url, "POST", "/mcp", { raw: text, headers });
    for (const text of ["", "{", "not json", new Uint8Array([0x22, 0xff, 0x22])]) {
      const refused = await raw(text);
      strictEqual(refused.status, 400);
      deepStrictEqual([refused.json.jsonrpc, refused.json.error.code], ["2.0", -32_700]);
    }
    for (
      const text of ["[]", "{}", "7", '"text"', '{"jsonrpc":"1.0","id":1,"method":"x"}', "null"]
    ) {
      const refused = await raw(text);
      strictEqual(refused.status, 400, text);
      ok(refused.json.error.code < 0, refused.text);
    }
    const deep = await raw("[".repeat(100_000));
    deepStrictEqual([deep.status, deep.json.error.code], [400, -32_700]);
    const unknown = await post(server, {}, { ...LIST, method: "tools/none" });
    match(unknown.text, /-32601/);
    const plain = await post(server, { "content-type": "text/plain" });
    deepStrictEqual([plain.status, plain.json.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
    const large = await raw(JSON.stringify({ ...LIST, padding: "x".repeat(6_500_000) }));
    deepStrictEqual([large.status, large.json.code], [413, "REQUEST_TOO_LARGE"]);
    strictEqual((await post(server)).status, 200);
  });
});

Deno.test("POST /mcp returns JSON to clients with earlier revisions, including a response to each call in a batch", async () => {
  await withServer(async (server) => {
    const single = await post(server);
    match(single.headers.get("content-type")!, /^application\/json/);
    ok(single.json.result.tools.length > 0);
    const version = { "mcp-protocol-version": "2025-03-26" };
    const again = { ...LIST, id: 2 };
    const cancellation = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2 },
    };
    for (const batch of [[LIST, again], [LIST, again, cancellation], [LIST]]) {
      const response = await post(server, version, batch);
      const calls = batch.filter((message) => "id" in message).map(({ id }) => id);
      deepStrictEqual(response.json.map(({ id }: { id: number }) => id), calls);
    }
    const notified = await post(server, version, [cancellation]);
    deepStrictEqual([notified.status, notified.text], [202, ""]);
  });
});

Deno.test("POST /mcp sets the request id and is counted in the metrics", async () => {
  await withServer(async (server) => {
    const response = await post(server);
    match(response.headers.get("x-request-id")!, /^req_/);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    match(metrics, /requests_total\{method="POST",route="\/mcp",status="200"\} 1/);

    const params = { name: "get_memory", arguments: { memory_id: "mem_x" } };
    const failed = await post(server, {}, { ...LIST, method: "tools/call", params });
    const { request_id } = JSON.parse(failed.json.result.content[0].text);
    strictEqual(request_id, failed.headers.get("x-request-id"));
  });
});

async function rejectsWith(promise: Promise<unknown>, message: RegExp): Promise<void> {
  await promise.then(
    () => ok(false, "the request succeeded"),
    (error: Error) => match(error.message, message),
  );
}
