/** Makes sure that the OpenAPI document is complete and passes a strict validator. */

import { Validator } from "@seriousme/openapi-schema-validator";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { EXAMPLES } from "../../src/http/openapi_examples.ts";
import { ERROR_STATUS } from "../../src/kernel/errors.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { closeServices, openServices } from "../../src/server/services.ts";
import { VERSION } from "../../src/version.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const OWN_PATH = "/v1/openapi.json";

const endpoints = await loadEndpoints();
// deno-lint-ignore no-explicit-any -- the shape of the document is under test
const document: any = JSON.parse(JSON.stringify(openApiDocument(endpoints, VERSION)));
const { paths } = document;

async function loadEndpoints(): Promise<readonly Endpoint[]> {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  await closeServices(services);
  await rm(directory);
  return endpointsOf(services);
}

Deno.test("openApiDocument() returns valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(document);
  ok(result.valid, JSON.stringify(result.errors));
  strictEqual(validator.version, "3.1");
});

Deno.test("openApiDocument() has only patterns that regular expressions of all languages accept", () => {
  const patterns = JSON.stringify(document).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g);
  for (const [, pattern] of patterns) ok(!/\\p|\(\?/i.test(pattern!), pattern ?? "");
});

Deno.test("openApiDocument() has defaults of the declared type", () => {
  const check = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, default: fallback } = value as Record<string, unknown>;
    if (fallback !== undefined && (type === "boolean" || type === "string")) {
      strictEqual(typeof fallback, type, path);
    }
    for (const [key, child] of Object.entries(value)) check(child, `${path}/${key}`);
  };
  check(document, "");
});

Deno.test("openApiDocument() contains the target of every reference", () => {
  const text = JSON.stringify(document);
  for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    ok(name! in document.components.schemas, name ?? "");
  }
  ok(!text.includes("#/$defs/"));
});

Deno.test("openApiDocument() describes every endpoint with its permission and a unique operation id", () => {
  for (const { method, path, operationId, permission, body } of endpoints) {
    const operation = paths[path]?.[method.toLowerCase()];
    strictEqual(operation?.operationId, operationId, `${method} ${path}`);
    match(operation.description, new RegExp(permission));
    strictEqual(operation.requestBody !== undefined, body !== undefined);
  }
  const operations = Object.values(paths).flatMap((path) => Object.keys(path as object));
  strictEqual(operations.length, endpoints.length + 1, "all endpoints and the document itself");
  strictEqual(new Set(endpoints.map(({ operationId }) => operationId)).size, endpoints.length);
});

Deno.test("openApiDocument() lists the errors of every endpoint by status", () => {
  const always = ["INVALID_API_KEY", "PERMISSION_DENIED", "INTERNAL_ERROR"] as const;
  for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
    if (path === OWN_PATH) continue;
    for (const [method, operation] of Object.entries<Operation>(operations)) {
      const codes = operation["x-error-codes"];
      const where = `${method} ${path}`;
      const statuses = Object.keys(operation.responses).map(Number).filter((status) =>
        status >= 400
      );
      const named = new Set(codes.map((code) => ERROR_STATUS[code]));
      deepStrictEqual([...named], statuses, where);
      for (const status of statuses) {
        const { schema } = operation.responses[status]!.content["application/json"];
        deepStrictEqual(schema, { $ref: "#/components/schemas/Error" }, where);
      }
      deepStrictEqual(always.filter((code) => !codes.includes(code)), [], where);
      if (method !== "get") ok(codes.includes("IDEMPOTENCY_CONFLICT") || isQuery(path), where);
      if (path.includes("/memories/{id}")) ok(codes.includes("MEMORY_NOT_FOUND"), where);
    }
  }
});

Deno.test("openApiDocument() names every body, so that generated code has a type for it", () => {
  for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
    if (path === OWN_PATH) continue;
    for (const operation of Object.values<Record<string, never>>(operations)) {
      for (const part of [operation["requestBody"], ...Object.values(operation["responses"]!)]) {
        const { content = {} } = (part ?? {}) as { content?: Record<string, { schema: object }> };
        for (const { schema } of Object.values(content)) ok("$ref" in schema, path);
      }
    }
  }
});

Deno.test("openApiDocument() uses only media types that generators of clients read", () => {
  const known = new Set(["application/json", "application/octet-stream", "multipart/form-data"]);
  for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
    for (const operation of Object.values<Record<string, never>>(operations)) {
      for (const part of [operation["requestBody"], ...Object.values(operation["responses"]!)]) {
        const { content = {} } = (part ?? {}) as { content?: object };
        for (const type of Object.keys(content)) ok(known.has(type), `${path}: ${type}`);
      }
    }
  }
});

Deno.test("openApiDocument() has an example of every operation that its schemas accept", () => {
  for (const endpoint of endpoints) {
    const { operationId, body, success } = endpoint;
    const example = EXAMPLES[operationId];
    ok(example !== undefined, `${operationId}: run "deno task docs:examples"`);
    const isJson = body !== undefined && !("bodyType" in endpoint);
    strictEqual(example.request !== undefined, isJson, operationId);
    if (isJson) strictEqual(body.safeParse(example.request).error, undefined, operationId);
    const response = success.find(({ status }) => status === example.status);
    ok(response !== undefined, operationId);
    strictEqual(response.schema?.safeParse(example.response).error, undefined, operationId);
  }
});

Deno.test("openApiDocument() declares the request id for every response", () => {
  for (const operations of Object.values<object>(paths)) {
    for (const { responses } of Object.values<{ responses: object }>(operations as never)) {
      for (const response of Object.values<{ headers: object }>(responses as never)) {
        ok("x-request-id" in response.headers);
      }
    }
  }
});

Deno.test("openApiDocument() describes how parameters are checked", () => {
  const list = paths["/v1/memories"].get.parameters;
  const limit = list.find(({ name }: { name: string }) => name === "limit");
  deepStrictEqual(
    [limit.schema.type, limit.schema.minimum, limit.schema.maximum, limit.schema.default],
    ["integer", 1, 100, 50],
  );
  strictEqual(limit.schema.pattern, undefined, "limit is a number, so it has no pattern");
  const entity = paths["/v1/entities/{type}/{id}"].delete.parameters;
  const key = entity.find(({ name }: { name: string }) => name === "Idempotency-Key");
  deepStrictEqual([key.in, key.required], ["header", true]);
  const beliefs = paths["/v1/beliefs"].get.parameters;
  const all = beliefs.find(({ name }: { name: string }) => name === "all_applicability");
  deepStrictEqual(all.schema, { type: "boolean" }, "a boolean has no enum of texts");
});

Deno.test("openApiDocument() describes limits that a type alone doesn't express", () => {
  const { schema } = paths["/v1/memories"].post.requestBody.content["application/json"];
  deepStrictEqual(schema, { $ref: "#/components/schemas/AddMemories" });
  const { properties } = document.components.schemas.AddMemories;
  for (const name of ["content", "user_id"]) strictEqual(properties[name].minLength, 1, name);
  const { Metadata } = document.components.schemas;
  for (const { description } of [properties.user_id, properties.event_date, Metadata]) {
    ok(description.length > 0);
  }
});

Deno.test("openApiDocument() describes objects with any properties so that generators keep them", () => {
  const { Metadata, DocumentMetadata, MemoryFilter, Error } = document.components.schemas;
  for (const schema of [Metadata, DocumentMetadata, MemoryFilter, Error.properties.details]) {
    deepStrictEqual([schema.type, schema.additionalProperties], ["object", {}]);
  }
});

/** Checks whether a POST endpoint only reads, so it needs no idempotency key. */
function isQuery(path: string): boolean {
  return /\/(search|query|context|explain)$/.test(path);
}

/** The parts of an operation that describe its errors. */
interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly "application/json": { schema: unknown } } }>
  >;
  readonly "x-error-codes": readonly (keyof typeof ERROR_STATUS)[];
}
