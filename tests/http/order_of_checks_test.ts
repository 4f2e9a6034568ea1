/**
 * Checks that, with several things wrong in a request, the one that comes first in the contract's
 * order wins.
 */

import { strictEqual } from "node:assert/strict";
import { type RequestOptions, type TestServer, withServer } from "../../testing/harness.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";

const LONG = "x".repeat(300_000);

/** A request with several errors, and the code that must be reported. */
interface InvalidRequest extends RequestOptions {
  readonly when: string;
  readonly method: string;
  readonly path: string;
  readonly code: string;
}

async function codeOf(server: TestServer, request: InvalidRequest): Promise<string> {
  return (await server.call(request.method, request.path, request)).json.code;
}

Deno.test("requests are checked in the order that the contract defines", async (t) => {
  await withServer(async (server) => {
    const reader = await server.createKey("default", "memory:read");
    const body = { content: "x", user_id: "ana", infer: false };
    const entity = "/v1/entities/user/unknown";
    await server.call("POST", "/v1/memories", {
      body,
      headers: { "idempotency-key": "used" },
    });
    const requests: InvalidRequest[] = [
      {
        when: "the key comes before the route",
        method: "GET",
        path: "/v1/nowhere",
        key: null,
        code: "INVALID_API_KEY",
      },
      {
        when: "the key comes before the method",
        method: "PATCH",
        path: "/v1/memories",
        key: "cpl_unknown-key",
        code: "INVALID_API_KEY",
      },
      {
        when: "the method comes before the permission",
        method: "PATCH",
        path: "/v1/memories",
        key: reader,
        code: "METHOD_NOT_ALLOWED",
      },
      {
        when: "the permission comes before the Idempotency-Key",
        method: "DELETE",
        path: entity,
        key: reader,
        code: "PERMISSION_DENIED",
      },
      {
        when: "the permission comes before a malformed Idempotency-Key and an oversized body",
        method: "POST",
        path: "/v1/memories",
        key: reader,
        raw: LONG,
        headers: { "idempotency-key": "k".repeat(201), "content-type": "application/json" },
        code: "PERMISSION_DENIED",
      },
      {
        when: "a required Idempotency-Key comes before the fields",
        method: "DELETE",
        path: "/v1/entities/planet/unknown",
        code: "IDEMPOTENCY_KEY_REQUIRED",
      },
      {
        when: "a malformed Idempotency-Key comes before the declared length",
        method: "POST",
        path: "/v1/memories",
        raw: LONG,
        headers: { "idempotency-key": "k".repeat(201), "content-type": "application/json" },
        code: "INVALID_REQUEST",
      },
      {
        when: "the declared length comes before the content type",
        method: "POST",
        path: "/v1/memories",
        raw: LONG,
        headers: { "content-type": "text/plain" },
        code: "REQUEST_TOO_LARGE",
      },
      {
        when: "the content type comes before the text",
        method: "POST",
        path: "/v1/memories",
        raw: new Uint8Array([0xff, 0xfe]),
        headers: { "content-type": "text/plain" },
        code: "UNSUPPORTED_MEDIA_TYPE",
      },
      {
        when: "the text comes before the JSON",
        method: "POST",
        path: "/v1/memories",
        raw: new Uint8Array([0x7b, 0xff]),
        headers: { "content-type": "application/json" },
        code: "INVALID_UTF8",
      },
      {
        when: "the fields come before the replay",
        method: "POST",
        path: "/v1/memories",
        body: { content: "", user_id: "ana", infer: false },
        headers: { "idempotency-key": "used" },
        code: "INVALID_REQUEST",
      },
      {
        when: "the fields come before the record",
        method: "PUT",
        path: "/v1/memories/mem_unknown",
        body: {},
        code: "INVALID_REQUEST",
      },
      {
        when: "the cursor comes before the record",
        method: "GET",
        path: "/v1/memories/mem_unknown/history?cursor=x",
        code: "INVALID_REQUEST",
      },
      {
        when: "the replay comes before the record",
        method: "DELETE",
        path: "/v1/memories/mem_unknown",
        headers: { "idempotency-key": "used" },
        code: "IDEMPOTENCY_CONFLICT",
      },
      {
        when: "the record comes before its version",
        method: "PUT",
        path: "/v1/memories/mem_unknown",
        body: { content: "y", version: "2020-01-01" },
        code: "MEMORY_NOT_FOUND",
      },
    ];
    for (const request of requests) {
      await t.step(
        request.when,
        async () => strictEqual(await codeOf(server, request), request.code),
      );
    }
    await t.step("the content type is checked before the actual length", async () => {
      using wire = await RawHttpConnection.open(server.url);
      await wire.send(
        `POST /v1/memories HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\n` +
          "content-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n",
      );
      strictEqual(JSON.parse((await wire.reply()).text).code, "UNSUPPORTED_MEDIA_TYPE");
    });
  });
});
