/** The error table, and what every error has in common. */

import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ApiError, ERROR_STATUS, invalidRequest } from "../../src/kernel/errors.ts";
import { withServer } from "../../testing/harness.ts";

/** The tables of the contract, written out: a code may be added here, never changed. */
const CONTRACT = `
  400 INVALID_REQUEST INVALID_UTF8 IDEMPOTENCY_KEY_REQUIRED DOCUMENT_FILE_REQUIRED
  400 INVALID_DOCUMENT_METADATA INVALID_SNAPSHOT
  401 INVALID_API_KEY NOT_SIGNED_IN SIGN_IN_FAILED
  402 INSUFFICIENT_CREDITS
  403 PERMISSION_DENIED FOREIGN_ORIGIN
  404 NOT_FOUND MEMORY_NOT_FOUND SCOPE_ENTITY_NOT_FOUND OPERATION_NOT_FOUND
  404 OPERATION_NOT_RETRYABLE DOCUMENT_NOT_FOUND DOCUMENT_UPLOAD_NOT_FOUND EVENT_NOT_FOUND
  405 METHOD_NOT_ALLOWED
  409 IDEMPOTENCY_CONFLICT VERSION_CONFLICT DOCUMENT_UPLOAD_SIZE_MISMATCH
  409 DOCUMENT_UPLOAD_CHECKSUM_MISMATCH DOCUMENT_UPLOAD_IMMUTABLE DOCUMENT_UPLOAD_INCOMPLETE
  409 SOURCE_ASSET_BUSY SOURCE_ASSET_READY IMPORT_TARGET_NOT_EMPTY SNAPSHOT_ID_CONFLICT
  409 DERIVATION_DISABLED PROJECTION_NOT_BUILT ENTITY_REMOVAL_TOO_LARGE
  413 REQUEST_TOO_LARGE DOCUMENT_TOO_LARGE DOCUMENT_UPLOAD_TOO_LARGE
  413 EXTRACTED_DOCUMENT_TOO_LARGE DOCUMENT_PAGE_LIMIT_EXCEEDED
  415 UNSUPPORTED_MEDIA_TYPE UNSUPPORTED_DOCUMENT_MEDIA_TYPE
  429 RATE_LIMITED
  500 INTERNAL_ERROR
  503 STORAGE_UNAVAILABLE SERVICE_STOPPING`;

Deno.test("every code of the contract has the contract's status", () => {
  const written = CONTRACT.trim().split("\n").flatMap((line) => {
    const [status, ...codes] = line.trim().split(" ");
    return codes.map((code) => [code, Number(status)] as const);
  });
  const known: Readonly<Record<string, number>> = ERROR_STATUS;
  deepStrictEqual(written.filter(([code, status]) => known[code] !== status), []);
});

Deno.test("an error's message names the first field that is wrong, its details name all", () => {
  const error = invalidRequest([
    { path: "messages.0.content", message: "Must not be empty" },
    { path: "user_id", message: "Must not be empty" },
  ]);
  ok(error instanceof ApiError);
  strictEqual(error.status, 400);
  strictEqual(error.message, "messages.0.content: Must not be empty");
  strictEqual((error.details!["issues"] as unknown[]).length, 2);
});

Deno.test("issues name the field as the client wrote it, with dots", async () => {
  await withServer(async ({ call }) => {
    const body = {
      messages: [{ role: "user", content: "fine" }, { role: "user", content: 7 }],
      user_id: "",
      importance: 2,
      infer: false,
    };
    const { json } = await call("POST", "/v1/memories", { body });
    const paths = json.details.issues.map((issue: { path: string }) => issue.path);
    deepStrictEqual(paths.toSorted(), ["importance", "messages.1.content", "user_id"]);
    for (const issue of json.details.issues) {
      deepStrictEqual(Object.keys(issue).toSorted(), ["message", "path"]);
      ok(issue.message.length > 0);
    }
  });
});

Deno.test("an issue says what the field has to be", async (t) => {
  const cases: readonly [path: string, body: Record<string, unknown>, issues: string[]][] = [
    ["memories/search", { user_id: "ana" }, ["query: Must be given"]],
    ["memories/search", { query: 5 }, ["query: Must be text"]],
    ["memories/search", { query: "x", top_k: "5" }, ["top_k: Must be a number"]],
    ["memories/search", { query: "x", top_k: 1.5 }, ["top_k: Must be a whole number"]],
    ["memories/search", { query: "x", top_k: 0 }, ["top_k: Must be at least 1"]],
    ["memories/search", { query: "x", trace: "yes" }, ["trace: Must be true or false"]],
    ["memories/search", { query: "x", mode: "best" }, [
      "mode: Must be one of hybrid, recent, important, typed",
    ]],
    ["memories", { user_id: "ana", messages: "hello" }, ["messages: Must be a list"]],
    ["memories", { user_id: "x".repeat(257), content: "x", importance: 2, infer: false }, [
      "user_id: Must have at most 256 characters",
      "importance: Must be at most 1",
    ]],
  ];
  await withServer(async ({ call }) => {
    for (const [path, body, expected] of cases) {
      await t.step(expected.join("; "), async () => {
        const { status, json } = await call("POST", `/v1/${path}`, { body });
        strictEqual(status, 400);
        const { issues } = json.details as { issues: { path: string; message: string }[] };
        deepStrictEqual(issues.map((issue) => `${issue.path}: ${issue.message}`), expected);
      });
    }
  });
});

Deno.test("every answer has a request id of its own, and the client's own is not echoed", async () => {
  await withServer(async ({ call, add }) => {
    const id = await add("Ana sings");
    const headers = { "x-request-id": "req_chosen-by-the-client" };
    const replies = [
      await call("GET", `/v1/memories/${id}`, { headers }),
      await call("GET", "/v1/memories/mem_unknown", { headers }),
      await call("GET", "/v1/nowhere", { headers, key: null }),
      await call("GET", "/livez", { headers, key: null }),
      await call("GET", "/readyz", { headers, key: null }),
      await call("GET", "/metrics", { headers, key: null }),
      await call("GET", "/", { headers, key: null }),
      await call("GET", "/v1/openapi.json", { headers, key: null }),
      await call("HEAD", "/v1/health", { headers }),
    ];
    const ids = replies.map((reply) => reply.headers.get("x-request-id")!);
    for (const each of ids) match(each, /^req_[0-9a-hjkmnp-tv-z]{26}$/);
    strictEqual(new Set(ids).size, ids.length);
    deepStrictEqual(ids, ids.toSorted(), "later requests have later ids");
  });
});

Deno.test("an unknown record and another project's answer alike", async () => {
  await withServer(async ({ call, add, createKey }) => {
    const theirs = await add("Ana's own");
    const key = await createKey("elsewhere");
    const body = { content: "mine now", version: "2020-01-01" };
    const asks = [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", "/history"],
      ["GET", "/feedback"],
      ["DELETE", "/feedback"],
    ] as const;
    for (const [method, rest] of asks) {
      const options = method === "PUT" ? { key, body } : { key };
      const foreign = await call(method, `/v1/memories/${theirs}${rest}`, options);
      const unknown = await call(method, `/v1/memories/mem_unknown${rest}`, options);
      notStrictEqual(foreign.json.request_id, unknown.json.request_id);
      const shown = (reply: typeof foreign, id: string) => [
        reply.status,
        { ...reply.json, request_id: "", message: reply.json.message.replace(id, "ID") },
      ];
      deepStrictEqual(shown(foreign, theirs), shown(unknown, "mem_unknown"));
    }
  });
});
