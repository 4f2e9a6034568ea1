/**
 * Document search. Takes candidates from the search workers and checks them against the stored
 * records.
 */

import type { ActivityService } from "../activity/service.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { SearchPool } from "../search/workers/pool.ts";
import type { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import { type CitedChunk, findChunksAt, findCurrentChunks } from "./repository.ts";
import { type ChunkRow, showChunk } from "./row.ts";
import type { Hit, SearchBody } from "./schema.ts";

/** Dependencies of document search. */
export interface DocumentSearchDeps {
  readonly appContext: AppContext;
  readonly pool: SearchPool;
  readonly vectors: QueryEmbedder;
  readonly activity: ActivityService;
}

/** The document search service. */
export class DocumentSearchService {
  readonly #deps: DocumentSearchDeps;

  constructor(deps: DocumentSearchDeps) {
    this.#deps = deps;
  }

  /**
   * Searches chunks. Hits and neighbors are read from the stored records in a single snapshot and
   * checked against head and scope, so outdated chunks and those from other scopes are never
   * returned.
   */
  async search(project: number, body: SearchBody): Promise<Hit[]> {
    const { appContext, pool, vectors, activity } = this.#deps;
    const keys = [...SCOPE_KEYS, "source_key" as const].filter((key) => body[key] !== undefined);
    const { found } = await pool.chunks({
      project,
      query: body.query,
      tags: keys.map((key) => `${key}=${body[key]}`),
      limit: body.limit,
    }, vectors.embed(body.query));
    activity.recordSearch(project);
    return await appContext.store.read(async (db) => {
      const current = await findCurrentChunks(db, project, found.map(({ seq }) => seq));
      const hits = found.flatMap(({ seq, score }) => {
        const chunk = current.get(seq);
        const isVisible = chunk !== undefined && keys.every((key) => chunk[key] === body[key]);
        return isVisible ? [{ chunk, score }] : [];
      });
      const positions = neighborPositions(hits.map(({ chunk }) => chunk), body.neighbors);
      const nearby = positions.length === 0 ? [] : await findChunksAt(db, project, positions);
      return hits.map(({ chunk, score }) => showHit(chunk, score, nearby, body.neighbors));
    });
  }
}

/** Returns the positions of the hits' neighbors, excluding other hits. */
function neighborPositions(hits: readonly CitedChunk[], distance: number): [number, number][] {
  const seen = new Set(hits.map(({ version, position }) => `${version} ${position}`));
  const positions: [number, number][] = [];
  for (const { version, position } of hits) {
    for (let at = Math.max(0, position - distance); at <= position + distance; at++) {
      const key = `${version} ${at}`;
      if (seen.has(key)) continue;
      seen.add(key);
      positions.push([version, at]);
    }
  }
  return positions;
}

function showHit(
  chunk: CitedChunk,
  score: number,
  nearby: readonly ChunkRow[],
  distance: number,
): Hit {
  const neighbors = nearby
    .filter(({ version, position }) =>
      version === chunk.version && Math.abs(position - chunk.position) <= distance
    )
    .sort((a, b) => a.position - b.position);
  return {
    document: { id: chunk.id, source_key: chunk.source_key },
    chunk: showChunk(chunk, chunk),
    neighbors: neighbors.map((neighbor) => showChunk(chunk, neighbor)),
    score,
  };
}
