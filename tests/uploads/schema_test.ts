/** Tests which uploads can become documents. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createBody } from "../../src/uploads/schema.ts";
import { refusalOf } from "../../testing/schemas.ts";
import { bytesOf, description } from "./files.ts";

const FILE = { bytes: bytesOf("Tea is served at four.") };

const REFUSED: readonly (readonly [
  what: string,
  fields: Readonly<Record<string, unknown>>,
  status: number,
  code: string,
])[] = [
  ["no filename", { filename: undefined }, 400, "INVALID_REQUEST"],
  ["a blank filename", { filename: " " }, 400, "INVALID_REQUEST"],
  ["a blank title", { title: "\n" }, 400, "INVALID_REQUEST"],
  ["a blank source key", { source_key: "" }, 400, "INVALID_REQUEST"],
  ["no scope", { user_id: undefined }, 400, "INVALID_REQUEST"],
  ["no size", { size_bytes: undefined }, 400, "INVALID_REQUEST"],
  ["size 0", { size_bytes: 0 }, 400, "INVALID_REQUEST"],
  ["a negative size", { size_bytes: -1 }, 400, "INVALID_REQUEST"],
  ["half a byte", { size_bytes: 1.5 }, 400, "INVALID_REQUEST"],
  ["a size as text", { size_bytes: "12" }, 400, "INVALID_REQUEST"],
  ["one byte too many", { size_bytes: 25_000_001 }, 413, "DOCUMENT_UPLOAD_TOO_LARGE"],
  ["a size of 1e300", { size_bytes: 1e300 }, 413, "DOCUMENT_UPLOAD_TOO_LARGE"],
  ["a checksum with other digits", { checksum_sha256: "g".repeat(64) }, 400, "INVALID_REQUEST"],
  ["a short checksum", { checksum_sha256: "ab" }, 400, "INVALID_REQUEST"],
  ["a list as metadata", { metadata: [] }, 400, "INVALID_DOCUMENT_METADATA"],
  ["video", { content_type: "video/mp4" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  ["audio", { content_type: "audio/mpeg" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  [
    "bytes of an unknown type",
    { content_type: "application/octet-stream" },
    415,
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
  ],
  ["an archive", { content_type: "application/zip" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  ["an empty type", { content_type: "" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  [
    "a type that breaks a header",
    { content_type: "text/plain;\r\nx: y" },
    415,
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
  ],
];

for (const [what, fields, status, code] of REFUSED) {
  Deno.test(`createBody reports ${code} for ${what}`, () => {
    const refused = refusalOf(createBody, description({ ...FILE, fields }));
    deepStrictEqual([refused?.status, refused?.code], [status, code]);
  });
}

Deno.test("createBody accepts a file of 25,000,000 bytes, and a checksum in upper or lower case", () => {
  const checksum_sha256 = "AB".repeat(32);
  const fields = { size_bytes: 25_000_000, checksum_sha256 };
  const body = createBody.parse(description({ ...FILE, fields }));
  deepStrictEqual(
    [body.size_bytes, body.checksum_sha256],
    [25_000_000, checksum_sha256.toLowerCase()],
  );
  strictEqual(refusalOf(createBody, description(FILE)), null);
});
