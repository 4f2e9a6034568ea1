/** The tools at work: who may use which, and a call from its arguments to its result. */

import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Actor, Endpoint } from "../contract/endpoint.ts";
import type { AppContext } from "../contract/app_context.ts";
import { executeCall, parseOrThrow } from "../http/execute_endpoint.ts";
import { requirePermission } from "../http/authenticate.ts";
import { checkIdempotencyKey, commandDigest } from "../http/idempotency.ts";
import { timestamp } from "../kernel/clock.ts";
import { type ApiError, asApiError, invalidField } from "../kernel/errors.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { Principal } from "../projects/schema.ts";
import { fixedKeys, type FixedScope, withFixedScope } from "./scopes.ts";
import { createTool, inputSchemaWithout, type Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";
import type { ScopeGuard } from "./scope_guard.ts";

/** Who calls over a connection, or by a request. */
export interface Caller {
  readonly principal: Pick<Principal, "project" | "projectId" | "permissions">;
  readonly fixed: FixedScope;
  /** The id of the request that the call came by. */
  readonly requestId: string;
}

/** What the tools stand on. */
export interface ToolRegistryDeps {
  readonly appContext: AppContext;
  readonly endpoints: readonly Endpoint[];
  readonly scopeGuard: ScopeGuard;
  readonly log: Log;
}

/** The tools of a data directory. */
export class ToolRegistry {
  readonly #deps: ToolRegistryDeps;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Lists by permissions and fixed scopes: at most 64, each made once. */
  readonly #lists = new Map<string, ListedTool[]>();

  constructor(deps: ToolRegistryDeps) {
    this.#deps = deps;
    this.#tools = new Map(TOOLS.map((words) => [words.name, createTool(words, deps.endpoints)]));
  }

  /** The tools that the caller may use, always in the same order. */
  list({ principal, fixed }: Caller): ListedTool[] {
    const keys = fixedKeys(fixed);
    const name = `${principal.permissions.toSorted().join()} ${keys.join()}`;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const listed = [...this.#tools.values()]
      .filter(({ endpoint }) => principal.permissions.includes(endpoint.permission))
      .map((tool) => toListedTool(tool, keys));
    this.#lists.set(name, listed);
    return listed;
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Never throws: what goes wrong is a result too, so that the model reads what to do about it. */
  async call(
    caller: Caller,
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult> {
    const tool = this.#tools.get(name)!;
    try {
      requirePermission(caller.principal, tool.endpoint.permission);
      const answer = await this.#execute(tool, caller, args);
      return {
        content: [{ type: "text", text: tool.summarize(answer) }],
        structuredContent: answer as Record<string, unknown>,
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
    const { idempotency_key: once, ...all } = withFixedScope(caller.fixed, args);
    const { id, query, body } = splitArguments(tool, all);
    const { project, projectId } = caller.principal;
    const actor: Actor = { project, projectId, requestId: caller.requestId };
    const call = {
      actor,
      params: endpoint.params && { id },
      query: endpoint.query && parseOrThrow(endpoint.query, query),
      body: endpoint.body && parseOrThrow(endpoint.body, body),
      base: "",
    };
    await scopeGuard.check(tool, project, caller.fixed, call);
    // The API wants a key for inference, so that a repetition isn't learned twice. Whoever gives
    // none here doesn't mean to repeat: the call gets one that nobody has.
    const key = tool.takesIdempotencyKey
      ? parseIdempotencyKey(once) ??
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

/** An error as the API tells it, for machines and, as text, for models. */
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

function toListedTool(tool: Tool, fixed: readonly string[]): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaWithout(tool, fixed) as ListedTool["inputSchema"],
    outputSchema: tool.outputSchema as NonNullable<ListedTool["outputSchema"]>,
    annotations: { title: tool.title, ...tool.hints, openWorldHint: false },
  };
}

/** Arguments into the parts of the endpoint's request. */
function splitArguments(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const id = tool.idArgument === undefined ? undefined : args[tool.idArgument];
  if (tool.idArgument !== undefined && (typeof id !== "string" || id === "")) {
    throw invalidField(tool.idArgument, "Must be the id of a record");
  }
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (name === tool.idArgument || value === undefined) continue;
    // A query is text; arguments are JSON.
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
