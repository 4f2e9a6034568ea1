/** One search of documents, from the query to the ranked chunks of current versions. */

import sql, { join, raw } from "sql-template-tag";
import type { Connection } from "../store/sqlite/connection.ts";
import type { ChunkSearch, ChunkSearchOutcome } from "./chunk_request.ts";
import { fuse, meaningOf } from "./fusion.ts";
import { findByLevels } from "./chunk_candidates.ts";
import { type Collection, Frequencies, weighTerms } from "./lexical.ts";
import type { Matrices } from "./matrices.ts";
import { type PassageTotals, type ScoredPassage, scorePassages } from "./passages.ts";
import type { QueryVector } from "./request.ts";
import { chunkSource, type Demand, demandsOf } from "./vector_source.ts";
import { LEVELS } from "./term_levels.ts";
import { Comparison, orNull } from "./vector_list.ts";
import { CHUNK_POSTINGS, PASSAGE, SPARE } from "./weights.ts";

/** Searches on one connection; keeps what is worth keeping between searches. */
export class ChunkSearcher {
  readonly #connection: Connection;
  readonly #frequencies = new Frequencies();
  readonly #matrices: Matrices;

  constructor(connection: Connection, matrices: Matrices) {
    this.#connection = connection;
    this.#matrices = matrices;
  }

  /** Everything is read from one snapshot: what is found belongs to the heads of that moment. */
  search(request: ChunkSearch, vector: QueryVector | null): ChunkSearchOutcome {
    this.#connection.exec("begin");
    try {
      return { found: this.#search(request, vector) };
    } finally {
      this.#connection.exec("commit");
    }
  }

  #search(request: ChunkSearch, vector: QueryVector | null): ScoredPassage[] {
    const { project, query, tags, limit } = request;
    const clauses = tags.map((tag) => [tag]);
    const totals = this.#totals(project);
    const collection: Collection = {
      index: "chunks",
      project,
      total: totals.chunks,
      letters: LEVELS.map(({ letter }) => letter),
    };
    const terms = weighTerms(
      this.#connection,
      this.#frequencies,
      collection,
      CHUNK_POSTINGS,
      query,
    );
    const evidence = vector === null ? "words" : "meaning";
    const spare = limit + SPARE[evidence];
    const source = chunkSource(this.#connection, project, totals.chunks, demandsOf(tags));
    const comparison = vector === null
      ? null
      : new Comparison(this.#connection, this.#matrices, source, vector);
    const near = comparison === null ? [] : this.#near(request, comparison, spare);
    // A match may belong to a version that is retired; when too many do, more are looked at.
    for (let width = spare;; width *= 8) {
      const matches = findByLevels(
        this.#connection,
        this.#frequencies,
        collection,
        terms,
        clauses,
        width,
      );
      const found = [...new Set([...matches, ...near])];
      const passages = scorePassages(
        this.#connection,
        project,
        totals,
        terms,
        found,
        PASSAGE[evidence],
      );
      const scored = comparison === null || vector === null
        ? passages
        : this.#fuse(passages, comparison, vector);
      if (scored.length >= limit || matches.length < width) return scored.slice(0, limit);
    }
  }

  /** Chunks near in meaning; those of a deleted document too, until they are cleared. */
  #near({ project, tags }: ChunkSearch, comparison: Comparison, limit: number) {
    const demands = demandsOf(tags);
    const keep = (seqs: readonly number[]) =>
      demands.length === 0 ? seqs : this.#within(project, demands, seqs);
    return comparison.nearest({ keep, limit }).map(({ seq }) => seq);
  }

  /** Those that belong to heads with everything that is demanded; from the numbers, not the scope. */
  #within(project: number, demands: readonly Demand[], seqs: readonly number[]): number[] {
    const demanded = demands.map(({ column, value }) => sql`and head.${raw(column)} = ${value}`);
    return this.#connection.all<{ seq: number }>(sql`select chunks.seq
      from json_each(${JSON.stringify(seqs)}) as wanted
      cross join chunks on chunks.seq = wanted.value
      cross join document_versions as head on head.seq = chunks.version
      where head.project = ${project} and is_head = 1 ${join(demanded, " ")}`)
      .map(({ seq }) => seq);
  }

  /** Words and meaning together, in [0, 1), best first. */
  #fuse(
    passages: readonly ScoredPassage[],
    comparison: Comparison,
    query: QueryVector,
  ): ScoredPassage[] {
    const similarities = comparison.similarities(passages.map(({ seq }) => seq));
    const relevance = fuse(
      passages.map(({ score }, at) => ({ words: score, similarity: orNull(similarities[at]!) })),
      meaningOf(query, "documents"),
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
