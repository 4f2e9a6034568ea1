/** The tools at work: who may use which, and a call from its arguments to its result. */

import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Actor, Endpoint } from "../contract/endpoint.ts";
import type { Foundation } from "../contract/foundation.ts";
import { carryOut, checked } from "../http/carry_out.ts";
import { requirePermission } from "../http/authenticate.ts";
import { checkKey, commandDigest } from "../http/idempotency.ts";
import { timestamp } from "../kernel/clock.ts";
import { type ApiError, asApiError, invalidField } from "../kernel/errors.ts";
import { describeError, type Log } from "../kernel/log.ts";
import type { KeyHolder } from "../projects/schema.ts";
import { fixedKeys, type FixedScope, withFixed } from "./scopes.ts";
import { inputSchemaWithout, type Tool, toolOf } from "./tool.ts";
import { TOOLS } from "./tools.ts";
import type { Fence } from "./fence.ts";

/** Who calls over a connection, or by a request. */
export interface Caller {
  readonly holder: Pick<KeyHolder, "project" | "projectId" | "permissions">;
  readonly fixed: FixedScope;
  /** The id of the request that the call came by. */
  readonly requestId: string;
}

/** What the tools stand on. */
export interface ToolboxDeps {
  readonly foundation: Foundation;
  readonly endpoints: readonly Endpoint[];
  readonly fence: Fence;
  readonly log: Log;
}

/** The tools of a data directory. */
export class Toolbox {
  readonly #deps: ToolboxDeps;
  readonly #tools: ReadonlyMap<string, Tool>;
  /** Lists by permissions and fixed scopes: at most 64, each made once. */
  readonly #lists = new Map<string, ListedTool[]>();

  constructor(deps: ToolboxDeps) {
    this.#deps = deps;
    this.#tools = new Map(TOOLS.map((words) => [words.name, toolOf(words, deps.endpoints)]));
  }

  /** The tools that the caller may use, always in the same order. */
  list({ holder, fixed }: Caller): ListedTool[] {
    const keys = fixedKeys(fixed);
    const name = `${holder.permissions.toSorted().join()} ${keys.join()}`;
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const listed = [...this.#tools.values()]
      .filter(({ endpoint }) => holder.permissions.includes(endpoint.permission))
      .map((tool) => show(tool, keys));
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
      requirePermission(caller.holder, tool.endpoint.permission);
      const answer = await this.#run(tool, caller, args);
      return {
        content: [{ type: "text", text: tool.text(answer) }],
        structuredContent: answer as Record<string, unknown>,
      };
    } catch (error) {
      return this.#refuse(error, tool, caller);
    }
  }

  async #run(
    tool: Tool,
    caller: Caller,
    given: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const { endpoint } = tool;
    const { foundation, fence } = this.#deps;
    const { store, clock, ids } = foundation;
    const { idempotency_key: once, ...all } = withFixed(caller.fixed, given);
    const { id, query, body } = split(tool, all);
    const { project, projectId } = caller.holder;
    const actor: Actor = { project, projectId, requestId: caller.requestId };
    const call = {
      actor,
      params: endpoint.params && { id },
      query: endpoint.query && checked(endpoint.query, query),
      body: endpoint.body && checked(endpoint.body, body),
      base: "",
    };
    await fence.check(tool, project, caller.fixed, call);
    // The API wants a key for inference, so that a repetition isn't learned twice. Whoever gives
    // none here doesn't mean to repeat: the call gets one that nobody has.
    const key = tool.adds
      ? checkedOnce(once) ?? (needsKey(endpoint, call.body) ? ids.next("req") : undefined)
      : undefined;
    const { answer } = await carryOut(
      endpoint,
      call,
      store,
      key === undefined ? undefined : {
        key,
        command: commandDigest(endpoint.method, endpoint.path, body),
        at: timestamp(clock.now()),
      },
    );
    return answer.json === undefined ? answer.body : JSON.parse(answer.json);
  }

  #refuse(thrown: unknown, tool: Tool, { requestId }: Caller): CallToolResult {
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
  const told = { code, message, request_id: requestId, ...(details ? { details } : {}) };
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(told) }],
    _meta: { "commonplace/error": told },
  };
}

function show(tool: Tool, fixed: readonly string[]): ListedTool {
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
function split(tool: Tool, args: Readonly<Record<string, unknown>>) {
  const id = tool.id === undefined ? undefined : args[tool.id];
  if (tool.id !== undefined && (typeof id !== "string" || id === "")) {
    throw invalidField(tool.id, "Must be the id of a record");
  }
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (name === tool.id || value === undefined) continue;
    // A query is text; arguments are JSON.
    if (tool.inQuery.has(name)) query[name] = isScalar(value) ? String(value) : value;
    else body[name] = value;
  }
  return { id, query, body };
}

function needsKey(endpoint: Endpoint, body: unknown): boolean {
  return "change" in endpoint && typeof endpoint.idempotencyKey === "function" &&
    endpoint.idempotencyKey(body);
}

function isScalar(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function checkedOnce(key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== "string") throw invalidField("idempotency_key", "Must be text");
  return checkKey(key);
}
