/** Exact queries over memories: a filter, an order and pages, without ranking. */

import { SCOPE_KEYS } from "../../contract/fields.ts";
import type { AppContext } from "../../contract/app_context.ts";
import type { QueryPosition, RecordQuery } from "../../search/query/record_query.ts";
import type { SearchPool } from "../../search/workers/pool.ts";
import { findMemories } from "../repository.ts";
import { showMemory } from "../row.ts";
import type { Memory } from "../schema.ts";
import type { QueryBody, QueryResponse } from "./schema.ts";
import { requiredTags, visibilityCheck } from "./service.ts";

/** Dependencies of `MemoryQueryService`. */
export interface MemoryQueryDeps {
  readonly appContext: AppContext;
  readonly pool: Pick<SearchPool, "queryRecords">;
}

/** Runs exact queries over memories. */
export class MemoryQueryService {
  readonly #deps: MemoryQueryDeps;

  constructor(deps: MemoryQueryDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a page of the memories that match exactly. They're loaded and checked again after the
   * worker found them, so a memory changed or deleted since then can be missing from the page, but
   * the page is never outdated.
   *
   * @throws {ApiError} INVALID_REQUEST if the cursor belongs to a different query
   */
  async query(project: number, body: QueryBody): Promise<QueryResponse> {
    const { cursors } = this.#deps.appContext;
    const list = listName(project, body);
    const { results, positions, count } = await this.#run(project, body, {
      after: body.cursor === undefined ? null : cursors.decode<QueryPosition>(list, body.cursor),
    });
    const last = positions.length > body.limit ? positions[body.limit - 1] : undefined;
    return {
      results,
      next_cursor: last === undefined ? null : cursors.encode(list, last),
      ...count === null ? {} : { count },
    };
  }

  /**
   * Returns a page by its offset rather than by a cursor, with the number of all matching memories.
   * Memories added or deleted in the meantime shift later pages.
   */
  async pageAt(
    project: number,
    body: Omit<QueryBody, "cursor" | "count">,
    offset: number,
  ): Promise<{ readonly results: Memory[]; readonly count: number }> {
    const query = { ...body, count: true };
    const { results, count } = await this.#run(project, query, { after: null, offset });
    return { results, count: count! };
  }

  /**
   * Returns the ids of all matching memories, or of the first `limit` of them. They aren't checked
   * again, so some may have been changed or deleted since the worker found them.
   */
  async ids(
    project: number,
    selection: Pick<QueryBody, "user_id" | "agent_id" | "run_id" | "filters">,
    limit: number,
  ): Promise<string[]> {
    const { positions } = await this.#deps.pool.queryRecords({
      records: "memories",
      project,
      tags: requiredTags(selection),
      filters: selection.filters,
      orderBy: "created_at",
      direction: "desc",
      after: null,
      limit,
      count: false,
    });
    return positions.map(([, id]) => id);
  }

  async #run(
    project: number,
    body: Omit<QueryBody, "cursor">,
    start: Pick<RecordQuery, "after" | "offset">,
  ) {
    const { appContext: { store }, pool } = this.#deps;
    const { positions, count } = await pool.queryRecords({
      records: "memories",
      project,
      tags: requiredTags(body),
      filters: body.filters,
      orderBy: body.order_by,
      direction: body.direction,
      ...start,
      // One more than requested shows whether there is a next page.
      limit: body.limit + 1,
      count: body.count,
    });
    const ids = positions.slice(0, body.limit).map(([, id]) => id);
    const loaded = await store.read((db) => findMemories(db, project, ids));
    const rows = new Map(loaded.map((row) => [row.id, row]));
    const isVisible = visibilityCheck(body);
    const results = ids.flatMap((id) => rows.get(id) ?? []).map(showMemory).filter(isVisible);
    return { results, positions, count };
  }
}

/** Returns everything that selects and orders the results, so that a cursor fits only its query. */
function listName(project: number, body: QueryBody): readonly unknown[] {
  const { order_by, direction, filters = null, memory_type = null } = body;
  const scope = SCOPE_KEYS.map((key) => body[key] ?? null);
  return ["memories/query", project, order_by, direction, memory_type, ...scope, filters];
}
