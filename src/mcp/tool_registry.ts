/** Lists the tools available to a caller and executes calls. */

import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Actor, Endpoint, Permission } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { executeCall, parseOrThrow } from "../http/execute_endpoint.ts";
import { requirePermission } from "../http/authenticate.ts";
import { checkIdempotencyKey, commandDigest } from "../http/idempotency.ts";
import { timestamp } from "../kernel/clock.ts";
import { type ApiError, asApiError, invalidField } from "../kernel/errors.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Principal } from "../projects/schema.ts";
import { type Profile, PROFILES } from "./profiles.ts";
import { RESEARCH_TOOLS } from "./research_tools.ts";
import { fixedKeys, type FixedScope, withFixedScope } from "./scopes.ts";
import { createTool, inputSchemaWithout, type Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";
import type { ScopeGuard } from "./scope_guard.ts";

/** The caller behind a connection or request. */
export interface Caller {
  readonly principal: Pick<Principal, "project" | "projectId" | "permissions">;
  readonly fixed: FixedScope;
  /** The selection of tools. */
  readonly profile: Profile;
  /** The service's URL, for links to the dashboard. */
  readonly base: string;
  /** Id of the enclosing request. */
  readonly requestId: string;
}

/** What decides which tools a caller has, and how they are described. */
export type ToolOwner = Omit<Caller, "requestId" | "base">;

/** Where a sentence of a description begins. A dot within "e.g." or a number doesn't end one. */
const SENTENCE_START = /(?<=\.) (?=[A-Z]|[a-z]+_[a-z]+ )/;

/** Names of tools that consist of several words. Others, like "search", are also common words. */
const TOOL_NAME = /\b[a-z]+_[a-z]+\b/g;

/** Dependencies for `ToolRegistry`. */
export interface ToolRegistryDeps {
  readonly appContext: AppContext;
  readonly endpoints: readonly Endpoint[];
  readonly scopeGuard: ScopeGuard;
  readonly log: Log;
}

/** The tools for a data directory. */
export class ToolRegistry {
  readonly #deps: ToolRegistryDeps;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Cached tool lists, keyed by profile, permissions and fixed scopes. There are at most 192. */
  readonly #lists = new Map<string, ListedTool[]>();

  constructor(deps: ToolRegistryDeps) {
    this.#deps = deps;
    this.#tools = new Map(
      [...TOOLS, ...RESEARCH_TOOLS].map((
        definition,
      ) => [definition.name, createTool(definition, deps.endpoints)]),
    );
  }

  /** Returns the caller's tools, always in the same order. */
  list(caller: ToolOwner): ListedTool[] {
    const { principal, fixed, profile } = caller;
    const keys = fixedKeys(fixed);
    const name = `${profile} ${principal.permissions.toSorted().join()} ${keys.join()}`;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const listed = [...this.#tools.values()]
      .filter((tool) => this.#canUse(caller, tool))
      .map((tool) => toListedTool(tool, keys, this.textFor(caller, tool.description)));
    this.#lists.set(name, listed);
    return listed;
  }

  /** Returns a text for a model without the sentences that name tools the caller doesn't have. */
  textFor(caller: ToolOwner, text: string): string {
    return text.split(SENTENCE_START).filter((sentence) =>
      (sentence.match(TOOL_NAME) ?? []).every((name) => {
        const tool = this.#tools.get(name);
        return tool === undefined || this.#canUse(caller, tool);
      })
    ).join(" ");
  }

  /** Returns the permission that a tool requires, or undefined if there is no such tool. */
  permissionOf(name: string): Permission | undefined {
    return this.#tools.get(name)?.endpoint.permission;
  }

  /** Checks whether a caller's profile contains a tool and its permissions allow it. */
  #canUse({ principal, profile }: ToolOwner, tool: Tool): boolean {
    return PROFILES[profile](tool) && principal.permissions.includes(tool.endpoint.permission);
  }

  /** Checks whether a caller's profile has a tool. */
  has({ profile }: Caller, name: string): boolean {
    const tool = this.#tools.get(name);
    return tool !== undefined && PROFILES[profile](tool);
  }

  /** Calls a tool. Never throws, since errors are results too, for the model to read and handle. */
  async call(
    caller: Caller,
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult> {
    const tool = this.#tools.get(name)!;
    try {
      requirePermission(caller.principal, tool.endpoint.permission);
      const response = await this.#execute(tool, caller, args);
      const has = (other: string) => this.#canUse(caller, this.#tools.get(other)!);
      return {
        content: [{ type: "text", text: tool.summarize(response, has) }],
        structuredContent: response as Record<string, unknown>,
      };
    } catch (error) {
      return this.#toErrorResult(error, tool, caller);
    }
  }

  async #execute(
    tool: Tool,
    caller: Caller,
    args: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const { endpoint } = tool;
    const { appContext, scopeGuard } = this.#deps;
    const { store, clock, ids } = appContext;
    const { idempotency_key: idempotencyKey, ...rest } = withFixedScope(caller.fixed, args);
    const { id, query, body } = splitArguments(tool, rest);
    const { project, projectId } = caller.principal;
    const actor: Actor = { project, projectId, requestId: caller.requestId };
    const call = {
      actor,
      params: endpoint.params && { id },
      query: endpoint.query && parseOrThrow(endpoint.query, query),
      body: endpoint.body && parseOrThrow(endpoint.body, body),
      base: caller.base,
    };
    await scopeGuard.check(tool, project, caller.fixed, call);
    // The API requires a key for inference, so that a retry isn't learned twice. A call without one
    // isn't meant to be retried, so we generate a unique key.
    const key = tool.takesIdempotencyKey
      ? parseIdempotencyKey(idempotencyKey) ??
        (requiresIdempotencyKey(endpoint, call.body) ? ids.next("req") : undefined)
      : undefined;
    const { response } = await executeCall(
      endpoint,
      call,
      store,
      key === undefined ? undefined : {
        key,
        command: commandDigest(endpoint.method, endpoint.path, body),
        at: timestamp(clock.now()),
      },
      scopeGuard.precondition(tool, project, caller.fixed, call),
    );
    return response.json === undefined ? response.body : JSON.parse(response.json);
  }

  #toErrorResult(thrown: unknown, tool: Tool, { requestId }: Caller): CallToolResult {
    const error = asApiError(thrown);
    if (error.status >= 500) {
      this.#deps.log.error("tool failed", {
        request_id: requestId,
        tool: tool.name,
        code: error.code,
        error: describeError(error.cause ?? error),
      });
    }
    return errorResult(error, requestId);
  }
}

/** Returns an API error as a result, structured for programs and as text for models. */
function errorResult(
  { code, message, details }: ApiError,
  requestId: string,
): CallToolResult {
  const payload = { code, message, request_id: requestId, ...(details ? { details } : {}) };
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(payload) }],
    _meta: { "commonplace/error": payload },
  };
}

function toListedTool(tool: Tool, fixed: readonly string[], description: string): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description,
    inputSchema: inputSchemaWithout(tool, fixed) as ListedTool["inputSchema"],
    outputSchema: tool.outputSchema as NonNullable<ListedTool["outputSchema"]>,
    annotations: { title: tool.title, ...tool.hints, openWorldHint: false },
  };
}

/** Splits arguments into the parts of an endpoint request. */
function splitArguments(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const id = tool.idArgument === undefined ? undefined : args[tool.idArgument];
  if (tool.idArgument !== undefined && (typeof id !== "string" || id === "")) {
    throw invalidField(tool.idArgument, "Must be an id");
  }
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (name === tool.idArgument || value === undefined) continue;
    // Query parameters are text, arguments are JSON.
    if (tool.queryArguments.has(name)) query[name] = isScalar(value) ? String(value) : value;
    else body[name] = value;
  }
  return { id, query, body };
}

function requiresIdempotencyKey(endpoint: Endpoint, body: unknown): boolean {
  return "change" in endpoint && typeof endpoint.idempotencyKey === "function" &&
    endpoint.idempotencyKey(body);
}

function isScalar(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function parseIdempotencyKey(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string") throw invalidField("idempotency_key", "Must be text");
  return checkIdempotencyKey(key);
}
