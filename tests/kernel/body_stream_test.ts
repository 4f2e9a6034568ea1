/** Request bodies: a large file arrives through one buffer. */

import { ok, strictEqual } from "node:assert/strict";
import { importBytes } from "../../src/kernel/http/body_stream.ts";

Deno.test("importBytes() reads the body of a request through one buffer", async () => {
  const text = Array.from({ length: 300_000 }, (_, n) => `line ${n}\n`).join("");
  let received = "";
  const buffers = new Set<ArrayBufferLike>();
  const decoder = new TextDecoder();
  const sizes: number[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    for await (const bytes of importBytes(request.body, text.length)) {
      received += decoder.decode(bytes, { stream: true });
      buffers.add(bytes.buffer);
      sizes.push(bytes.buffer.byteLength);
    }
    // A buffer that was handed back to be filled again is detached.
    ok([...buffers].filter(({ byteLength }) => byteLength > 0).length <= 1);
    return new Response();
  });
  try {
    const { port } = server.addr;
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: text });
    strictEqual(response.status, 200, await response.text());
    ok(sizes.length > 10, "the body arrives in many chunks");
    ok(received === text);
  } finally {
    await server.shutdown();
  }
});
