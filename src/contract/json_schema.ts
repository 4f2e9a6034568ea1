/** Converts zod schemas to JSON Schema 2020-12, for OpenAPI and MCP. */

import { z } from "zod";

/** A JSON Schema, or part of one. */
export type JsonSchema = Record<string, unknown>;

/**
 * An object with any properties. Generators of clients read `additionalProperties: true` as an object
 * without any, but `{}` as intended.
 */
export const FREE_OBJECT = { type: "object", additionalProperties: {} } as const;

/**
 * Returns the JSON Schema for a zod schema. Named parts are stored under `$defs`.
 *
 * @param io whether to describe what clients send or what they receive
 *
 * @example
 * ```ts
 * import { jsonSchemaOf } from "./json_schema.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 * import { z } from "zod";
 *
 * deepStrictEqual(jsonSchemaOf(z.object({ id: z.string() }), "output"), {
 *   type: "object",
 *   properties: { id: { type: "string" } },
 *   required: ["id"],
 * });
 * ```
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: "input" | "output",
): JsonSchema & { $defs?: Record<string, JsonSchema> } {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      // For fields parsed from text, zod omits the default value and keeps the pattern the text has
      // to match.
      if (def.type === "default") jsonSchema.default = def.defaultValue;
      if (jsonSchema.type !== "string") delete jsonSchema.pattern;
      // Python's regular expressions have no Unicode classes: validators fail on a valid response.
      if (jsonSchema.pattern?.includes("\\p{")) delete jsonSchema.pattern;
      if (jsonSchema.type === "boolean") delete jsonSchema.enum;
      // Responses can gain new fields, so clients must not reject unknown ones.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.id;
    },
  });
  return described as JsonSchema & { $defs?: Record<string, JsonSchema> };
}
