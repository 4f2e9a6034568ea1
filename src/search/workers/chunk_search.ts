/** Document search, from the query to the ranked chunks in current versions. */

import sql, { join, raw } from "sql-template-tag";
import type { Connection } from "../../store/sqlite/connection.ts";
import type { ChunkSearchRequest, ChunkSearchResult } from "../query/chunk_request.ts";
import { fuse, similarityScale } from "../ranking/fusion.ts";
import { findByImpact } from "../lexical/chunk_candidates.ts";
import { type Collection, DocumentFrequencies, weightTerms } from "../lexical/term_search.ts";
import type { VectorCache } from "../vectors/vector_cache.ts";
import { type PassageTotals, type ScoredPassage, scorePassages } from "../lexical/passages.ts";
import type { QueryVector } from "../query/memory_request.ts";
import { matchingDocuments } from "./record_query.ts";
import {
  chunkSource,
  chunkSourceOf,
  parseTags,
  type TagCondition,
} from "../vectors/vector_source.ts";
import { IMPACT_LEVELS } from "../lexical/impacts.ts";
import { nanToNull, type NearestOptions, VectorScorer } from "../vectors/vector_search.ts";
import { CHUNK_POSTINGS, EXTRA_CHUNKS, PASSAGE } from "../ranking/weights.ts";

/** Searches chunks on a single connection, with caches that carry over between searches. */
export class ChunkSearcher {
  readonly #connection: Connection;
  readonly #documentFrequencies = new DocumentFrequencies();
  readonly #vectorCache: VectorCache;

  constructor(connection: Connection, vectorCache: VectorCache) {
    this.#connection = connection;
    this.#vectorCache = vectorCache;
  }

  /**
   * Runs a search in a single snapshot, so the version behind every result is current in that
   * snapshot.
   */
  search(request: ChunkSearchRequest, vector: QueryVector | null): ChunkSearchResult {
    this.#connection.exec("begin");
    try {
      return { found: this.#search(request, vector) };
    } finally {
      this.#connection.exec("commit");
    }
  }

  #search(request: ChunkSearchRequest, vector: QueryVector | null): ScoredPassage[] {
    const { project, query, tags, filters, limit } = request;
    const versions = filters === undefined ? null : matchingDocuments(this.#connection, request);
    if (versions?.length === 0) return [];
    const clauses = tags.map((tag) => [tag]);
    const totals = this.#totals(project);
    const collection: Collection = {
      index: "chunks",
      project,
      total: totals.chunks,
      letters: IMPACT_LEVELS.map(({ letter }) => letter),
    };
    const terms = weightTerms(
      this.#connection,
      this.#documentFrequencies,
      collection,
      CHUNK_POSTINGS,
      query,
    );
    const evidence = vector === null ? "words" : "meaning";
    const candidateCount = limit + EXTRA_CHUNKS[evidence];
    const source = versions === null
      ? chunkSource(this.#connection, project, totals.chunks, parseTags(tags))
      : chunkSourceOf(this.#connection, project, totals.chunks, versions);
    const keep = this.#keep(request, versions);
    const vectorScorer = vector === null
      ? null
      : new VectorScorer(this.#connection, this.#vectorCache, source, vector);
    const nearest = vectorScorer === null
      ? []
      : vectorScorer.nearest({ keep, limit: candidateCount }).map(({ seq }) => seq);
    // A match may be in an outdated version, or one that doesn't match the filter. If too many of them are, we widen the search.
    for (let width = candidateCount;; width *= 8) {
      const matches = findByImpact(
        this.#connection,
        this.#documentFrequencies,
        collection,
        terms,
        clauses,
        width,
      );
      const kept = versions === null ? matches : keep(matches);
      const found = [...new Set([...kept, ...nearest])];
      const passages = scorePassages(
        this.#connection,
        project,
        totals,
        terms,
        found,
        PASSAGE[evidence],
      );
      const scored = vectorScorer === null || vector === null
        ? passages
        : this.#fuse(passages, vectorScorer, vector);
      if (scored.length >= limit || matches.length < width) return scored.slice(0, limit);
    }
  }

  /**
   * Returns a function that keeps the chunks visible to the request. Vectors in memory can be of
   * chunks that are no longer in a current version.
   *
   * @param versions numbers of the versions that match the filter, or null if there is none
   */
  #keep(
    { project, tags }: ChunkSearchRequest,
    versions: readonly number[] | null,
  ): NearestOptions["keep"] {
    if (versions !== null) {
      const matching = new Set(versions);
      return (seqs) => this.#keepVersions(matching, seqs);
    }
    const conditions = parseTags(tags);
    return (seqs) => this.#keepMatchingHeads(project, conditions, seqs);
  }

  /** Returns the chunks in some versions. */
  #keepVersions(versions: ReadonlySet<number>, seqs: readonly number[]): number[] {
    return this.#connection.all<{ seq: number; version: number }>(sql`
      select chunks.seq, chunks.version from json_each(${JSON.stringify(seqs)}) as wanted
      cross join chunks on chunks.seq = wanted.value`)
      .flatMap(({ seq, version }) => versions.has(version) ? [seq] : []);
  }

  /**
   * Returns the chunks in current versions that meet all conditions. Only reads these chunks rather
   * than the whole scope.
   */
  #keepMatchingHeads(
    project: number,
    conditions: readonly TagCondition[],
    seqs: readonly number[],
  ): number[] {
    const clauses = [
      sql`head.project = ${project} and is_head = 1`,
      ...conditions.map(({ column, value }) => sql`head.${raw(column)} = ${value}`),
    ];
    return this.#connection.all<{ seq: number }>(sql`select chunks.seq
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join chunks on chunks.seq = wanted.value
      cross join document_versions as head on head.seq = chunks.version
      where ${join(clauses, " and ")}`)
      .map(({ seq }) => seq);
  }

  /** Combines words and similarity into scores in [0, 1), best first. */
  #fuse(
    passages: readonly ScoredPassage[],
    scorer: VectorScorer,
    query: QueryVector,
  ): ScoredPassage[] {
    const similarities = scorer.similarities(passages.map(({ seq }) => seq));
    const relevance = fuse(
      passages.map(({ score }, at) => ({ words: score, similarity: nanToNull(similarities[at]!) })),
      similarityScale(query, "documents"),
    );
    return passages.map(({ seq }, index) => ({ seq, score: Math.tanh(relevance[index]!) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || b.seq - a.seq);
  }

  #totals(project: number): PassageTotals {
    return this.#connection.first<PassageTotals>(
      sql`select sources, chunks, terms from document_totals where project = ${project}`,
    ) ?? { sources: 0, chunks: 0, terms: 0 };
  }
}
