/** The OpenAPI document: valid by a strict validator, complete, and open to everybody. */

import { Validator } from "@seriousme/openapi-schema-validator";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { ERROR_STATUS } from "../../src/kernel/errors.ts";
import { endpointsOf } from "../../src/server/endpoints.ts";
import { openServices } from "../../src/server/services.ts";
import { withServer } from "../../testing/harness.ts";
import { makeTempDirSync, rm } from "../../testing/temp_dir.ts";

const OWN_PATH = "/v1/openapi.json";

// deno-lint-ignore no-explicit-any -- a document whose shape is what is tested
async function documentOf(url: string): Promise<any> {
  return await (await fetch(`${url}/v1/openapi.json`)).json();
}

Deno.test("the document is valid OpenAPI 3.1", async () => {
  await withServer(async ({ url }) => {
    const document = await documentOf(url);
    const validator = new Validator();
    const result = await validator.validate(document);
    ok(result.valid, JSON.stringify(result.errors));
    strictEqual(validator.version, "3.1");
  });
});

Deno.test("every reference in the document leads somewhere", async () => {
  await withServer(async ({ url }) => {
    const document = await documentOf(url);
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      ok(name! in document.components.schemas, name ?? "");
    }
    ok(!text.includes("#/$defs/"));
  });
});

Deno.test("every endpoint stands in the document, with its permission and a name of its own", async () => {
  const directory = makeTempDirSync();
  const services = await openServices(directory);
  const endpoints = endpointsOf(services);
  await services.appContext.store.close();
  await rm(directory);
  await withServer(async ({ url }) => {
    const { paths } = await documentOf(url);
    for (const { method, path, operationId, permission, body } of endpoints) {
      const operation = paths[path]?.[method.toLowerCase()];
      strictEqual(operation?.operationId, operationId, `${method} ${path}`);
      match(operation.description, new RegExp(permission));
      strictEqual(operation.requestBody !== undefined, body !== undefined);
    }
    const described = Object.values(paths).flatMap((path) => Object.keys(path as object));
    strictEqual(described.length, endpoints.length + 1, "and the document itself");
    strictEqual(new Set(endpoints.map((each) => each.operationId)).size, endpoints.length);
  });
});

Deno.test("every endpoint names its errors, each under its status", async () => {
  await withServer(async ({ url }) => {
    const { paths } = await documentOf(url);
    const always = ["INVALID_API_KEY", "PERMISSION_DENIED", "INTERNAL_ERROR"];
    for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
      if (path === OWN_PATH) continue;
      for (const [method, operation] of Object.entries<{ responses: object }>(operations)) {
        const named = codesOf(operation.responses);
        for (const [code, status] of named) {
          strictEqual(ERROR_STATUS[code as keyof typeof ERROR_STATUS], status);
        }
        const where = `${method} ${path}`;
        const codes = named.map(([code]) => code);
        deepStrictEqual(always.filter((code) => !codes.includes(code)), [], where);
        if (method !== "get") ok(codes.includes("IDEMPOTENCY_CONFLICT") || isSearch(path), where);
        if (path.includes("/memories/{id}")) ok(codes.includes("MEMORY_NOT_FOUND"), where);
      }
    }
  });
});

Deno.test("every answer of the document carries the request id", async () => {
  await withServer(async ({ url }) => {
    const { paths } = await documentOf(url);
    for (const operations of Object.values<object>(paths)) {
      for (const { responses } of Object.values<{ responses: object }>(operations as never)) {
        for (const response of Object.values<{ headers: object }>(responses as never)) {
          ok("x-request-id" in response.headers);
        }
      }
    }
  });
});

Deno.test("a parameter says of itself what the server checks", async () => {
  await withServer(async ({ url }) => {
    const { paths } = await documentOf(url);
    const list = paths["/v1/memories"].get.parameters;
    const limit = list.find(({ name }: { name: string }) => name === "limit");
    deepStrictEqual(
      [limit.schema.type, limit.schema.minimum, limit.schema.maximum, limit.schema.default],
      ["integer", 1, 100, 50],
    );
    strictEqual(limit.schema.pattern, undefined, "a pattern is for text, and limit is none");
    const entity = paths["/v1/entities/{type}/{id}"].delete.parameters;
    const key = entity.find(({ name }: { name: string }) => name === "Idempotency-Key");
    deepStrictEqual([key.in, key.required], ["header", true]);
    const beliefs = paths["/v1/beliefs"].get.parameters;
    const all = beliefs.find(({ name }: { name: string }) => name === "all_applicability");
    deepStrictEqual(all.schema, { type: "boolean" }, "no truth value is one of two texts");
  });
});

Deno.test("a field says of itself what its type alone does not", async () => {
  await withServer(async ({ url }) => {
    const { paths } = await documentOf(url);
    const { properties } =
      paths["/v1/memories"].post.requestBody.content["application/json"].schema;
    for (const name of ["content", "user_id"]) strictEqual(properties[name].minLength, 1, name);
    for (const name of ["user_id", "metadata", "event_date"]) {
      ok(properties[name].description.length > 0, name);
    }
  });
});

Deno.test("the document needs no key, and reveals none", async () => {
  await withServer(async ({ call, key }) => {
    const reply = await call("GET", "/v1/openapi.json", { key: null });
    strictEqual(reply.status, 200);
    match(reply.headers.get("content-type")!, /^application\/json/);
    ok(!reply.text.includes(key));
    const wrong = await call("GET", "/v1/openapi.json", { key: "cpl_not-a-key-at-all" });
    strictEqual(wrong.status, 200, "a key that is sent all the same is not looked at");
    const open = Object.entries<Record<string, { security?: [] }>>(reply.json.paths)
      .filter(([, operations]) => Object.values(operations).some(({ security }) => security));
    deepStrictEqual(open.map(([path]) => path), [OWN_PATH], "and the document says so");
    deepStrictEqual(open[0]![1]["get"]!.security, []);
  });
});

function isSearch(path: string): boolean {
  return path.endsWith("/search");
}

/** The codes that a document's responses name, each with its status. */
function codesOf(responses: object): [code: string, status: number][] {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) => {
      const { allOf } = content["application/json"].schema;
      return allOf[1].properties.code.enum.map((code: string) => [code, Number(status)]);
    });
}
