/** Tests request bodies over HTTP: their size, and what happens if they end early or late. */

import { strictEqual } from "node:assert/strict";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { checkErrorShape } from "../scenarios/table.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

const JSON_TYPE = { "content-type": "application/json" };

function post(server: TestServer, raw: BodyInit, headers: Record<string, string> = JSON_TYPE) {
  return server.call("POST", "/v1/memories", { raw, headers });
}

/** Returns a verbatim add's body that's exactly `bytes` bytes long. */
function addOf(bytes: number): string {
  const start = '{"content":"hi","user_id":"ana","infer":false,"ignored":"';
  return start + "x".repeat(bytes - start.length - 2) + '"}';
}

function expectRefused(reply: Reply, status: number, code: string): void {
  strictEqual(reply.status, status, reply.text);
  strictEqual(reply.json.code, code);
  checkErrorShape(reply);
}

Deno.test("POST /v1/memories accepts a body of 250,000 bytes and rejects a larger one", async () => {
  await withServer(async (server) => {
    strictEqual((await post(server, addOf(250_000))).status, 200);
    expectRefused(await post(server, addOf(250_001)), 413, "REQUEST_TOO_LARGE");
  });
});

Deno.test("POST /v1/memories reports why it can't read a body", async () => {
  await withServer(async (server) => {
    const bytes = Uint8Array.of(0x22, 0x80, 0x22);
    expectRefused(await post(server, "{"), 400, "INVALID_REQUEST");
    expectRefused(await post(server, "null"), 400, "INVALID_REQUEST");
    expectRefused(await post(server, "[".repeat(10_000)), 400, "INVALID_REQUEST");
    expectRefused(await post(server, bytes), 400, "INVALID_UTF8");
    const text = { "content-type": "text/plain" };
    expectRefused(await post(server, "{}", text), 415, "UNSUPPORTED_MEDIA_TYPE");
    const parts = ['{"content":"Ana skates",', '"user_id":"ana",', '"infer":false}'];
    const chunks = ReadableStream.from(parts).pipeThrough(new TextEncoderStream());
    strictEqual((await post(server, chunks)).status, 200, "a body without a declared length");
  });
});

Deno.test("updates have the same body limit as adds, and other endpoints accept 1 MiB", async () => {
  await withServer(async (server) => {
    const path = `/v1/memories/${await server.add("Ana reads")}`;
    const long = (bytes: number, fields: string) =>
      `{${fields},"ignored":"${"x".repeat(bytes - fields.length - 15)}"}`;
    const put = (bytes: number) =>
      server.call("PUT", path, { raw: long(bytes, '"content":"a"'), headers: JSON_TYPE });
    const rate = (bytes: number) =>
      server.call("POST", `${path}/feedback`, {
        raw: long(bytes, '"rating":"positive"'),
        headers: JSON_TYPE,
      });
    strictEqual((await put(250_000)).status, 200);
    expectRefused(await put(250_001), 413, "REQUEST_TOO_LARGE");
    strictEqual((await rate(1024 * 1024)).status, 200);
    expectRefused(await rate(1024 * 1024 + 1), 413, "REQUEST_TOO_LARGE");
  });
});

Deno.test("a chunked body over the limit is rejected before its last chunk arrives", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
    );
    const chunk = "x".repeat(100_000);
    for (let sent = 0; sent < 3; sent++) {
      await wire.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    // The last chunk is never sent, but the response still arrives.
    const reply = await wire.reply();
    strictEqual(reply.status, 413);
    strictEqual(JSON.parse(reply.text).code, "REQUEST_TOO_LARGE");
  });
});

Deno.test("a declared length over the limit is rejected before the body is sent", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        "content-type: application/json\r\ncontent-length: 99999999999\r\n\r\n",
    );
    strictEqual((await wire.reply()).status, 413);
  });
});

Deno.test("bytes after the declared length are not part of the body", async () => {
  await withServer(async (server) => {
    using wire = await RawHttpConnection.open(server.url);
    const body = '{"content":"Ana rows","user_id":"ana","infer":false}';
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}` +
        "x".repeat(1_000),
    );
    strictEqual((await wire.reply()).status, 200);
  });
});

Deno.test("a body that ends before its declared length changes nothing", async () => {
  await withServer(async (server) => {
    const wire = await RawHttpConnection.open(server.url);
    await wire.send(
      `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 500\r\n\r\n{"content":"Ana',
    );
    wire.close();
    const { json } = await server.call("GET", "/v1/memories?user_id=ana");
    strictEqual(json.results.length, 0);
  });
});
