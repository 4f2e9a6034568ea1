/** Tests the document endpoints: ingest, list, get, content, chunks, search, delete. */

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { sha256 } from "../../src/kernel/hash.ts";
import type { TestServer } from "../../testing/harness.ts";
import { endpointTable } from "./table.ts";

const CONTENT = "# Oboes\n\nAna tunes her oboe to the concert pitch.\n";
const NOT_FOUND = { status: 404, code: "DOCUMENT_NOT_FOUND" };
const INVALID = { status: 400, code: "INVALID_REQUEST" };

interface Guide {
  readonly id: string;
}

/** Adds a document each for Ana and Bo. Returns the id of Ana's. */
async function addGuides(server: TestServer): Promise<Guide> {
  const ingest = async (source_key: string, user_id: string, content: string) => {
    const body = { source_key, user_id, content, mime_type: "text/markdown", title: source_key };
    const reply = await server.call("POST", "/v1/documents", { body });
    return reply.json.document.id as string;
  };
  await ingest("drums", "bo", "Bo beats the drum.");
  return { id: await ingest("oboes", "ana", CONTENT) };
}

const ingest = (fields: Readonly<Record<string, unknown>>) => () => ({
  method: "POST",
  path: "/v1/documents",
  body: { content: CONTENT, user_id: "ana", source_key: "oboes", ...fields },
});

endpointTable("POST /v1/documents", {
  permission: "memory:write",
  prepare: () => Promise.resolve({}),
  request: ingest({}),
  owner: {
    status: 200,
    check: ({ json }) => {
      strictEqual(json.created, true);
      strictEqual(json.document.content_hash, sha256(CONTENT));
    },
  },
  stranger: { status: 200, shows: ['"created":true'] },
  rows: [
    {
      when: "the same document again",
      request: ingest({}),
      status: 200,
      shows: ['"created":false'],
    },
    {
      when: "with a different title",
      request: ingest({ title: "Oboes" }),
      status: 200,
      shows: ['"created":true'],
    },
    { when: "without a scope", request: ingest({ user_id: undefined }), ...INVALID },
    { when: "without content", request: ingest({ content: undefined }), ...INVALID },
    { when: "with only white space", request: ingest({ content: " \n" }), ...INVALID },
    {
      when: "one byte over the limit",
      request: ingest({ content: "x".repeat(1_000_001) }),
      status: 413,
      code: "DOCUMENT_TOO_LARGE",
    },
    {
      when: "of a type that needs extraction",
      request: ingest({ mime_type: "application/pdf" }),
      status: 415,
      code: "UNSUPPORTED_DOCUMENT_MEDIA_TYPE",
    },
    {
      when: "with metadata that is not an object",
      request: ingest({ metadata: "loud" }),
      status: 400,
      code: "INVALID_DOCUMENT_METADATA",
    },
    {
      when: "a form without a file",
      request: () => {
        const raw = new FormData();
        raw.append("user_id", "ana");
        return { method: "POST", path: "/v1/documents", raw };
      },
      status: 400,
      code: "DOCUMENT_FILE_REQUIRED",
    },
  ],
});

const list = (query: string) => () => ({ method: "GET", path: `/v1/documents${query}` });

endpointTable("GET /v1/documents", {
  permission: "memory:read",
  prepare: addGuides,
  content: ["oboes", "drums"],
  request: list(""),
  owner: {
    status: 200,
    hides: ["concert pitch"],
    check: ({ json }) =>
      deepStrictEqual(
        json.results.map(({ source_key }: { source_key: string }) => source_key),
        ["oboes", "drums"],
      ),
  },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "for one user",
      request: list("?user_id=bo"),
      status: 200,
      shows: ["drums"],
      hides: ["oboes"],
    },
    {
      when: "from one source",
      request: list("?source_key=oboes"),
      status: 200,
      shows: ["oboes"],
      hides: ["drums"],
    },
    { when: "limit 101", request: list("?limit=101"), ...INVALID },
    { when: "an invalid cursor", request: list("?cursor=AAAA"), ...INVALID },
  ],
});

const readGuide = (rest: string) => ({ id }: Guide) => ({
  method: "GET",
  path: `/v1/documents/${id}${rest}`,
});

endpointTable("GET /v1/documents/{id}", {
  permission: "memory:read",
  prepare: addGuides,
  content: ["oboes"],
  request: readGuide(""),
  owner: { status: 200, shows: ['"source_key":"oboes"'], hides: ["concert pitch"] },
  stranger: NOT_FOUND,
  rows: [{ when: "an unknown id", request: readGuide("0"), ...NOT_FOUND }],
});

endpointTable("GET /v1/documents/{id}/content", {
  permission: "memory:read",
  prepare: addGuides,
  content: ["concert pitch"],
  request: readGuide("/content"),
  owner: {
    status: 200,
    check: ({ json }) => {
      strictEqual(json.content, CONTENT);
      strictEqual(json.content_hash, sha256(CONTENT));
    },
  },
  stranger: NOT_FOUND,
  rows: [{ when: "an unknown id", request: readGuide("0/content"), ...NOT_FOUND }],
});

endpointTable("GET /v1/documents/{id}/chunks", {
  permission: "memory:read",
  prepare: addGuides,
  content: ["concert pitch"],
  request: readGuide("/chunks"),
  owner: {
    status: 200,
    check: ({ json }) =>
      strictEqual(
        json.results.map(({ content }: { content: string }) => content).join(""),
        CONTENT,
      ),
  },
  stranger: NOT_FOUND,
  rows: [
    { when: "an unknown id", request: readGuide("0/chunks"), ...NOT_FOUND },
    { when: "limit 0", request: readGuide("/chunks?limit=0"), ...INVALID },
  ],
});

const search = (fields: Readonly<Record<string, unknown>>) => () => ({
  method: "POST",
  path: "/v1/documents/search",
  body: { query: "oboe pitch", ...fields },
});

endpointTable("POST /v1/documents/search", {
  permission: "memory:read",
  prepare: addGuides,
  content: ["concert pitch"],
  request: search({}),
  owner: {
    status: 200,
    shows: ["concert pitch"],
    hides: ["drum"],
    check: ({ json }) => ok(json.results[0].score > 0 && json.results[0].score <= 1),
  },
  stranger: { status: 200, shows: ['"results":[]'] },
  rows: [
    {
      when: "for a different user",
      request: search({ user_id: "bo" }),
      status: 200,
      shows: ['"results":[]'],
    },
    {
      when: "in a different source",
      request: search({ source_key: "drums" }),
      status: 200,
      shows: ['"results":[]'],
    },
    { when: "without a query", request: search({ query: undefined }), ...INVALID },
    { when: "limit 20", request: search({ limit: 20 }), status: 200 },
    {
      when: "limit 21",
      request: search({ limit: 21 }),
      ...INVALID,
      check: ({ json }) =>
        deepStrictEqual(json.details.issues, [
          { path: "limit", message: "Must be at most 20 without filters" },
        ]),
    },
    {
      when: "limit 50 with filters",
      request: search({ limit: 50, filters: { title: { exists: true } } }),
      status: 200,
    },
    {
      when: "limit 51 with filters",
      request: search({ limit: 51, filters: { title: { exists: true } } }),
      ...INVALID,
    },
    { when: "neighbors 3", request: search({ neighbors: 3 }), ...INVALID },
  ],
});

endpointTable("DELETE /v1/documents/{id}", {
  permission: "memory:write",
  prepare: addGuides,
  content: ["oboes"],
  request: ({ id }) => ({ method: "DELETE", path: `/v1/documents/${id}` }),
  owner: { status: 200, shows: ['"deleted":true', '"versions":1'] },
  stranger: NOT_FOUND,
  rows: [
    {
      when: "a second time",
      request: ({ id }) => ({ method: "DELETE", path: `/v1/documents/${id}` }),
      ...NOT_FOUND,
    },
    { when: "its content after the deletion", request: readGuide("/content"), ...NOT_FOUND },
    {
      when: "a search afterwards doesn't find it",
      request: search({}),
      status: 200,
      shows: ['"results":[]'],
    },
    { when: "the other source is kept", request: list(""), status: 200, shows: ["drums"] },
  ],
});
