/** Memory search. The search workers find candidates; the results are read from the database. */

import type { ActivityService } from "../../activity/service.ts";
import { type Scope, SCOPE_KEYS } from "../../contract/fields.ts";
import type { AppContext } from "../../contract/app_context.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { compileFilter } from "../../search/query/filter.ts";
import type { SearchPool } from "../../search/workers/pool.ts";
import type { QueryEmbedder } from "../../search/vectors/query_embedder.ts";
import { isStorageUnavailable } from "../../store/disk_error.ts";
import type { AccessLog } from "../history/access_log.ts";
import { findMemories } from "../repository.ts";
import { showMemory } from "../row.ts";
import type { Memory } from "../schema.ts";
import type { BeliefChain, SearchBody, SearchResponse } from "./schema.ts";

const SORTS_BY_READS: ReadonlySet<SearchBody["sort_by"]> = new Set([
  "most_accessed",
  "last_accessed",
]);

/**
 * Returns the value histories of the slots mentioned by memories, within a scope. Omits slots whose
 * value never changed.
 */
export type ChainReader = (
  project: number,
  scope: Scope,
  memoryIds: readonly string[],
) => Promise<readonly BeliefChain[]>;

/** Dependencies of `MemorySearchService`. */
export interface MemorySearchDeps {
  readonly appContext: AppContext;
  readonly pool: SearchPool;
  readonly vectors: QueryEmbedder;
  readonly access: AccessLog;
  readonly activity: ActivityService;
  readonly chains: ChainReader;
}

/** Searches memories. */
export class MemorySearchService {
  readonly #deps: MemorySearchDeps;

  constructor(deps: MemorySearchDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the best memories for a query. Candidates are reloaded from the database and checked
   * against scope, type and filter, so a stale index can't return outdated or unrelated memories.
   */
  async search(project: number, body: SearchBody): Promise<SearchResponse> {
    const { appContext, pool, vectors, access, activity, chains } = this.#deps;
    if (SORTS_BY_READS.has(body.sort_by)) await this.#flushAccess();
    const { found, trace } = await pool.memories({
      project,
      query: body.query,
      tags: requiredTags(body),
      filters: body.filters,
      mode: body.mode,
      strategy: body.search_strategy,
      sortBy: body.sort_by ?? null,
      minScore: body.min_score,
      topK: body.top_k ?? body.limit ?? LIMITS.topKDefault,
      trace: body.trace,
      now: appContext.clock.now(),
      vectorExpected: vectors.enabled,
    }, vectors.embed(body.query, "memories"));
    const ids = found.map(({ id }) => id);
    const loaded = await appContext.store.read((db) => findMemories(db, project, ids));
    const rows = new Map(loaded.map((row) => [row.id, row]));
    const isVisible = visibilityCheck(body);
    const results = found.flatMap(({ id, score }) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      const memory = showMemory(row);
      return isVisible(memory) ? [{ ...memory, score }] : [];
    });
    activity.recordSearch(project);
    access.record(project, results.map(({ id }) => id));
    const beliefs = body.beliefs ? await chains(project, body, results.map(({ id }) => id)) : [];
    return {
      results,
      ...beliefs.length === 0 ? {} : { beliefs: [...beliefs] },
      // The trace is plain data matching the response schema.
      ...trace === null ? {} : { trace: trace as NonNullable<SearchResponse["trace"]> },
    };
  }

  /**
   * Flushes buffered reads, so that sorting by reads includes the latest ones. If the disk can't
   * store them right now, the search still succeeds.
   */
  async #flushAccess(): Promise<void> {
    try {
      await this.#deps.access.flush();
    } catch (error) {
      if (!isStorageUnavailable(error)) throw error;
    }
  }
}

/** Returns the text index tags required of every result. */
export function requiredTags(body: Scope & { memory_type?: string | undefined }): string[] {
  return [...SCOPE_KEYS, "memory_type" as const]
    .filter((key) => body[key] !== undefined)
    .map((key) => `${key}=${body[key]}`);
}

export function visibilityCheck(
  body: Scope & Pick<SearchBody, "memory_type" | "filters">,
): (memory: Memory) => boolean {
  const filter = body.filters === undefined ? () => true : compileFilter(body.filters);
  const keys = [...SCOPE_KEYS, "memory_type" as const].filter((key) => body[key] !== undefined);
  return (memory) => keys.every((key) => memory[key] === body[key]) && filter(memory);
}
