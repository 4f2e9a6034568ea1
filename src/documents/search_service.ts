/**
 * Document search. Takes candidates from the search workers and checks them against the stored
 * records.
 */

import type { ActivityService } from "../activity/service.ts";
import { SCOPE_KEYS } from "../contract/fields.ts";
import type { AppContext } from "../contract/app_context.ts";
import type { SearchPool } from "../search/workers/pool.ts";
import type { QueryEmbedder } from "../search/vectors/query_embedder.ts";
import type { Page } from "../kernel/http/page.ts";
import type { FoundChunk } from "../search/query/chunk_request.ts";
import type { QueryPosition } from "../search/query/record_query.ts";
import { type CitedChunk, findChunksAt, findCurrentChunks, findHeads } from "./repository.ts";
import { type ChunkRow, showChunk, showDocument } from "./row.ts";
import { documentFilter } from "./filter.ts";
import type { Reader } from "../store/store.ts";
import type { Document, DocumentChunk, Hit, ListQuery, SearchBody } from "./schema.ts";

/** Dependencies of document search. */
export interface DocumentSearchDeps {
  readonly appContext: AppContext;
  readonly pool: SearchPool;
  readonly vectors: QueryEmbedder;
  readonly activity: ActivityService;
}

/** Document fields with tags in the text index. */
const TAGGED_FIELDS = [...SCOPE_KEYS, "source_key"] as const;

/** The document search service. */
export class DocumentSearchService {
  readonly #deps: DocumentSearchDeps;

  constructor(deps: DocumentSearchDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a page of the current versions that match a filter, newest first. They're loaded and
   * checked again after the worker found them.
   *
   * @throws {ApiError} INVALID_REQUEST if the cursor belongs to a different list
   */
  async list(project: number, query: ListQuery): Promise<Page<Document>> {
    const { appContext: { cursors, store }, pool } = this.#deps;
    const { filters, limit, cursor } = query;
    const values = TAGGED_FIELDS.map((key) => query[key] ?? null);
    const list = ["filtered documents", project, ...values, filters];
    const { positions } = await pool.queryRecords({
      records: "documents",
      project,
      tags: requiredTags(query),
      filters,
      orderBy: "created_at",
      direction: "desc",
      after: cursor === undefined ? null : cursors.decode<QueryPosition>(list, cursor),
      // One more than requested shows whether there is a next page.
      limit: limit + 1,
      count: false,
    });
    const page = positions.slice(0, limit);
    const loaded = await store.read((db) => findHeads(db, project, page.map(([, id]) => id)));
    const rows = new Map(loaded.map((row) => [row.id, row]));
    return {
      results: page.flatMap(([, id]) => rows.get(id) ?? []).filter(documentFilter(filters))
        .map(showDocument),
      next_cursor: positions.length > page.length ? cursors.encode(list, page.at(-1)!) : null,
    };
  }

  /**
   * Searches chunks. Hits and neighbors are read from the stored records in a single snapshot and
   * checked against head and scope, so outdated chunks and those from other scopes are never
   * returned.
   */
  async search(project: number, body: SearchBody): Promise<Hit[]> {
    const found = await this.#find(project, body);
    return await this.#deps.appContext.store.read(async (db) => {
      const hits = await currentHits(db, project, body, found);
      const positions = neighborPositions(hits.map(({ chunk }) => chunk), body.neighbors);
      const nearby = positions.length === 0 ? [] : await findChunksAt(db, project, positions);
      return hits.map(({ chunk, score }) => showHit(chunk, score, nearby, body.neighbors));
    });
  }

  /** Searches chunks like `search()`, and returns them with their versions. */
  async passages(project: number, body: PassageSearch): Promise<Passage[]> {
    const found = await this.#find(project, body);
    const { store } = this.#deps.appContext;
    const hits = await store.read((db) => currentHits(db, project, body, found));
    return hits.map(({ chunk, score }) => ({
      chunk: showChunk(chunk, chunk),
      version: chunk,
      score,
    }));
  }

  async #find(project: number, body: PassageSearch): Promise<readonly FoundChunk[]> {
    const { pool, vectors, activity } = this.#deps;
    const { found } = await pool.chunks({
      project,
      query: body.query,
      tags: requiredTags(body),
      filters: body.filters,
      limit: body.limit,
    }, vectors.embed(body.query, "documents"));
    activity.recordSearch(project);
    return found;
  }
}

/** A search for passages, without their neighbors. */
type PassageSearch = Omit<SearchBody, "neighbors">;

/** A matching chunk and the version it's in. */
export interface Passage {
  readonly chunk: DocumentChunk;
  readonly version: Pick<CitedChunk, "title" | "created_at">;
  readonly score: number;
}

/** Returns the chunks that are still current and visible to the request. */
async function currentHits(
  db: Reader,
  project: number,
  body: PassageSearch,
  found: readonly FoundChunk[],
): Promise<{ chunk: CitedChunk; score: number }[]> {
  const keys = TAGGED_FIELDS.filter((key) => body[key] !== undefined);
  const matches = documentFilter(body.filters);
  const current = await findCurrentChunks(db, project, found.map(({ seq }) => seq));
  return found.flatMap(({ seq, score }) => {
    const chunk = current.get(seq);
    const isVisible = chunk !== undefined && keys.every((key) => chunk[key] === body[key]) &&
      matches(chunk);
    return isVisible ? [{ chunk, score }] : [];
  });
}

/** Returns the text index tags required of every result. */
function requiredTags(
  fields: Readonly<Partial<Record<typeof TAGGED_FIELDS[number], string | undefined>>>,
): string[] {
  return TAGGED_FIELDS.filter((key) => fields[key] !== undefined)
    .map((key) => `${key}=${fields[key]}`);
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
