/** Walks through the three steps of an upload: create, send, complete. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { sha256 } from "../../src/kernel/hash.ts";
import { type Reply, type TestServer, withServer } from "../../testing/harness.ts";
import { RawHttpConnection } from "../../testing/raw_http.ts";
import { waitUntil } from "../../testing/wait_until.ts";
import {
  announce,
  bytesOf,
  complete,
  description,
  extractFile,
  freshKey,
  getAsset,
  listFiles,
  put,
  uploadFile,
} from "./files.ts";

const FILE = { bytes: bytesOf("Tea is served at four.") };
const SAME_LENGTH = bytesOf("Tea is served at five.");

function refused(reply: Reply, status: number, code: string): void {
  deepStrictEqual([reply.status, reply.json?.code], [status, code], reply.text);
}

Deno.test("POST /v1/document-uploads returns how to send the bytes, and waits for them", async () => {
  await withServer(async (server) => {
    const checksum_sha256 = sha256(FILE.bytes).toUpperCase();
    const { source_asset, upload, operation } = await announce(server, {
      ...FILE,
      fields: { checksum_sha256 },
    });
    const { id, operation_id, created_at, updated_at, ...rest } = source_asset;
    match(id, /^asset_[0-9a-z]{26}$/);
    strictEqual(operation_id, operation.id);
    strictEqual(created_at, updated_at);
    deepStrictEqual(rest, {
      source_key: "notes.txt",
      filename: "notes.txt",
      content_type: "text/plain",
      size_bytes: FILE.bytes.length,
      checksum_sha256: checksum_sha256.toLowerCase(),
      status: "awaiting_upload",
      artifact_id: null,
      document_id: null,
      error: null,
    });
    deepStrictEqual(upload, {
      method: "PUT",
      url: `${server.url}/v1/document-uploads/${id}/content`,
      headers: { "content-type": "text/plain" },
      max_bytes: 25_000_000,
    });
    deepStrictEqual(
      [operation.kind, operation.status, operation.attempts, operation.max_attempts],
      ["document_extract", "awaiting_upload", 0, 5],
    );
    deepStrictEqual(await getAsset(server, id), source_asset);
    const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "memory.example" };
    const other = await server.call("POST", "/v1/document-uploads", {
      body: description(FILE),
      headers: { ...freshKey(), ...proxied },
    });
    match(
      other.json.upload.url,
      /^https:\/\/memory\.example\/v1\//,
      "uses the address of the proxy",
    );
  });
});

Deno.test("POST /v1/document-uploads rejects a file that can't become a document", async () => {
  await withServer(async (server) => {
    const reply = await server.call("POST", "/v1/document-uploads", {
      body: description({ ...FILE, fields: { content_type: "video/mp4" } }),
      headers: freshKey(),
    });
    refused(reply, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE");
    const unkeyed = await server.call("POST", "/v1/document-uploads", { body: description(FILE) });
    refused(unkeyed, 400, "IDEMPOTENCY_KEY_REQUIRED");
  });
});

Deno.test("POST /v1/document-uploads returns the same upload for a repeated idempotency key", async () => {
  await withServer(async (server) => {
    const headers = freshKey();
    const send = (fields = {}) =>
      server.call("POST", "/v1/document-uploads", {
        body: description({ ...FILE, fields }),
        headers,
      });
    const [first, repeated] = [await send(), await send()];
    deepStrictEqual(repeated.json, first.json);
    strictEqual(repeated.headers.get("idempotency-replayed"), "true");
    refused(await send({ title: "Other" }), 409, "IDEMPOTENCY_CONFLICT");
  });
});

Deno.test("PUT /v1/document-uploads/{id}/content reports wrong bytes, and accepts the right ones later", async () => {
  await withServer(async (server) => {
    const { source_asset: { id } } = await announce(server, FILE);
    const early = await complete(server, id);
    refused(early, 409, "DOCUMENT_UPLOAD_INCOMPLETE");
    refused(await put(server, id, FILE, "Tea"), 409, "DOCUMENT_UPLOAD_SIZE_MISMATCH");
    refused(await put(server, id, FILE, ""), 409, "DOCUMENT_UPLOAD_SIZE_MISMATCH");
    const longer = new Uint8Array(1_000_000);
    refused(await put(server, id, FILE, longer), 409, "DOCUMENT_UPLOAD_SIZE_MISMATCH");
    refused(await put(server, id, FILE, SAME_LENGTH), 409, "DOCUMENT_UPLOAD_CHECKSUM_MISMATCH");
    strictEqual((await getAsset(server, id)).status, "awaiting_upload");
    deepStrictEqual(listFiles(server.directory), []);
    strictEqual((await put(server, id, FILE)).status, 204);
    strictEqual((await getAsset(server, id)).status, "uploaded");
    strictEqual(listFiles(server.directory).length, 1);
  });
});

Deno.test("PUT /v1/document-uploads/{id}/content accepts the same bytes again, but no others", async () => {
  await withServer(async (server) => {
    const undeclared = { ...FILE, fields: { checksum_sha256: null } };
    const { id, operation } = await uploadFile(server, undeclared);
    strictEqual((await put(server, id, FILE)).status, 204);
    refused(await put(server, id, FILE, "Tea"), 409, "DOCUMENT_UPLOAD_SIZE_MISMATCH");
    refused(await put(server, id, FILE, SAME_LENGTH), 409, "DOCUMENT_UPLOAD_IMMUTABLE");
    strictEqual((await getAsset(server, id)).checksum_sha256, sha256(FILE.bytes));

    const declared = await uploadFile(server, FILE);
    const other = await put(server, declared.id, FILE, SAME_LENGTH);
    refused(other, 409, "DOCUMENT_UPLOAD_CHECKSUM_MISMATCH");

    const accepted = await complete(server, id);
    strictEqual(accepted.status, 202);
    strictEqual(accepted.json.operation.id, operation);
    for (const bytes of ["Tea", SAME_LENGTH]) {
      refused(await put(server, id, FILE, bytes), 409, "DOCUMENT_UPLOAD_IMMUTABLE");
    }
    strictEqual((await put(server, id, FILE)).status, 204);
  });
});

Deno.test("POST /v1/document-uploads/{id}/complete can be repeated, both before and after the extraction", async () => {
  await withServer(async (server) => {
    const { id } = await uploadFile(server, FILE);
    const first = await complete(server, id);
    strictEqual(first.status, 202);
    strictEqual(first.json.source_asset.status, "queued");
    strictEqual(first.json.operation.status, "pending");
    strictEqual((await complete(server, id)).status, 202);
    const done = await extractFile(server, FILE);
    const again = await complete(server, done.id);
    deepStrictEqual(
      [again.status, again.json.source_asset.status, again.json.operation.status],
      [202, "ready", "success"],
    );
    refused(await put(server, done.id, FILE, SAME_LENGTH), 409, "DOCUMENT_UPLOAD_IMMUTABLE");
    const kept = await server.call("DELETE", `/v1/document-uploads/${done.id}`);
    refused(kept, 409, "SOURCE_ASSET_READY");
  });
});

Deno.test("DELETE /v1/document-uploads/{id} removes the bytes and cancels the operation", async () => {
  await withServer(async (server) => {
    const waiting = await announce(server, FILE);
    const sent = await uploadFile(server, { bytes: bytesOf("Nobody will read this") });
    const ids = [
      { id: waiting.source_asset.id, operation: waiting.operation.id },
      sent,
    ];
    for (const { id, operation } of ids) {
      const path = `/v1/document-uploads/${id}`;
      strictEqual((await server.call("DELETE", path)).status, 204);
      for (const reply of [await server.call("GET", path), await server.call("DELETE", path)]) {
        refused(reply, 404, "DOCUMENT_UPLOAD_NOT_FOUND");
      }
      refused(await put(server, id, FILE), 404, "DOCUMENT_UPLOAD_NOT_FOUND");
      refused(await complete(server, id), 404, "DOCUMENT_UPLOAD_NOT_FOUND");
      const task = await server.call("GET", `/v1/operations/${operation}`);
      strictEqual(task.json.status, "cancelled");
      const retried = await server.call("POST", `/v1/operations/${operation}/retry`);
      refused(retried, 404, "OPERATION_NOT_RETRYABLE");
    }
    deepStrictEqual(listFiles(server.directory), []);
  });
});

Deno.test("DELETE /v1/document-uploads/{id} keeps bytes that are shared with a different upload", async () => {
  await withServer(async (server) => {
    const [first, second] = [await uploadFile(server, FILE), await uploadFile(server, FILE)];
    await server.call("DELETE", `/v1/document-uploads/${first.id}`);
    strictEqual(listFiles(server.directory).length, 1);
    await server.call("DELETE", `/v1/document-uploads/${second.id}`);
    deepStrictEqual(listFiles(server.directory), []);
  });
});

Deno.test("Uploads in a different project return the same errors as unknown ones", async () => {
  await withServer(async (server) => {
    const { id } = await uploadFile(server, FILE);
    const key = await server.createKey("elsewhere");
    const unknown = `asset_${"0".repeat(26)}`;
    const send = (method: string, tail: string, of: string) =>
      server.call(method, `/v1/document-uploads/${of}${tail}`, {
        key,
        ...(method === "PUT" ? { raw: FILE.bytes } : {}),
      });
    const steps = [["GET", ""], ["PUT", "/content"], ["POST", "/complete"], ["DELETE", ""]];
    for (const [method, tail] of steps) {
      const [theirs, none] = [await send(method!, tail!, id), await send(method!, tail!, unknown)];
      refused(theirs, 404, "DOCUMENT_UPLOAD_NOT_FOUND");
      refused(none, 404, "DOCUMENT_UPLOAD_NOT_FOUND");
      strictEqual(theirs.json.message.replace(id, ""), none.json.message.replace(unknown, ""));
    }
    strictEqual((await getAsset(server, id)).status, "uploaded");
  });
});

/** Sends the headers of a PUT. The test sends the body itself. */
async function openPut(
  server: TestServer,
  id: string,
  headers: string,
): Promise<RawHttpConnection> {
  const wire = await RawHttpConnection.open(server.url);
  await wire.send(
    `PUT /v1/document-uploads/${id}/content HTTP/1.1\r\nhost: localhost\r\n` +
      `authorization: Bearer ${server.key}\r\n${headers}\r\n\r\n`,
  );
  return wire;
}

Deno.test("PUT /v1/document-uploads/{id}/content leaves nothing behind if the declared length is wrong", async () => {
  await withServer(async (server) => {
    const { source_asset: { id } } = await announce(server, FILE);
    using tooLarge = await openPut(server, id, "content-length: 25000001");
    const reply = await tooLarge.reply();
    strictEqual(reply.status, 413);
    ok(reply.text.includes("DOCUMENT_UPLOAD_TOO_LARGE"), reply.text);
    {
      using broken = await openPut(server, id, `content-length: ${FILE.bytes.length}`);
      await broken.send("Tea");
    }
    using longer = await openPut(server, id, "transfer-encoding: chunked");
    await longer.send(`ffff\r\n${"x".repeat(0xffff)}\r\n`);
    // The response arrives even though the body never ends.
    const response = await longer.reply();
    strictEqual(response.status, 409);
    ok(response.text.includes("DOCUMENT_UPLOAD_SIZE_MISMATCH"), response.text);
    strictEqual((await getAsset(server, id)).status, "awaiting_upload");
    strictEqual((await put(server, id, FILE)).status, 204);
    // Nothing waits for the end of the request whose connection broke.
    const files = () => Promise.resolve(listFiles(server.directory));
    await waitUntil(files, ({ length }) => length === 1);
  });
});

Deno.test("PUT /v1/document-uploads/{id}/content stores only one of two files that are sent at the same time", async () => {
  await withServer(async (server) => {
    const undeclared = { ...FILE, fields: { checksum_sha256: null } };
    const { source_asset: { id } } = await announce(server, undeclared);
    const replies = await Promise.all([
      put(server, id, FILE),
      put(server, id, FILE, SAME_LENGTH),
      put(server, id, FILE),
      put(server, id, FILE, SAME_LENGTH),
    ]);
    const codes = replies.map(({ status }) => status).sort();
    deepStrictEqual(codes, [204, 204, 409, 409]);
    strictEqual(listFiles(server.directory).length, 1);
  });
});
