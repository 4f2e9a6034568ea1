/** A tool: an endpoint, and the words by which a model finds it and uses it. */

import type { z } from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import { type JsonSchema, jsonSchemaOf } from "../contract/json_schema.ts";
import { LIMITS } from "../kernel/limits.ts";

/** What a tool is called by, described by and shown by; the rules are its endpoint's. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** When to use it, and what comes back. */
  readonly description: string;
  /** The endpoint, by its operation id. */
  readonly operationId: string;
  /** The argument that is the `{id}` of the path. */
  readonly idArgument?: "memory_id" | "document_id" | "event_id";
  /** What arguments mean, where that is another than everywhere. */
  readonly argumentDescriptions?: Readonly<Record<string, string>>;
  /** A repetition without an idempotency key would do it again. */
  readonly takesIdempotencyKey?: boolean;
  readonly hints: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
  /** The short text beside the structured result. */
  // deno-lint-ignore no-explicit-any -- each text knows the answer of its own endpoint
  readonly summarize: (answer: any) => string;
}

/** A tool with its endpoint, and the schemas that follow from it. */
export interface Tool extends ToolDefinition {
  readonly endpoint: Endpoint;
  /** Arguments that stand in the query of the endpoint; any other is in its body. */
  readonly queryArguments: ReadonlySet<string>;
  /** Whether the endpoint takes scopes. */
  readonly scoped: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** What the arguments that tools share mean. */
const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  user_id: "Scope: the person that this is about",
  agent_id: "Scope: the agent that this belongs to",
  run_id: "Scope: the conversation or run that this belongs to",
  metadata: `A JSON object, at most ${LIMITS.metadataBytes} bytes and ` +
    `${LIMITS.metadataDepth} levels`,
  limit: "The most results",
  cursor: "`next_cursor` of the page before; left out for the first page",
  memory_id: "The id of the memory, `mem_…`",
  document_id: "The id of the version of the document, `doc_…`",
  event_id: "The id that add_memory answered",
};

const IDEMPOTENCY_KEY_SCHEMA: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyCharacters,
  description: "Any text of your own for this call; repeating the call with it does nothing twice",
};

/** @throws Error when there is no such endpoint: the table and the API have grown apart */
export function createTool(definition: ToolDefinition, endpoints: readonly Endpoint[]): Tool {
  const endpoint = endpoints.find(({ operationId }) => operationId === definition.operationId);
  if (endpoint === undefined) throw new Error(`No endpoint "${definition.operationId}"`);
  const query = partSchema(endpoint.query);
  const body = partSchema(endpoint.body);
  const properties: Record<string, JsonSchema> = {
    ...(definition.idArgument === undefined ? {} : { [definition.idArgument]: { type: "string" } }),
    ...query.properties,
    ...body.properties,
    ...(definition.takesIdempotencyKey ? { idempotency_key: IDEMPOTENCY_KEY_SCHEMA } : {}),
  };
  for (const [name, schema] of Object.entries(properties)) {
    const meaning = definition.argumentDescriptions?.[name] ?? ARGUMENT_DESCRIPTIONS[name];
    if (meaning !== undefined) properties[name] = { ...schema, description: meaning };
  }
  const id = definition.idArgument === undefined ? [] : [definition.idArgument];
  return {
    ...definition,
    endpoint,
    queryArguments: new Set(Object.keys(query.properties)),
    scoped: SCOPE_KEYS.some((key) => key in properties),
    inputSchema: {
      type: "object",
      properties,
      required: [...id, ...query.required, ...body.required],
    },
    outputSchema: outputSchema(endpoint),
  };
}

/** The schema of a tool for a connection: what is fixed leaves the arguments. */
export function inputSchemaWithout(tool: Tool, fixed: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(tool.inputSchema["properties"] as JsonSchema)
      .filter(([name]) => !fixed.includes(name)),
  );
  return { ...tool.inputSchema, properties };
}

interface PartSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required: readonly string[];
}

function partSchema(schema: z.ZodType | undefined): PartSchema {
  if (schema === undefined) return { properties: {}, required: [] };
  const { properties = {}, required = [] } = withoutReferences(schema, "input") as Partial<
    PartSchema
  >;
  return { properties, required };
}

/** What it answers in either success. Revisions before 2026 want an object at the root. */
function outputSchema({ success }: Endpoint): JsonSchema {
  const schemas = success.flatMap(({ schema }) => schema === undefined ? [] : [schema]);
  const described = schemas.map((schema) => withoutReferences(schema, "output"));
  return described.length === 1 ? described[0]! : { type: "object", anyOf: described };
}

/** Without references: not every client follows them. */
function withoutReferences(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $defs = {}, ...rest } = jsonSchemaOf(schema, io);
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (value === null || typeof value !== "object") return value;
    const { $ref, ...own } = value as { $ref?: string };
    const named = $ref === undefined ? {} : $defs[$ref.slice("#/$defs/".length)]!;
    return Object.fromEntries(
      Object.entries({ ...named, ...own }).map(([key, member]) => [key, inline(member)]),
    );
  };
  return inline(rest) as JsonSchema;
}
