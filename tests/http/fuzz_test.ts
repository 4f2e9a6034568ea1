/** Fuzz tests: for any input, every response conforms to the contract and none is a 500. */

import { ok } from "node:assert/strict";
import { fc } from "../../testing/fast_check.ts";
import { type RequestOptions, type TestServer, withServer } from "../../testing/harness.ts";
import { checkErrorShape } from "../scenarios/table.ts";

/** Values close to valid ones, and values that aren't. */
const odd = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom("ana", "", " ", "\0", "\ud800", "2026-01-01", "2026-13-01", "*", "positive"),
  fc.constantFrom(0, -1, 0.5, 1, 51, 1e308, 2 ** 53, Number.MIN_VALUE, true, null),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constant([{ role: "user", content: "hello" }]),
  fc.constant({ AND: [{ a: { gt: 1 } }], NOT: { b: "*" } }),
);

const FIELDS = "content messages user_id agent_id run_id metadata infer event_date memory_type" +
  " importance version rating reason request_id query top_k limit filters mode search_strategy" +
  " sort_by min_score trace memories memory_id __proto__ constructor";

const body = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...FIELDS.split(" ")), odd) },
  {
    weight: 3,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS.split(" ")), odd).map((fields) => ({
      content: "hello",
      user_id: "ana",
      infer: false,
      query: "hello",
      rating: "positive",
      ...fields,
    })),
  },
  odd,
);

const ID = "mem_00000000000000000000000000";
const COMMANDS: readonly (readonly [string, string])[] = [
  ["POST", "/v1/memories"],
  ["POST", "/v1/memories/search"],
  ["PUT", `/v1/memories/KNOWN`],
  ["PUT", `/v1/memories/${ID}`],
  ["POST", `/v1/memories/KNOWN/feedback`],
  ["PUT", "/v1/memories/batch"],
  ["DELETE", "/v1/memories/batch"],
];

const QUERY_PATHS = [
  "/v1/memories",
  "/v1/memories/KNOWN/history",
  "/v1/entities",
  "/v1/operations",
  "/v1/events",
];

const PARAMETERS = ["user_id", "agent_id", "run_id", "limit", "cursor", "type", "status", "kind"];

async function checkResponse(
  server: TestServer,
  method: string,
  path: string,
  options: RequestOptions,
) {
  const reply = await server.call(method, path, options);
  ok(reply.status < 500, `${method} ${path} ${JSON.stringify(options)}: ${reply.text}`);
  if (reply.status >= 400) checkErrorShape(reply);
}

Deno.test("no JSON body causes a 5xx response", async () => {
  await withServer(async (server) => {
    const id = await server.add("hello");
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COMMANDS),
        body,
        fc.uuid(),
        async (endpoint, sent, key) => {
          const path = endpoint[1].replace("KNOWN", id);
          const headers = { "idempotency-key": key };
          await checkResponse(server, endpoint[0], path, { body: sent ?? null, headers });
        },
      ),
      { numRuns: 700 },
    );
  });
});

Deno.test("no sequence of bytes causes a 5xx response", async () => {
  await withServer(async (server) => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => {
        const encoded = new TextEncoder().encode(text);
        return encoded.slice(0, encoded.length - 1);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...COMMANDS), bytes, async ([method, path], raw) => {
        const headers = { "content-type": "application/json", "idempotency-key": "k" };
        await checkResponse(server, method, path, { raw: new Blob([raw as BlobPart]), headers });
      }),
      { numRuns: 200 },
    );
  });
});

Deno.test("no query string causes a 5xx response", async () => {
  await withServer(async (server) => {
    const id = await server.add("hello");
    const value = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: "binary", maxLength: 10 }).map((text) => text.toWellFormed()),
      fc.constantFrom(
        "ana",
        "1",
        "100",
        "-1",
        "0",
        "user",
        "pending",
        "PENDING",
        "%00",
        "%FF",
        "%",
      ),
    );
    const query = fc.dictionary(fc.constantFrom(...PARAMETERS), value);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...QUERY_PATHS),
        query,
        fc.boolean(),
        async (path, fields, raw) => {
          const text = raw
            ? Object.entries(fields).map(([name, each]) => `${name}=${each.replace(/[#\s]/g, "")}`)
              .join("&")
            : new URLSearchParams(fields).toString();
          await checkResponse(server, "GET", `${path.replace("KNOWN", id)}?${text}`, {});
        },
      ),
      { numRuns: 400 },
    );
  });
});

Deno.test("no path causes a 5xx response", async () => {
  await withServer(async (server) => {
    const segment = fc.oneof(
      fc.constantFrom("v1", "memories", "entities", "user", "search", "batch", "history"),
      fc.constantFrom("%00", "%FF", "%", "%2F", "..", "%2E%2E", "mem_x", "'", "%25", "%E0%A4%A"),
      fc.string({ maxLength: 12 }).map((text) => text.replace(/[?#\s\\]/g, "")),
    );
    // Skips paths with dot segments that lead out of /v1, since fetch resolves them before sending
    // the request.
    const path = fc.array(segment, { maxLength: 5 }).map((parts) => `/v1/${parts.join("/")}`)
      .filter((where) => new URL(where, server.url).pathname.startsWith("/v1/"));
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom("GET", "DELETE", "HEAD"), async (where, method) => {
        const reply = await server.call(method, where, { headers: { "idempotency-key": "k" } });
        ok(reply.status < 500, `${method} ${where}: ${reply.text}`);
      }),
      { numRuns: 400 },
    );
  });
});
