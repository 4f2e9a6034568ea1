/** Tests failed extractions: codes, final errors, retries and stored artifacts. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { addTrigger, FAILURE } from "../../testing/engine.ts";
import { docx, pdf, zip } from "../../testing/extraction_fixtures.ts";
import { withServer } from "../../testing/harness.ts";
import {
  bytesOf,
  complete,
  extractFile,
  getAsset,
  listFiles,
  type TestFile,
  uploadFile,
  waitForOperation,
} from "./files.ts";
import { waitUntil } from "../../testing/wait_until.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const typed = (bytes: Uint8Array, content_type: string): TestFile => ({
  bytes: bytes as Uint8Array<ArrayBuffer>,
  fields: { content_type },
});
const page = [{ x: 72, y: 700, text: "A page" }];

const PERMANENT: readonly (readonly [string, TestFile, string])[] = [
  ["NUL in a text", typed(bytesOf("a\0b".repeat(9)), "text/plain"), "DOCUMENT_CORRUPT"],
  [
    "a table of 8 MB",
    typed(bytesOf("x,y,z\n".repeat(1_300_000)), "text/csv"),
    "EXTRACTED_DOCUMENT_TOO_LARGE",
  ],
  ["a broken PDF", typed(bytesOf("%PDF-1.4 broken"), "application/pdf"), "DOCUMENT_CORRUPT"],
  ["a PDF as text", typed(pdf([page]), "text/plain"), "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  [
    "a DOCX as a workbook",
    typed(docx("<w:p/>"), EXCEL),
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
  ],
  [
    "an archive as a DOCX",
    typed(zip({ "a.txt": "a" }), WORD),
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
  ],
  ["an empty document", typed(docx("<w:p/>"), WORD), "EXTRACTED_DOCUMENT_EMPTY"],
  ["only white space", typed(bytesOf(" \n \n"), "text/plain"), "EXTRACTED_DOCUMENT_EMPTY"],
  [
    "more text than a document may have",
    typed(bytesOf("words ".repeat(170_000)), "text/plain"),
    "EXTRACTED_DOCUMENT_TOO_LARGE",
  ],
  [
    "more pages than a file may have",
    typed(pdf(Array.from({ length: 301 }, () => page)), "application/pdf"),
    "DOCUMENT_PAGE_LIMIT_EXCEEDED",
  ],
];

Deno.test("document_extract ends after the first attempt if no further attempt can succeed", async () => {
  await withServer(async (server) => {
    for (const [what, file, code] of PERMANENT) {
      const { id, operation } = await extractFile(server, file);
      deepStrictEqual([operation.status, operation.error?.code], ["dead", code], what);
      deepStrictEqual([operation.attempts, operation.error.retryable], [1, false], what);
      const asset = await getAsset(server, id);
      deepStrictEqual([asset.status, asset.error], ["failed", operation.error], what);
      deepStrictEqual(Object.keys(asset.error).sort(), [
        "attempt",
        "code",
        "message",
        "occurred_at",
        "retryable",
      ]);
      deepStrictEqual(
        listFiles(server.directory).filter((name) => name.startsWith("extraction")),
        [],
        what,
      );
      strictEqual((await server.call("DELETE", `/v1/document-uploads/${id}`)).status, 204);
      deepStrictEqual(listFiles(server.directory), [], what);
    }
    const documents = await server.call("GET", "/v1/documents");
    deepStrictEqual(documents.json.results, []);
  });
});

Deno.test("POST /v1/operations/{id}/retry extracts a failed upload again from its stored bytes", async () => {
  await withServer(async (server) => {
    const { id, operation } = await extractFile(
      server,
      typed(bytesOf("%PDF-1.4 x"), "application/pdf"),
    );
    const retried = await server.call("POST", `/v1/operations/${operation.id}/retry`);
    deepStrictEqual([retried.status, retried.json.status, retried.json.attempts], [
      202,
      "pending",
      0,
    ]);
    strictEqual(retried.json.error, null);
    const repeated = await waitForOperation(server, operation.id);
    deepStrictEqual([repeated.status, repeated.attempts], ["dead", 1]);
    ok(repeated.error.occurred_at > operation.error.occurred_at);
    strictEqual((await getAsset(server, id)).status, "failed");
  });
});

Deno.test(
  "document_extract keeps the artifact from a failed attempt for the next one",
  async () => {
    await withServer(async (server) => {
      const file = { bytes: bytesOf("Written only at the second attempt") };
      // As long as this trigger exists, the document can't be written.
      const event = "before insert on document_versions for each row";
      const removeTrigger = await addTrigger(server.directory, event, FAILURE);
      const { id, operation } = await extractFile(server, file);
      deepStrictEqual([operation.status, operation.error.code], ["retry", "INTERNAL_ERROR"]);
      ok(operation.next_attempt_at > operation.error.occurred_at);
      const failed = await getAsset(server, id);
      deepStrictEqual([failed.status, failed.error], ["failed", operation.error]);
      match(failed.artifact_id, /^artifact_/);
      await removeTrigger();
      await server.call("POST", `/v1/operations/${operation.id}/retry`);
      const done = await waitUntil(
        () => server.call("GET", `/v1/operations/${operation.id}`),
        ({ json }) => json.status === "success",
      );
      strictEqual(done.json.result.artifact.id, failed.artifact_id);
      const ready = await getAsset(server, id);
      deepStrictEqual([ready.status, ready.error], ["ready", null]);
    });
  },
);

Deno.test("DELETE /v1/document-uploads/{id} returns SOURCE_ASSET_BUSY during the extraction", async () => {
  await withServer(async (server) => {
    const lines = (n: number) => [{ x: 72, y: 300 + n % 40 * 9, text: `The ${lettersOf(n)} log` }];
    const book = typed(pdf(Array.from({ length: 250 }, (_, n) => lines(n))), "application/pdf");
    const { id, operation } = await uploadFile(server, book);
    await complete(server, id);
    await waitUntil(() => getAsset(server, id), ({ status }) => status === "processing");
    const busy = await server.call("DELETE", `/v1/document-uploads/${id}`);
    deepStrictEqual([busy.status, busy.json.code], [409, "SOURCE_ASSET_BUSY"]);
    strictEqual((await waitForOperation(server, operation)).status, "success");
    const ready = await server.call("DELETE", `/v1/document-uploads/${id}`);
    deepStrictEqual([ready.status, ready.json.code], [409, "SOURCE_ASSET_READY"]);
  });
});

/** Returns two letters for a number, so that no two pages are the same. */
function lettersOf(n: number): string {
  return String.fromCharCode(97 + n % 26, 97 + n / 26);
}
