/** Exact queries over memories: a filter, an order and pages, without ranking. */

import { SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { QueryPosition } from "../search/query/record_query.ts";
import type { SearchPool } from "../search/workers/pool.ts";
import { findMemories } from "./repository.ts";
import { showMemory } from "./row.ts";
import type { QueryBody, QueryResponse } from "./search_schema.ts";
import { requiredTags, visibilityCheck } from "./search_service.ts";

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
    const { appContext: { cursors, store }, pool } = this.#deps;
    const list = listName(project, body);
    const { positions, count } = await pool.queryRecords({
      records: "memories",
      project,
      tags: requiredTags(body),
      filters: body.filters,
      orderBy: body.order_by,
      direction: body.direction,
      after: body.cursor === undefined
        ? null
        : cursors.decode(list, body.cursor) as unknown as QueryPosition,
      // One more than requested shows whether there is a next page.
      limit: body.limit + 1,
      count: body.count,
    });
    const page = positions.slice(0, body.limit);
    const ids = page.map(([, id]) => id);
    const loaded = await store.read((db) => findMemories(db, project, ids));
    const rows = new Map(loaded.map((row) => [row.id, row]));
    const isVisible = visibilityCheck(body);
    return {
      results: ids.flatMap((id) => rows.get(id) ?? []).map(showMemory).filter(isVisible),
      next_cursor: positions.length > page.length ? cursors.encode(list, page.at(-1)!) : null,
      ...count === null ? {} : { count },
    };
  }
}

/** Returns everything that selects and orders the results, so that a cursor fits only its query. */
function listName(project: number, body: QueryBody): readonly unknown[] {
  const { order_by, direction, filters = null, memory_type = null } = body;
  const scope = SCOPE_KEYS.map((key) => body[key] ?? null);
  return ["memories/query", project, order_by, direction, memory_type, ...scope, filters];
}
