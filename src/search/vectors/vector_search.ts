/**
 * Finds candidates by similarity: compares sign bits in memory first, then the best matches
 * exactly. In small scopes, every record is compared exactly.
 */

import sql from "sql-template-tag";
import { cosineSimilarity, type QuantizedQuery, quantizeQuery } from "../../embedding/quantize.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { partialSort } from "../ranking/partial_sort.ts";
import type { VectorCache, VectorSet } from "./vector_cache.ts";
import type { QueryVector } from "../query/memory_request.ts";
import type { VectorMatrix } from "./vector_matrix.ts";
import type { VectorKind } from "./vector_store.ts";
import { VECTORS } from "../ranking/weights.ts";

/** A record and its similarity to the query. */
export interface VectorMatch {
  readonly seq: number;
  readonly similarity: number;
}

/** The vectors to search. */
export interface VectorSource {
  readonly project: number;
  readonly kind: VectorKind;
  /** Number of records of this kind in the project. */
  readonly total: number;
  /** Records that may be found; null for all. */
  readonly scope: VectorScope | null;
}

/** A subset of the records in a project. */
export interface VectorScope {
  /** Upper bound on the number of records. */
  readonly size: number;
  /** Reads the `seq`s of all records in the subset. */
  readonly seqs: () => readonly number[];
}

/** Returns the maximum number of records to search. */
export function sizeOf({ total, scope }: VectorSource): number {
  return scope?.size ?? total;
}

/** Options for `nearest()`. */
export interface NearestOptions {
  /** Filters `seq`s down to those visible to the request. */
  readonly keep: (seqs: readonly number[]) => readonly number[];
  readonly limit: number;
}

/** Compares a query with a project's vectors, as of the connection's snapshot. */
export class VectorScorer {
  readonly #connection: Connection;
  readonly #source: VectorSource;
  readonly #query: QueryVector;
  readonly #quantizedQuery: QuantizedQuery;
  /** Null if the project's sign bits exceed the memory limit. */
  readonly #matrix: VectorMatrix | null;

  constructor(
    connection: Connection,
    vectorCache: VectorCache,
    source: VectorSource,
    query: QueryVector,
  ) {
    this.#connection = connection;
    this.#source = source;
    this.#query = query;
    this.#quantizedQuery = quantizeQuery(query.vector);
    const { project, kind, total } = source;
    const set: VectorSet = { project, kind, model: query.model, dims: query.vector.length };
    this.#matrix = vectorCache.get(connection, set, total);
  }

  /** Returns the similarity of each record. NaN for records without a vector and for `seq` 0. */
  similarities(seqs: ArrayLike<number>): Float64Array {
    const similarities = new Float64Array(seqs.length).fill(NaN);
    const missing = this.#matrix === null
      ? Array.from(seqs, (_, at) => at)
      : this.#matrix.computeSimilarities(this.#quantizedQuery, seqs, similarities);
    if (missing.length > 0) this.#readMissing(seqs, missing, similarities);
    return similarities;
  }

  /** Returns the nearest visible records, nearest first. */
  nearest(options: NearestOptions): VectorMatch[] {
    const { total, scope } = this.#source;
    const size = sizeOf(this.#source);
    if (size === 0) return [];
    const allowedSeqs = scope !== null && size <= VECTORS.maxMaskedRecords ? scope.seqs() : null;
    if (this.#matrix === null) {
      return size <= VECTORS.maxExactRecords && allowedSeqs !== null
        ? pickNearest(allowedSeqs, this.similarities(allowedSeqs), options)
        : [];
    }
    // Unless the scope is used as a mask, only its share of the candidates will be in it.
    const share = allowedSeqs === null ? size / total : 1;
    const wanted = total > VECTORS.largeProjectRecords
      ? VECTORS.largeProjectCandidates
      : VECTORS.candidates;
    let count = size <= VECTORS.maxExactRecords
      ? VECTORS.maxExactRecords
      : Math.ceil(wanted / share);
    for (;;) {
      const found = allowedSeqs !== null && allowedSeqs.length <= count
        ? allowedSeqs
        : this.#matrix.nearest(this.#query.signs, count, allowedSeqs);
      const matches = pickNearest(found, this.similarities(found), options);
      const isComplete = matches.length >= options.limit ||
        count >= Math.min(allowedSeqs?.length ?? this.#matrix.rows, VECTORS.maxCandidates);
      if (isComplete) return matches;
      count *= 4;
    }
  }

  /** Reads vectors that aren't in memory (yet) from the table, at 5 µs each. */
  #readMissing(
    seqs: ArrayLike<number>,
    missing: readonly number[],
    similarities: Float64Array,
  ): void {
    const { project, kind } = this.#source;
    const { model } = this.#query;
    const wanted = JSON.stringify(missing.map((at) => seqs[at]!));
    const rows = this.#connection.all<{ at: number; vector: Uint8Array }>(sql`
      select wanted.key as at, vector from json_each(${wanted}) as wanted
      cross join vectors on project = ${project} and model = ${model} and kind = ${kind}
        and seq = wanted.value`);
    for (const { at, vector } of rows) {
      similarities[missing[at]!] = cosineSimilarity(this.#quantizedQuery, vector);
    }
  }
}

/** Converts a similarity into evidence, or null for records without a vector. */
export function nanToNull(similarity: number): number | null {
  return Number.isNaN(similarity) ? null : similarity;
}

/** Returns the nearest visible records, nearest first, skipping those without a vector. */
function pickNearest(
  seqs: readonly number[],
  similarities: Float64Array,
  { keep, limit }: NearestOptions,
): VectorMatch[] {
  const matches: VectorMatch[] = [];
  for (let at = 0; at < seqs.length; at++) {
    const similarity = similarities[at]!;
    if (!Number.isNaN(similarity)) matches.push({ seq: seqs[at]!, similarity });
  }
  const picked: VectorMatch[] = [];
  for (const batch of partialSort(matches, limit, ({ similarity }) => similarity)) {
    const kept = new Set(keep(batch.map(({ seq }) => seq)));
    picked.push(...batch.filter(({ seq }) => kept.has(seq)));
    if (picked.length >= limit) break;
  }
  return picked.slice(0, limit);
}
