/** Contracts as JSON Schema 2020-12, for whoever describes them to clients: OpenAPI, and MCP. */

import { z } from "zod";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** The schema of a contract; those parts that have a name stand under `$defs`. */
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
      // zod leaves out the default of a field that is read from text, and keeps what the text may be.
      if (def.type === "default") jsonSchema.default = def.defaultValue;
      if (jsonSchema.type !== "string") delete jsonSchema.pattern;
      if (jsonSchema.type === "boolean") delete jsonSchema.enum;
      // Answers may gain fields; a client must not be told otherwise.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.id;
    },
  });
  return described as JsonSchema & { $defs?: Record<string, JsonSchema> };
}
