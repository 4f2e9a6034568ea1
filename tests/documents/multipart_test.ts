/** Tests for POST /v1/documents with a form: limits, rejected forms, and streams. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type TestServer, withServer } from "../../testing/harness.ts";
import { ingestFile } from "./documents.ts";

const file = (content: BlobPart, type = "text/plain", name = "a.txt") =>
  new File([content], name, { type });

/** Sends a body unchanged. */
function raw(server: TestServer, body: BodyInit, type = "multipart/form-data; boundary=B") {
  return server.call("POST", "/v1/documents", { raw: body, headers: { "content-type": type } });
}

const PART = (name: string, content: string, more = "") =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
const FILE = (content = "text") => PART("file", content, '; filename="f.txt"');
const END = "--B--\r\n";
const ANA = PART("user_id", "ana");

Deno.test("POST /v1/documents reports why it rejects a form, and stores nothing", async (t) => {
  await withServer(async (server) => {
    const refused = (
      when: string,
      status: number,
      code: string,
      run: () => ReturnType<typeof ingestFile>,
    ) =>
      t.step(when, async () => {
        const reply = await run();
        deepStrictEqual([reply.status, reply.json.code], [status, code], reply.text);
      });
    await refused("no file", 400, "DOCUMENT_FILE_REQUIRED", () => raw(server, ANA + END));
    await refused("no scope", 400, "INVALID_REQUEST", () => ingestFile(server, file("x"), {}));
    const tooLarge = () => ingestFile(server, file("a".repeat(12_000_000)));
    await refused("a declared length over the limit", 413, "DOCUMENT_TOO_LARGE", tooLarge);
    await t.step("a part or a body is too large", async () => {
      const part = await ingestFile(server, file("a".repeat(1_000_001)));
      deepStrictEqual([part.json.message, part.json.details], [
        "A part of the form is larger than 1000000 bytes",
        { limit: 1_000_000 },
      ]);
      const text = PART("x", "a".repeat(700_000));
      const whole = await raw(server, new Blob([text + text + END]).stream());
      deepStrictEqual([whole.json.message, whole.json.details], [
        "The request body is larger than 1262144 bytes",
        { limit: 1_262_144 },
      ]);
    });
    const endless = () => raw(server, longStream());
    await refused("a stream without a declared length", 413, "DOCUMENT_TOO_LARGE", endless);
    const urlencoded = () => raw(server, "a=b", "application/x-www-form-urlencoded");
    await refused("another kind of form", 415, "UNSUPPORTED_MEDIA_TYPE", urlencoded);
    await t.step("nothing was stored", async () => {
      strictEqual((await server.call("GET", "/v1/documents")).json.results.length, 0);
    });
  });
});

Deno.test("POST /v1/documents stores the file in a form, even if it arrives byte by byte", async () => {
  await withServer(async (server) => {
    const drip = new TextEncoder().encode(`${FILE("drip")}${ANA}${END}more`);
    const bytes = ReadableStream.from(drip.values().map((byte) => Uint8Array.of(byte)));
    const million = "a".repeat(1_000_000);
    const stored = [
      [await raw(server, bytes), "drip", "f.txt"],
      [await ingestFile(server, file(million)), million, "a.txt"],
      [await ingestFile(server, file("x", "text/plain", '\u00e9 "b".txt')), "x", '\u00e9 "b".txt'],
    ] as const;
    for (const [reply, content, source_key] of stored) {
      strictEqual(reply.status, 200, reply.text);
      const { document } = reply.json;
      strictEqual(document.source_key, source_key);
      const read = await server.call("GET", `/v1/documents/${document.id}/content`);
      strictEqual(read.json.content, content);
    }
  });
});

function longStream(): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode("a".repeat(65_536));
  let first = true;
  let left = 200;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(first ? new TextEncoder().encode(FILE("").slice(0, -2)) : piece);
      first = false;
      // We end the stream, since bytes the server doesn't read would keep the connection open.
      if (--left === 0) controller.close();
    },
  });
}
