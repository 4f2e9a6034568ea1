/** Generates the OpenAPI 3.1 document from the endpoints and their zod schemas. */

import type { z } from "zod";
import { type Endpoint, PERMISSIONS } from "../contract/endpoint.ts";
import { FREE_OBJECT, type JsonSchema as Json, jsonSchemaOf } from "../contract/json_schema.ts";
import { ERROR_STATUS, type ErrorCode } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { capitalize } from "../kernel/text.ts";
import { EXAMPLES } from "./openapi_examples.ts";

/** Error codes shared by all endpoints with key authentication. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_API_KEY",
  "PERMISSION_DENIED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "STORAGE_UNAVAILABLE",
  "SERVICE_STOPPING",
];

/** Error codes shared by endpoints with a JSON body. */
const BODY_ERRORS: readonly ErrorCode[] = [
  "INVALID_UTF8",
  "REQUEST_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];

const CONTRACT = "Contract";

/** Returns the OpenAPI document for all endpoints. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const schemas: Record<string, Json> = { Error: errorSchema() };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ??= {};
    path[endpoint.method.toLowerCase()] = operationOf(endpoint, schemas);
  }
  paths["/v1/openapi.json"] = { get: openApiOperation() };
  return {
    openapi: "3.1.0",
    info: {
      title: "Commonplace",
      version,
      description: "Durable memories and citable sources, on a server that you run.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    tags: [...new Set([...endpoints.map((endpoint) => endpoint.tag), CONTRACT])]
      .map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "A key that begins with cpl_" },
      },
    },
  };
}

function operationOf(endpoint: Endpoint, schemas: Record<string, Json>): Json {
  const parameters = [
    ...parametersOf(endpoint.params, "path", schemas),
    ...parametersOf(endpoint.query, "query", schemas),
    ...("change" in endpoint ? [idempotencyParameter(endpoint.idempotencyKey === "required")] : []),
  ];
  const meaning = PERMISSIONS[endpoint.permission];
  const name = capitalize(endpoint.operationId);
  const codes = errorCodesOf(endpoint);
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `Requires the permission \`${endpoint.permission}\` (${meaning.toLowerCase()}).`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(endpoint.body === undefined ? {} : {
      requestBody: {
        required: true,
        content: {
          [bodyTypeOf(endpoint)]: {
            schema: toComponent(endpoint.body, "input", name, schemas),
            ...exampleOf(EXAMPLES[endpoint.operationId]?.request),
          },
          ...(endpoint.multipart === undefined ? {} : {
            "multipart/form-data": {
              schema: toComponent(endpoint.multipart.schema, "input", `${name}Form`, schemas),
            },
          }),
        },
      },
    }),
    responses: { ...successResponses(endpoint, name, schemas), ...errorResponses(codes) },
    "x-error-codes": codes,
  };
}

/**
 * Returns the operation that serves this document, the only one listed here that doesn't require a
 * key.
 */
function openApiOperation(): Json {
  return {
    operationId: "getOpenApi",
    tags: [CONTRACT],
    summary: "Get this OpenAPI document",
    security: [],
    responses: {
      200: {
        description: "An OpenAPI document",
        headers: REQUEST_ID_HEADER,
        content: { "application/json": { schema: FREE_OBJECT } },
      },
      ...errorResponses(["INTERNAL_ERROR", "SERVICE_STOPPING"]),
    },
    "x-error-codes": ["INTERNAL_ERROR", "SERVICE_STOPPING"],
  };
}

function bodyTypeOf(endpoint: Endpoint): string {
  return "change" in endpoint && endpoint.bodyType !== undefined
    ? endpoint.bodyType
    : "application/json";
}

/** An endpoint with several successful responses has one with a status in its name per response. */
function successResponses(endpoint: Endpoint, name: string, schemas: Record<string, Json>): Json {
  const { size } = new Set(endpoint.success.map(({ schema }) => schema));
  const example = EXAMPLES[endpoint.operationId];
  const nameOf = (status: number) => size > 1 ? `${name}Response${status}` : `${name}Response`;
  const responses = endpoint.success.map((success) => [success.status, {
    description: success.description,
    headers: REQUEST_ID_HEADER,
    ...(success.schema === undefined ? {} : {
      content: {
        [success.type ?? "application/json"]: {
          schema: toComponent(success.schema, "output", nameOf(success.status), schemas),
          ...(example?.status === success.status ? exampleOf(example.response) : {}),
        },
      },
    }),
  }]);
  return Object.fromEntries(responses);
}

function exampleOf(example: unknown): Json {
  return example === undefined ? {} : { example };
}

/** Returns the error codes of an endpoint, ordered by status. */
function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set([
    ...COMMON_ERRORS,
    ...(endpoint.body === undefined || bodyTypeOf(endpoint) !== "application/json"
      ? []
      : BODY_ERRORS),
    ...(endpoint.bodyTooLargeCode === undefined ? [] : [endpoint.bodyTooLargeCode]),
    ...("change" in endpoint ? ["IDEMPOTENCY_CONFLICT"] as const : []),
    ...("change" in endpoint && endpoint.idempotencyKey !== undefined
      ? ["IDEMPOTENCY_KEY_REQUIRED"] as const
      : []),
    ...(endpoint.errors ?? []),
  ]);
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]);
}

/** Returns one response per status. Its description lists all error codes with that status. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, {
      description: names.join(", "),
      headers: REQUEST_ID_HEADER,
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    }]),
  );
}

const REQUEST_ID_HEADER = {
  "x-request-id": {
    description: "Id of this request, also in the log",
    schema: { type: "string" },
  },
};

function errorSchema(): Json {
  return {
    type: "object",
    required: ["code", "message", "request_id"],
    properties: {
      code: {
        type: "string",
        description: "Stable error code. Those of an operation are in its `x-error-codes`; later " +
          "versions can add more",
      },
      message: { type: "string", description: "What is wrong, for people" },
      request_id: { type: "string" },
      details: {
        ...FREE_OBJECT,
        description: "Details of the error, e.g. `issues: [{path, message}]`",
      },
    },
  };
}

function idempotencyParameter(required: boolean): Json {
  return {
    name: "Idempotency-Key",
    in: "header",
    required,
    description: "A retry with the same key returns the first response and changes nothing",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyCharacters,
      pattern: "^[ -~]+$",
    },
  };
}

function parametersOf(
  schema: z.ZodType | undefined,
  location: "path" | "query",
  schemas: Record<string, Json>,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toSchema(schema, "input", schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === "path" || required.includes(name),
    schema: property,
  }));
}

/**
 * Returns a zod schema as JSON Schema. Each named schema is added to `schemas` once, for the
 * document's components.
 */
function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const { $defs = {}, ...rest } = jsonSchemaOf(schema, io);
  for (const [name, definition] of Object.entries($defs)) {
    schemas[name] = withComponents(definition);
  }
  return withComponents(rest);
}

/**
 * Adds a zod schema to the document's components, unless it's named already, and returns a reference
 * to it.
 */
function toComponent(
  schema: z.ZodType,
  io: "input" | "output",
  name: string,
  schemas: Record<string, Json>,
): Json {
  const converted = toSchema(schema, io, schemas);
  if ("$ref" in converted) return converted;
  schemas[name] = converted;
  return { $ref: `#/components/schemas/${name}` };
}

/** Rewrites references to a schema's own definitions to point to the document's components. */
function withComponents(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
