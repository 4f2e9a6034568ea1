/** Tests for the document schemas: content, media types and searches. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ingestBody, searchBody } from "../../src/documents/schema.ts";
import { refusalOf } from "../../testing/schemas.ts";

const REFUSED: readonly (readonly [
  when: string,
  body: Readonly<Record<string, unknown>>,
  status: number,
  code: string,
])[] = [
  ["no content", { content: undefined }, 400, "INVALID_REQUEST"],
  ["empty content", { content: "" }, 400, "INVALID_REQUEST"],
  ["blank content", { content: " \n\t" }, 400, "INVALID_REQUEST"],
  ["no scope", { user_id: undefined }, 400, "INVALID_REQUEST"],
  ["blank scope", { user_id: " " }, 400, "INVALID_REQUEST"],
  ["NUL", { content: "x\0" }, 400, "INVALID_REQUEST"],
  ["a lone surrogate", { content: "x\ud800" }, 400, "INVALID_UTF8"],
  ["blank title", { title: " " }, 400, "INVALID_REQUEST"],
  ["long key", { source_key: "k".repeat(513) }, 400, "INVALID_REQUEST"],
  ["a list as metadata", { metadata: [] }, 400, "INVALID_DOCUMENT_METADATA"],
  ["null as metadata", { metadata: null }, 400, "INVALID_DOCUMENT_METADATA"],
  [
    "deep metadata",
    { metadata: JSON.parse('{"a":'.repeat(9) + "1" + "}".repeat(9)) },
    400,
    "INVALID_REQUEST",
  ],
  ["a PDF", { mime_type: "application/pdf" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  ["no type", { mime_type: "" }, 415, "UNSUPPORTED_DOCUMENT_MEDIA_TYPE"],
  [
    "a type that is too long to be one",
    { mime_type: `text/${"x".repeat(128)}` },
    415,
    "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
  ],
  ["one byte too many", { content: "a".repeat(1_000_001) }, 413, "DOCUMENT_TOO_LARGE"],
  ["bytes, not characters", { content: "\u00e9".repeat(500_001) }, 413, "DOCUMENT_TOO_LARGE"],
];

for (const [when, body, status, code] of REFUSED) {
  Deno.test(`ingestBody reports ${code} for ${when}`, () => {
    const refused = refusalOf(ingestBody, { content: "x", user_id: "a", ...body });
    deepStrictEqual([refused?.status, refused?.code], [status, code]);
  });
}

Deno.test("ingestBody accepts a million bytes", () => {
  for (const content of ["a".repeat(1_000_000), "\u00e9".repeat(500_000)]) {
    strictEqual(refusalOf(ingestBody, { content, user_id: "a" }), null);
  }
});

Deno.test("ingestBody accepts text, JSON and XML of every kind, YAML and TOML", () => {
  const types = [
    ...["text/plain", "text/x-python", "text/vnd.a!b", "TEXT/HTML; charset=utf-8"],
    ...["application/json", "application/ld+json", "application/vnd.a$b.v1+json"],
    ...["application/xml", "application/atom+xml", "application/yaml", "application/x-yaml"],
    "application/toml",
  ];
  for (const mime_type of types) {
    const body = ingestBody.parse({ content: "a: 1", user_id: "a", mime_type });
    strictEqual(body.mime_type, mime_type.split(";")[0]!.toLowerCase());
  }
});

Deno.test("searchBody rejects empty and overlong queries, and numbers that are out of range", () => {
  const filters = { title: "Teas" };
  strictEqual(refusalOf(searchBody, { query: "tea", limit: 20, neighbors: 2 }), null);
  strictEqual(refusalOf(searchBody, { query: "tea", limit: 50, filters }), null);
  const wrong = [
    { query: "" },
    { query: "x".repeat(8_001) },
    { limit: 0 },
    { limit: 21 },
    { limit: 51, filters },
    { neighbors: 3 },
    { source_key: " " },
  ];
  for (const body of wrong) {
    const refused = refusalOf(searchBody, { query: "tea", ...body });
    strictEqual(refused?.code, "INVALID_REQUEST", JSON.stringify(body).slice(0, 40));
  }
});
