/** A tool is an endpoint plus the texts a model needs to choose and use it. */

import type { z } from "zod";
import type { Endpoint } from "../contract/endpoint.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import { type JsonSchema, jsonSchemaOf } from "../contract/json_schema.ts";
import { LIMITS } from "../kernel/limits.ts";

/** A tool's name and texts. Everything else comes from the endpoint. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /**
   * When to use the tool and what it returns. A sentence that names another tool is only listed for
   * callers that have that tool.
   */
  readonly description: string;
  /** Operation id of the endpoint. */
  readonly operationId: string;
  /** Argument used as the `{id}` in the path. */
  readonly idArgument?: "memory_id" | "document_id" | "event_id";
  /** Argument descriptions that differ from the shared ones. */
  readonly argumentDescriptions?: Readonly<Record<string, string>>;
  /** Arguments that are listed. Defaults to all. */
  readonly shownArguments?: readonly string[];
  /** Whether a retry without an idempotency key would repeat the effect. */
  readonly takesIdempotencyKey?: boolean;
  readonly hints: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
  /**
   * Returns a short text to go with the structured result.
   *
   * @param has checks whether the caller has another tool, so that the text can name it
   */
  // deno-lint-ignore no-explicit-any -- each function gets the response of its own endpoint
  readonly summarize: (response: any, has: (tool: string) => boolean) => string;
}

/** A tool with its endpoint and the schemas derived from it. */
export interface Tool extends ToolDefinition {
  readonly endpoint: Endpoint;
  /** Arguments that go in the endpoint's query. All others go in its body. */
  readonly queryArguments: ReadonlySet<string>;
  /** Whether the endpoint takes scopes as input. */
  readonly scoped: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

/** Shared argument descriptions. */
const ARGUMENT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  user_id: "Scope: id of the person, e.g. a user name",
  agent_id: "Scope: id of the agent, e.g. your own name",
  run_id: "Scope: id of the conversation or run",
  metadata: `JSON object to store with the record, at most ${LIMITS.metadataBytes} bytes and ` +
    `${LIMITS.metadataDepth} levels`,
  limit: "Maximum number of results",
  cursor: "`next_cursor` of the previous page; omit it for the first page",
  memory_id: "Id of the memory, `mem_…`",
  document_id: "Id of the version of the document, `doc_…`",
  event_id: "`event_id` that an add with inference returned",
};

const IDEMPOTENCY_KEY_SCHEMA: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyCharacters,
  description: "Unique text for this call; a retry with the same text changes nothing",
};

/**
 * Creates a tool from its definition.
 *
 * @throws Error if no endpoint has the tool's operation id, i.e. the tools don't match the API
 */
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
    const description = definition.argumentDescriptions?.[name] ?? ARGUMENT_DESCRIPTIONS[name];
    if (description !== undefined) properties[name] = { ...schema, description };
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

/** Returns a tool's input schema minus the arguments fixed for the connection. */
export function inputSchemaWithout(tool: Tool, fixed: readonly string[]): JsonSchema {
  const shown = (name: string) => tool.shownArguments?.includes(name) ?? true;
  const properties = Object.fromEntries(
    Object.entries(tool.inputSchema["properties"] as JsonSchema)
      .filter(([name]) => shown(name) && !fixed.includes(name)),
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

/**
 * Returns a schema covering all successful responses. Revisions before 2026 require an object at
 * the root.
 */
function outputSchema({ success }: Endpoint): JsonSchema {
  const schemas = success.flatMap(({ schema }) => schema === undefined ? [] : [schema]);
  const described = schemas.map((schema) => withoutReferences(schema, "output"));
  return described.length === 1 ? described[0]! : { type: "object", anyOf: described };
}

/** Returns a JSON Schema with all references inlined because some clients don't follow them. */
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
