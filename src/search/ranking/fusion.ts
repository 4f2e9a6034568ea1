/** Combines lexical and vector evidence into a single relevance score. */

import type { QueryVector } from "../query/memory_request.ts";
import { FUSION, PRECISION_THRESHOLDS } from "./weights.ts";

/** Evidence for a candidate. */
export interface Evidence {
  /** Weighted fraction of the query words matched, from 0 to about 1.4 including neighbours. */
  readonly words: number;
  /** Cosine similarity to the query, smoothed over neighbours, or null without a vector. */
  readonly similarity: number | null;
  /** Similarity before smoothing, if known. */
  readonly own?: number | null;
}

/** How to interpret a model's similarities. */
export interface SimilarityScale {
  /** Weight of the similarity relative to the words. */
  readonly weight: number;
  /** Relevance of a text that means the same but doesn't share a single word with the query. */
  readonly alone: number;
  /** Cosine similarity of unrelated texts (`none`) and of texts that mean the same (`same`). */
  readonly none: number;
  readonly same: number;
}

/**
 * Returns a query's similarity scale for one kind of record.
 *
 * @example
 * ```ts
 * import { similarityScale } from "./fusion.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const query = {
 *   model: 1,
 *   vector: new Float32Array(384),
 *   signs: new Uint8Array(48),
 *   weight: { memories: 0.5, documents: 0.3 },
 *   similarity: { none: 0.1, same: 0.8 },
 * };
 * const scale = similarityScale(query, "memories");
 * deepStrictEqual(scale, { weight: 0.5, alone: 0.4, none: 0.1, same: 0.8 });
 * ```
 */
export function similarityScale(
  query: QueryVector | null,
  kind: keyof typeof FUSION.alone,
): SimilarityScale {
  if (query === null) return NO_SIMILARITY_SCALE;
  return { weight: query.weight[kind], alone: FUSION.alone[kind], ...query.similarity };
}

/** Scale for searches without vectors. */
export const NO_SIMILARITY_SCALE: SimilarityScale = { weight: 0, alone: 0, none: 0, same: 1 };

/**
 * Returns each candidate's relevance: its words plus its weighted similarity. Both are z-scores
 * over the candidates, scaled back so that a full word match is 1. We don't use reciprocal rank
 * fusion, since it discards the scores and loses 3 to 5 points of R@10 on LoCoMo compared with
 * words alone.
 *
 * If the words don't reveal much, a candidate is at least as relevant as its similarity alone
 * suggests.
 *
 * @example
 * ```ts
 * import { fuse } from "./fusion.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const scale = { weight: 0.5, alone: 0.4, none: 0.25, same: 0.75 };
 * const sameWords = { words: 1, similarity: 0.25 };
 * const sameMeaning = { words: 0, similarity: 0.75 };
 * deepStrictEqual(fuse([sameWords, sameMeaning], scale), [0.75, 0.4]);
 * ```
 */
export function fuse(evidence: readonly Evidence[], scale: SimilarityScale): number[] {
  const lexical = meanAndDeviation(evidence.map(({ words }) => words));
  const similarities = evidence.map(({ similarity }) => similarity)
    .filter((similarity) => similarity !== null);
  const vector = meanAndDeviation(similarities);
  const factor = vector.deviation === 0 ? 0 : scale.weight * lexical.deviation / vector.deviation;
  return evidence.map(({ words, similarity, own }) => {
    // A candidate without a vector counts as average, so it neither gains nor loses anything.
    if (similarity === null) return words;
    const strength = similarityStrength(maxSimilarity(similarity, own), scale);
    const combined = words + factor * (similarity - vector.mean);
    return Math.max(combined, scale.alone * strength, 0);
  });
}

/**
 * Checks whether a candidate itself matches the query: either its own text contains a query term
 * (`hasQueryTerm`), or its own similarity is above that of unrelated texts. If it's merely a
 * match's neighbour, its words and similarity come from that match. They help to find the candidate
 * but don't make it relevant.
 *
 * @example
 * ```ts
 * import { matchesDirectly } from "./fusion.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const scale = { weight: 0.5, alone: 0.4, none: 0.25, same: 0.75 };
 * const neighbour = { words: 0.4, similarity: 0.5, own: 0.2, hasQueryTerm: false };
 * strictEqual(matchesDirectly(neighbour, scale), false);
 * strictEqual(matchesDirectly({ ...neighbour, own: 0.6 }, scale), true);
 * ```
 */
export function matchesDirectly(
  { similarity, own, hasQueryTerm }: Evidence & { readonly hasQueryTerm: boolean },
  scale: SimilarityScale,
): boolean {
  return hasQueryTerm || similarityStrength(own ?? similarity ?? scale.none, scale) > 0;
}

/**
 * Checks whether a candidate is supported by both words and similarity, or strongly by either.
 *
 * @example
 * ```ts
 * import { isPrecise } from "./fusion.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const scale = { weight: 0.5, alone: 0.4, none: 0.25, same: 0.75 };
 * strictEqual(isPrecise({ words: 0.4, similarity: 0.5 }, scale), true);
 * strictEqual(isPrecise({ words: 0.4, similarity: null }, scale), false);
 * strictEqual(isPrecise({ words: 0.7, similarity: null }, scale), true);
 * ```
 */
export function isPrecise({ words, similarity, own }: Evidence, scale: SimilarityScale): boolean {
  const strength = similarity === null
    ? 0
    : similarityStrength(maxSimilarity(similarity, own), scale);
  const { both, one } = PRECISION_THRESHOLDS;
  return Math.min(words, strength) >= both || Math.max(words, strength) >= one;
}

/**
 * Returns the greater of the two similarities, since neighbours about something else must not make
 * a memory less similar.
 */
function maxSimilarity(similarity: number, own: number | null | undefined): number {
  return Math.max(similarity, own ?? similarity);
}

/**
 * Returns where a similarity falls on the scale: 0 or less for unrelated texts, 1 for texts that
 * mean the same.
 */
function similarityStrength(similarity: number, { none, same }: SimilarityScale): number {
  return Math.min(1, (similarity - none) / (same - none));
}

function meanAndDeviation(values: readonly number[]): { mean: number; deviation: number } {
  const count = Math.max(1, values.length);
  let [sum, squares] = [0, 0];
  for (const value of values) sum += value;
  const mean = sum / count;
  for (const value of values) squares += (value - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / count) };
}
