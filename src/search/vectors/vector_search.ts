/**
 * Finding candidates by their meaning: sign bits are compared first, in memory, and what these find
 * is compared exactly then. Few are compared exactly all together.
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

/** A record with its similarity to the query. */
export interface VectorMatch {
  readonly seq: number;
  readonly similarity: number;
}

/** The vectors to look among. */
export interface VectorSource {
  readonly project: number;
  readonly kind: VectorKind;
  /** How many records of the kind the project has. */
  readonly total: number;
  /** What may be found; null for all. */
  readonly scope: VectorScope | null;
}

/** A part of a project's records. */
export interface VectorScope {
  /** How many these are at most. */
  readonly size: number;
  /** Reads the `seq` of each. */
  readonly seqs: () => readonly number[];
}

/** How many records there are to look among, at most. */
export function sizeOf({ total, scope }: VectorSource): number {
  return scope?.size ?? total;
}

/** What is looked for. */
export interface NearestOptions {
  /** Keeps the numbers of those that may be shown. */
  readonly keep: (seqs: readonly number[]) => readonly number[];
  readonly limit: number;
}

/** One query beside the vectors of a project, as the connection's snapshot has them. */
export class VectorScorer {
  readonly #connection: Connection;
  readonly #source: VectorSource;
  readonly #query: QueryVector;
  readonly #quantizedQuery: QuantizedQuery;
  /** Null for a project whose signs take more memory than there may be. */
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
    this.#matrix = vectorCache.get(set, total);
  }

  /** The similarity of each of certain records; NaN for one without a vector, and for number 0. */
  similarities(seqs: ArrayLike<number>): Float64Array {
    const known = new Float64Array(seqs.length).fill(NaN);
    const missing = this.#matrix === null
      ? Array.from(seqs, (_, at) => at)
      : this.#matrix.computeSimilarities(this.#quantizedQuery, seqs, known);
    if (missing.length > 0) this.#readMissing(seqs, missing, known);
    return known;
  }

  /** The nearest records that may be shown, nearest first. */
  nearest(demand: NearestOptions): VectorMatch[] {
    const { total, scope } = this.#source;
    const size = sizeOf(this.#source);
    if (size === 0) return [];
    const among = scope !== null && size <= VECTORS.maxMaskedRecords ? scope.seqs() : null;
    if (this.#matrix === null) {
      return size <= VECTORS.maxExactRecords && among !== null
        ? pickNearest(among, this.similarities(among), demand)
        : [];
    }
    // Without a mask the scope thins the candidates out by its share.
    const share = among === null ? size / total : 1;
    const wanted = total > VECTORS.largeProjectRecords
      ? VECTORS.largeProjectCandidates
      : VECTORS.candidates;
    let count = size <= VECTORS.maxExactRecords
      ? VECTORS.maxExactRecords
      : Math.ceil(wanted / share);
    for (;;) {
      const found = among !== null && among.length <= count
        ? among
        : this.#matrix.nearest(this.#query.signs, count, among);
      const near = pickNearest(found, this.similarities(found), demand);
      const enough = near.length >= demand.limit ||
        count >= Math.min(among?.length ?? this.#matrix.rows, VECTORS.maxCandidates);
      if (enough) return near;
      count *= 4;
    }
  }

  /** From the table, what memory doesn't hold (yet): 5 µs each. */
  #readMissing(seqs: ArrayLike<number>, missing: readonly number[], known: Float64Array): void {
    const { project, kind } = this.#source;
    const { model } = this.#query;
    const wanted = JSON.stringify(missing.map((at) => seqs[at]!));
    const rows = this.#connection.all<{ at: number; vector: Uint8Array }>(sql`
      select wanted.key as at, vector from json_each(${wanted}) as wanted
      cross join vectors on project = ${project} and model = ${model} and kind = ${kind}
        and seq = wanted.value`);
    for (const { at, vector } of rows) {
      known[missing[at]!] = cosineSimilarity(this.#quantizedQuery, vector);
    }
  }
}

/** A similarity as evidence: null for one without a vector. */
export function nanToNull(similarity: number): number | null {
  return Number.isNaN(similarity) ? null : similarity;
}

/** The nearest ones that may be shown, nearest first; without a vector there is no similarity. */
function pickNearest(
  seqs: readonly number[],
  similarities: Float64Array,
  { keep, limit }: NearestOptions,
): VectorMatch[] {
  const near: VectorMatch[] = [];
  for (let at = 0; at < seqs.length; at++) {
    const similarity = similarities[at]!;
    if (!Number.isNaN(similarity)) near.push({ seq: seqs[at]!, similarity });
  }
  const picked: VectorMatch[] = [];
  for (const piece of partialSort(near, limit, ({ similarity }) => similarity)) {
    const kept = new Set(keep(piece.map(({ seq }) => seq)));
    picked.push(...piece.filter(({ seq }) => kept.has(seq)));
    if (picked.length >= limit) break;
  }
  return picked.slice(0, limit);
}
