/** Searches, lists, events and history in mem0's format. */

import { type Call, ok } from "../../contract/endpoint.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { InferenceEvent } from "../../events/schema.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { Memory } from "../../memories/schema.ts";
import type { SearchResponse } from "../../memories/search/schema.ts";
import { ignoredFields, type Mem0Deps, type QueryPart, V1 } from "./calls.ts";
import { translateSelection } from "./filters.ts";
import {
  type CountedPage,
  type PagePosition,
  pickFields,
  showEntity,
  showEvent,
  showHistory,
  showMemory,
  showPage,
} from "./format.ts";
import * as schema from "./schema.ts";

/** Maximum number of history entries returned for one memory. */
const MAX_HISTORY_ENTRIES = 1_000;

const DEFAULT_PAGE_SIZE = 100;

type Params = { readonly id: string };

/** A search. At most 50 results are returned, however many are requested. */
export function search(deps: Mem0Deps): QueryPart<unknown, unknown, schema.SearchBody> {
  const v1 = new V1(deps.endpoints);
  return {
    body: schema.searchBody,
    async read(call) {
      const { query, top_k, limit, threshold, fields } = call.body;
      const { results } = await v1.read("searchMemories", call, {
        body: {
          query,
          ...translateSelection(call.body, deps.appContext.clock),
          top_k: Math.min(top_k ?? limit ?? LIMITS.topKDefault, LIMITS.topK),
          min_score: threshold,
        },
      }) as SearchResponse;
      return ok({
        results: results.map((memory) => pickFields(showMemory(memory), fields)),
        ...ignoredFields(call.body, schema.searchBody.shape),
      });
    },
  };
}

type PageQuery = { readonly page?: number | undefined; readonly page_size?: number | undefined };

/** A page of the memories that match a filter, with the number of all of them. */
export function list(
  deps: Mem0Deps,
): QueryPart<unknown, PageQuery, ReturnType<typeof schema.listBody.parse>> {
  return {
    query: schema.pageQuery,
    body: schema.listBody,
    async read(call) {
      const { body, query } = call;
      const position = positionOf({ ...body, ...definedFields(query) });
      const found = await memoriesAt(deps, call, body, position);
      return ok({
        ...showPage(listUrl(call, {}), position, found),
        ...ignoredFields(body, schema.listBody.shape),
      });
    },
  };
}

type ListQuery = ReturnType<typeof schema.listQuery.parse>;

/** A list whose selection is in the URL, from the first version of mem0's platform. */
export function listByQuery(deps: Mem0Deps): QueryPart<unknown, ListQuery, unknown> {
  return {
    query: schema.listQuery,
    async read(call) {
      const { page, page_size, limit, top_k, ...selection } = call.query;
      const position = positionOf({ page, page_size: page_size ?? top_k ?? limit });
      const found = await memoriesAt(deps, call, selection, position);
      return ok(showPage(listUrl(call, selection), position, found));
    },
  };
}

/** A list without pages, like that of mem0's own server. */
export function listAll(deps: Mem0Deps): QueryPart<unknown, ListQuery, unknown> {
  return {
    query: schema.listQuery,
    async read(call) {
      const { page: _, page_size, limit, top_k, ...selection } = call.query;
      const position = { page: 1, size: top_k ?? limit ?? page_size ?? DEFAULT_PAGE_SIZE };
      const { results } = await memoriesAt(deps, call, selection, position);
      return ok({ results });
    },
  };
}

/** One memory. */
export function get(deps: Mem0Deps): QueryPart<Params, unknown, unknown> {
  const v1 = new V1(deps.endpoints);
  return {
    params: schema.memoryParams,
    read: async (call) =>
      ok(showMemory(await v1.read("getMemory", call, { params: call.params }) as Memory)),
  };
}

/** The changes of a memory, oldest first, as a bare list. */
export function history({ appContext: { store }, memories }: Mem0Deps): QueryPart<
  Params,
  unknown,
  unknown
> {
  return {
    params: schema.memoryParams,
    async read({ actor: { project }, params: { id } }) {
      const { results } = await memories.history(project, id, { limit: MAX_HISTORY_ENTRIES });
      const memory = await store.read((db) => memories.get(db, project, id)).catch(ifUnknown);
      return ok(showHistory(results, memory));
    },
  };
}

/** One event. */
export function event(deps: Mem0Deps): QueryPart<Params, unknown, unknown> {
  const v1 = new V1(deps.endpoints);
  return {
    params: schema.memoryParams,
    read: async (call) =>
      ok(showEvent(await v1.read("getEvent", call, { params: call.params }) as InferenceEvent)),
  };
}

/** A page of the events, newest first. */
export function events(deps: Mem0Deps): QueryPart<unknown, PageQuery, unknown> {
  return {
    query: schema.pageQuery,
    async read(call) {
      const position = positionOf(call.query);
      const { results, count } = await deps.events.pageAt(call.actor.project, rowsOf(position));
      const page = { results: results.map(showEvent), count };
      return ok(showPage(new URL(`${call.base}/events/`), position, page));
    },
  };
}

/** A page of the users, agents and runs that own memories. */
export function entities(deps: Mem0Deps): QueryPart<unknown, PageQuery, unknown> {
  return {
    query: schema.entityPageQuery,
    async read(call) {
      const position = positionOf({ page_size: LIMITS.mem0Entities, ...definedFields(call.query) });
      const { results, count } = await deps.entities.pageAt(call.actor.project, rowsOf(position));
      const page = { results: results.map(showEntity), count };
      return ok(showPage(new URL(`${call.base}/entities/`), position, page));
    },
  };
}

/** The users, agents and runs as a bare list, like that of mem0's own server. */
export function entityList(deps: Mem0Deps): QueryPart<unknown, unknown, unknown> {
  return {
    async read({ actor }) {
      const page = { offset: 0, limit: LIMITS.mem0Entities };
      return ok((await deps.entities.pageAt(actor.project, page)).results);
    },
  };
}

async function memoriesAt(
  { appContext: { clock }, memoryQueries }: Mem0Deps,
  { actor }: Pick<Call<unknown, unknown, unknown>, "actor">,
  { fields, ...selection }: schema.ListRequest,
  position: PagePosition,
): Promise<CountedPage> {
  const { offset, limit } = rowsOf(position);
  const query = {
    ...translateSelection(selection, clock),
    order_by: "created_at",
    direction: "desc",
    limit,
  } as const;
  const { results, count } = await memoryQueries.pageAt(actor.project, query, offset);
  return { results: results.map((memory) => pickFields(showMemory(memory), fields)), count };
}

function positionOf({ page = 1, page_size = DEFAULT_PAGE_SIZE }: PageQuery): PagePosition {
  return { page, size: page_size };
}

function rowsOf({ page, size }: PagePosition) {
  return { offset: (page - 1) * size, limit: size };
}

/** Returns the URL of a list of memories, with everything in its query except for the page. */
function listUrl(
  { base }: Pick<Call<unknown, unknown, unknown>, "base">,
  selection: Readonly<Record<string, unknown>>,
): URL {
  const url = new URL(`${base}/memories/`);
  for (const [name, value] of Object.entries(definedFields(selection))) {
    if (value !== false) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Returns the fields of an object that are set. */
function definedFields<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

function ifUnknown(error: unknown): undefined {
  if (error instanceof ApiError && error.code === "MEMORY_NOT_FOUND") return undefined;
  throw error;
}
