/** Tests successful extractions: files of every kind, and the results of their operations. */

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { basename } from "node:path";
import * as xlsx from "@e965/xlsx";
import { sha256 } from "../../src/kernel/hash.ts";
import { hashInName } from "../../src/store/blobs/blobs.ts";
import { docx, pdf, scan } from "../../testing/extraction_fixtures.ts";
import { withServer } from "../../testing/harness.ts";
import { bytesOf, extractFile, getAsset, listFiles, type TestFile } from "./files.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const FILES: readonly { kind: string; word: string; pages: number | null; file: TestFile }[] = [
  {
    kind: "text",
    word: "quokka",
    pages: null,
    file: {
      bytes: bytesOf("The quokka lives on Rottnest Island.\n"),
      fields: { metadata: { shelf: 3 }, title: "Quokkas", source_key: "zoo/quokka" },
    },
  },
  {
    kind: "DOCX",
    word: "axolotl",
    pages: 1,
    file: {
      bytes: docx("<w:p><w:r><w:t>The axolotl stays young</w:t></w:r></w:p>") as Bytes,
      fields: { filename: "axolotl.docx", content_type: WORD },
    },
  },
  {
    kind: "PDF",
    word: "pangolin",
    pages: 2,
    file: {
      bytes: pdf([[{ x: 72, y: 700, text: "The pangolin rolls itself up" }], []]) as Bytes,
      fields: { filename: "pangolin.pdf", content_type: "application/pdf" },
    },
  },
  {
    kind: "XLSX",
    word: "dugong",
    pages: 1,
    file: {
      bytes: workbook([["Animal", "Weight"], ["dugong", 420]]),
      fields: {
        filename: "weights.xlsx",
        content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      },
    },
  },
  {
    kind: "e-mail",
    word: "numbat",
    pages: null,
    file: {
      bytes: bytesOf("From: a@b.example\r\nSubject: Seen\r\n\r\nA numbat ate our termites.\r\n"),
      fields: { filename: "seen.eml", content_type: "message/rfc822" },
    },
  },
  {
    kind: "scanned",
    word: "capybara",
    pages: 1,
    file: {
      // Rotated by 90 degrees, as if placed on the scanner that way.
      bytes: await scan("Yesterday a capybara crossed the harbour road", 1) as Bytes,
      fields: { filename: "scan.png", content_type: "image/png" },
    },
  },
];

function workbook(rows: readonly (readonly (string | number)[])[]): Bytes {
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows.map((row) => [...row])), "Sheet");
  return new Uint8Array(xlsx.write(book, { type: "array", bookType: "xlsx" }));
}

for (const { kind, word, pages, file } of FILES) {
  Deno.test(`document_extract turns a file into a searchable document: ${kind}`, async () => {
    await withServer(async (server) => {
      const { id, operation } = await extractFile(server, file);
      strictEqual(operation.status, "success", JSON.stringify(operation.error));
      const asset = await getAsset(server, id);
      strictEqual(asset.status, "ready");
      strictEqual(asset.checksum_sha256, sha256(file.bytes));
      const { result } = operation;
      deepStrictEqual(result.source_asset, {
        id,
        status: "ready",
        document_id: asset.document_id,
      });
      deepStrictEqual(Object.keys(result.artifact).sort(), [
        "extractor",
        "extractor_version",
        "id",
        "page_count",
      ]);
      match(result.artifact.id, /^artifact_/);
      strictEqual(result.artifact.id, asset.artifact_id);
      strictEqual(result.artifact.page_count, pages);
      deepStrictEqual(result.document, { id: asset.document_id, source_key: asset.source_key });
      deepStrictEqual([result.chunks, result.created], [1, true]);
      deepStrictEqual(result.retrieval, { status: "propagating", visibility_target_ms: 120_000 });

      const document = await server.call("GET", `/v1/documents/${asset.document_id}`);
      strictEqual(document.json.mime_type, file.fields?.["content_type"] ?? "text/plain");
      strictEqual(document.json.title, file.fields?.["title"] ?? asset.filename);
      strictEqual(document.json.source_key, file.fields?.["source_key"] ?? asset.filename);
      deepStrictEqual(document.json.metadata, file.fields?.["metadata"] ?? {});
      const content = await server.call("GET", `/v1/documents/${asset.document_id}/content`);
      ok(content.json.content.includes(word));
      strictEqual(document.json.content_hash, sha256(content.json.content));
      const found = await server.call("POST", "/v1/documents/search", {
        body: { query: word, user_id: "ana" },
      });
      strictEqual(found.json.results[0].document.id, asset.document_id);
      // The original and the Markdown, named after their hashes, and nothing else.
      deepStrictEqual(
        new Set(listFiles(server.directory).map((name) => hashInName(basename(name)))),
        new Set([sha256(file.bytes), content.json.content_hash]),
      );
    });
  });
}

Deno.test("document_extract doesn't create a version for a file that is already the head", async () => {
  await withServer(async (server) => {
    const file = { bytes: bytesOf("Twice told tales") };
    const first = await extractFile(server, file);
    const second = await extractFile(server, file);
    strictEqual(second.operation.result.created, false);
    strictEqual(second.operation.result.document.id, first.operation.result.document.id);
  });
});

Deno.test("DELETE /v1/documents/{id} removes all uploads for the source and their files", async () => {
  await withServer(async (server) => {
    const fields = { source_key: "family" };
    const first = await extractFile(server, { bytes: bytesOf("The first version"), fields });
    const second = await extractFile(server, { bytes: bytesOf("The second version"), fields });
    const other = await extractFile(server, { bytes: bytesOf("Of another family") });
    const { document } = second.operation.result;
    const deleted = await server.call("DELETE", `/v1/documents/${document.id}`);
    strictEqual(deleted.status, 200);
    for (const { id } of [first, second]) {
      const removed = await server.call("GET", `/v1/document-uploads/${id}`);
      deepStrictEqual([removed.status, removed.json.code], [404, "DOCUMENT_UPLOAD_NOT_FOUND"]);
    }
    strictEqual((await getAsset(server, other.id)).status, "ready");
    // The original, plus the Markdown with its final line feed.
    strictEqual(listFiles(server.directory).length, 2);
    const operation = await server.call("GET", `/v1/operations/${first.operation.id}`);
    strictEqual(operation.json.status, "success");
  });
});

Deno.test("document_extract stores a file of nearly a megabyte with all of its chunks", async () => {
  await withServer(async (server) => {
    const lines = Array.from(
      { length: 11_000 },
      (_, n) => `Entry ${n}: the log of a quiet night at sea.\n\n`,
    );
    const { operation } = await extractFile(server, { bytes: bytesOf(lines.join("")) });
    strictEqual(operation.status, "success", JSON.stringify(operation.error));
    ok(operation.result.chunks > 100);
    const body = { query: "entry 10999", user_id: "ana" };
    const found = await server.call("POST", "/v1/documents/search", { body });
    strictEqual(found.json.results[0].document.id, operation.result.document.id);
  });
});
