/** Document search as a service: candidates from the search workers, evidence from the records. */

import type { ActivityService } from "../activity/service.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { SearchPool } from "../search/workers/pool.ts";
import type { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import { type CitedChunk, findChunksAt, findCurrentChunks } from "./repository.ts";
import { type ChunkRow, showChunk } from "./row.ts";
import type { Hit, SearchBody } from "./schema.ts";

/** What document search calls. */
export interface DocumentSearchDeps {
  readonly appContext: AppContext;
  readonly pool: SearchPool;
  readonly vectors: QueryEmbedder;
  readonly activity: ActivityService;
}

/** The service of document search. */
export class DocumentSearchService {
  readonly #deps: DocumentSearchDeps;

  constructor(deps: DocumentSearchDeps) {
    this.#deps = deps;
  }

  /**
   * What the workers find is loaded again from the canonical records, hits and neighbours in one
   * snapshot, and held against the head and the scope there: nothing stale, and nothing foreign.
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
        const mayBeShown = chunk !== undefined && keys.every((key) => chunk[key] === body[key]);
        return mayBeShown ? [{ chunk, score }] : [];
      });
      const places = neighborPositions(hits.map(({ chunk }) => chunk), body.neighbors);
      const around = places.length === 0 ? [] : await findChunksAt(db, project, places);
      return hits.map(({ chunk, score }) => showHit(chunk, score, around, body.neighbors));
    });
  }
}

/** Where the neighbours of the hits stand; a chunk that is a hit itself is nobody's neighbour. */
function neighborPositions(hits: readonly CitedChunk[], reach: number): [number, number][] {
  const seen = new Set(hits.map(({ version, position }) => `${version} ${position}`));
  const positions: [number, number][] = [];
  for (const { version, position } of hits) {
    for (let at = Math.max(0, position - reach); at <= position + reach; at++) {
      const place = `${version} ${at}`;
      if (seen.has(place)) continue;
      seen.add(place);
      positions.push([version, at]);
    }
  }
  return positions;
}

function showHit(
  chunk: CitedChunk,
  score: number,
  around: readonly ChunkRow[],
  reach: number,
): Hit {
  const neighbors = around
    .filter(({ version, position }) =>
      version === chunk.version && Math.abs(position - chunk.position) <= reach
    )
    .sort((a, b) => a.position - b.position);
  return {
    document: { id: chunk.id, source_key: chunk.source_key },
    chunk: showChunk(chunk, chunk),
    neighbors: neighbors.map((neighbor) => showChunk(chunk, neighbor)),
    score,
  };
}
