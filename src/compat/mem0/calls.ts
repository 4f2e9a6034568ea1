/** What the calls of mem0's API have in common, and how they reach the endpoints of the API. */

import type {
  Call,
  Change,
  CommandEndpoint,
  Endpoint,
  EndpointResponse,
  QueryEndpoint,
} from "../../contract/endpoint.ts";
import type { AppContext } from "../../contract/app_context.ts";
import type { EntityService } from "../../entities/service.ts";
import type { EventService } from "../../events/service.ts";
import { parseOrThrow } from "../../http/execute_endpoint.ts";
import { truncate } from "../../kernel/text.ts";
import type { BatchService } from "../../memories/batch/service.ts";
import type { MemoryQueryService } from "../../memories/search/query_service.ts";
import type { MemoryService } from "../../memories/service.ts";
import type { OperationService } from "../../operations/service.ts";
import type { WaitDeps } from "./tasks.ts";

/** Services that mem0's calls are translated to. */
export interface Mem0Deps extends WaitDeps {
  readonly appContext: AppContext;
  /** The endpoints of the API, as they are in this variant. */
  readonly endpoints: readonly Endpoint[];
  readonly memories: MemoryService;
  readonly memoryQueries: MemoryQueryService;
  readonly batches: BatchService;
  readonly operations: OperationService;
  readonly entities: EntityService;
  readonly events: EventService;
}

/** What the table of routes adds to a call. */
type FromTable = "method" | "path" | "permission" | "operationId" | "tag" | "summary" | "success";

/** A call that only reads. */
export type QueryPart<P, Q, B> = Omit<QueryEndpoint<P, Q, B>, FromTable>;

/** A call that changes data. */
export type CommandPart<P, Q, B> = Omit<CommandEndpoint<P, Q, B>, FromTable>;

/** A call whose types are erased. */
export type CallPart =
  | QueryPart<unknown, unknown, unknown>
  | CommandPart<unknown, unknown, unknown>;

/** Parts of a request to an endpoint of the API. */
interface V1Request {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Calls endpoints of the API, with everything that they check, record and charge. */
export class V1 {
  readonly #endpoints: readonly Endpoint[];

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
  }

  /** Runs a query and returns the body of its response. */
  async read(
    operationId: string,
    call: Call<unknown, unknown, unknown>,
    request: V1Request,
  ): Promise<unknown> {
    const endpoint = this.#find(operationId);
    if (!("read" in endpoint)) throw new Error(`${operationId} isn't a query`);
    return responseBody(await endpoint.read(validated(endpoint, call, request)));
  }

  /** Prepares a change. None of those called from here holds resources. */
  async change(
    operationId: string,
    call: Call<unknown, unknown, unknown>,
    request: V1Request,
  ): Promise<Change> {
    const endpoint = this.#find(operationId);
    if (!("change" in endpoint)) throw new Error(`${operationId} isn't a change`);
    const change = await endpoint.change(validated(endpoint, call, request));
    return typeof change === "function" ? change : change.write;
  }

  #find(operationId: string): Endpoint {
    const found = this.#endpoints.find((endpoint) => endpoint.operationId === operationId);
    if (found === undefined) throw new Error(`No endpoint "${operationId}"`);
    return found;
  }
}

function validated(
  { params, query, body }: Endpoint,
  { actor, base }: Call<unknown, unknown, unknown>,
  request: V1Request,
): Call<unknown, unknown, unknown> {
  return {
    actor,
    base,
    params: params && parseOrThrow(params, request.params),
    query: query && parseOrThrow(query, request.query ?? {}),
    body: body && parseOrThrow(body, request.body),
  };
}

/** Returns the body of a response, which is JSON text if it's replayed. */
export function responseBody({ body, json }: EndpointResponse): unknown {
  return json === undefined ? body : JSON.parse(json);
}

/** Fields that clients send along with a request and that have no effect on it. */
const PROTOCOL_FIELDS: ReadonlySet<string> = new Set([
  "api_version",
  "async_mode",
  "org_id",
  "org_name",
  "output_format",
  "project_id",
  "project_name",
  "source",
  "version",
]);

/** Maximum number of ignored fields that a response names. */
const MAX_IGNORED_FIELDS = 50;

/**
 * Returns the part of a response that names the fields of a body without effect. Fields that are off
 * or empty aren't listed.
 *
 * @param others anything else that had no effect
 */
export function ignoredFields(
  body: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): { readonly ignored?: readonly string[] } {
  const fields = Object.entries(body)
    .filter(([name, value]) =>
      !Object.hasOwn(known, name) && !PROTOCOL_FIELDS.has(name) && value !== null &&
      value !== false
    )
    .map(([name]) => truncate(name, 64))
    .slice(0, MAX_IGNORED_FIELDS);
  const ignored = [...fields, ...others];
  return ignored.length === 0 ? {} : { ignored };
}
