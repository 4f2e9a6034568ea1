/** Tests uploads in the desktop variant, which has no extractor and only accepts text. */

import { strictEqual } from "node:assert/strict";
import { withServer } from "../../testing/harness.ts";
import { announce, bytesOf, description, extractFile, freshKey } from "./files.ts";

const DESKTOP = { variant: "desktop" } as const;

const REFUSED = [
  "application/pdf",
  "image/png",
  "message/rfc822",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain; charset=iso-8859-1",
];

Deno.test("POST /v1/document-uploads in the desktop variant rejects any file other than UTF-8 text", async () => {
  await withServer(async (server) => {
    for (const content_type of REFUSED) {
      const refused = await server.call("POST", "/v1/document-uploads", {
        body: description({ bytes: bytesOf("x"), fields: { content_type } }),
        headers: freshKey(),
      });
      strictEqual(refused.status, 415, content_type);
      strictEqual(refused.json.code, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE");
    }
    for (const content_type of ["text/plain; charset=UTF-8", "application/json", "text/html"]) {
      const fields = { content_type };
      strictEqual((await announce(server, { bytes: bytesOf("x"), fields })).upload.method, "PUT");
    }
  }, DESKTOP);
});

Deno.test("document_extract in the desktop variant stores a text unchanged", async () => {
  await withServer(async (server) => {
    const html = "<h1>Tides</h1>\r\n<p>High water at nine.</p>\n";
    const fields = { content_type: "text/html", filename: "tides.html" };
    const { operation } = await extractFile(server, { bytes: bytesOf(html), fields });
    strictEqual(operation.status, "success");
    const content = await server.call(
      "GET",
      `/v1/documents/${operation.result.document.id}/content`,
    );
    strictEqual(content.json.content, html);
    const found = await server.call("POST", "/v1/documents/search", {
      body: { query: "high water", user_id: "ana" },
    });
    strictEqual(found.json.results.length, 1);
    const corrupt = await extractFile(server, { bytes: new Uint8Array([0xe9, 0x74, 0xe9]) });
    strictEqual(corrupt.operation.status, "dead");
    strictEqual(corrupt.operation.error.code, "DOCUMENT_CORRUPT");
  }, DESKTOP);
});
