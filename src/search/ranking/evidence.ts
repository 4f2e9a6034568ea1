/** The evidence for the candidates of a memory search, and which of them it makes relevant. */

import type { MemorySearchRequest } from "../query/memory_request.ts";
import type { Candidate, ScoredWindow } from "../threads/context.ts";
import { smoothSimilarities } from "../threads/smoothing.ts";
import { nanToNull, type VectorScorer } from "../vectors/vector_search.ts";
import { type Evidence, fuse, isPrecise, matchesDirectly, type SimilarityScale } from "./fusion.ts";
import type { HasSeq } from "./partial_sort.ts";
import type { ScoringCandidate } from "./scorer.ts";
import { effectiveSort } from "./sort.ts";
import type { STRATEGIES } from "./weights.ts";

/** A candidate with its evidence, and whether the candidate itself contains a query term. */
export type CandidateEvidence = Evidence & HasSeq & Pick<Candidate, "hasQueryTerm">;

/** Returns the lexical and vector evidence for the candidates. */
export function evidenceOf(
  context: ScoredWindow,
  vectorScorer: VectorScorer | null,
): CandidateEvidence[] {
  const similarities = vectorScorer === null ? null : smoothSimilarities(vectorScorer, context);
  return context.candidates.map(({ seq, relevance, hasQueryTerm }, at) => ({
    seq,
    hasQueryTerm,
    words: relevance,
    similarity: similarities === null ? null : nanToNull(similarities.smoothed[at]!),
    own: similarities === null ? null : nanToNull(similarities.own[at]!),
  }));
}

/**
 * Combines the evidence and returns the relevant candidates. When results aren't sorted by
 * relevance, a match's mere neighbour could come first, so such neighbours are excluded, as they
 * are for `precision`.
 */
export function relevantCandidates(
  request: MemorySearchRequest,
  strategy: keyof typeof STRATEGIES,
  evidence: readonly CandidateEvidence[],
  scale: SimilarityScale,
): ScoringCandidate[] {
  const precise = strategy === "precision";
  const direct = precise || effectiveSort(request) !== null;
  const relevance = fuse(evidence, scale);
  const relevant: ScoringCandidate[] = [];
  for (const [at, candidate] of evidence.entries()) {
    if (relevance[at]! <= 0 || direct && !matchesDirectly(candidate, scale)) continue;
    if (precise && !isPrecise(candidate, scale)) continue;
    const { seq, words, similarity } = candidate;
    relevant.push({ seq, words, similarity, relevance: relevance[at]! });
  }
  return relevant;
}
