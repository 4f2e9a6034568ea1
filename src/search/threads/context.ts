/**
 * Scores memories together with their neighbours in a conversation. The words of a question are
 * often spread over a turn and its neighbours. Counting the neighbours' words too, with less weight
 * the further away they are, was the biggest quality gain of anything we measured (LoCoMo R@10 63.9
 * to 76.2).
 */

import type { QueryTerm } from "../lexical/term_search.ts";
import type { TermMask, ThreadWindow } from "./thread_window.ts";
import { dateTerms } from "../query/terms.ts";
import { WEIGHTS } from "../ranking/weights.ts";

/** Maximum distance from a hit at which other memories also become candidates. */
const EXPANSION_STEPS = 2;

/** Maximum distance at which a memory still shares its words. */
const CONTEXT_STEPS = WEIGHTS.before.length;

/** Maximum distance from a hit to a candidate, or to a memory sharing words with one. */
export const WINDOW_STEPS = EXPANSION_STEPS + CONTEXT_STEPS;

/** A candidate with its lexical score, context included. */
export interface Candidate {
  readonly seq: number;
  /** Index within the window. */
  readonly at: number;
  /** Weighted share of the query: 1 if every term occurs in the memory itself. */
  readonly relevance: number;
  /** Whether the memory itself contains a query term, or the query names the day of its event. */
  readonly hasQueryTerm: boolean;
}

/** Candidates and the window they're in. */
export interface ScoredWindow {
  readonly threadWindow: ThreadWindow;
  readonly candidates: readonly Candidate[];
}

/**
 * Scores the matching memories and those next to them. A memory's score doesn't depend on the other
 * hits.
 *
 * @param threadWindow the matches and all memories within `WINDOW_STEPS` of a match, grouped by
 *   thread
 * @param alreadyScored `seq`s to skip because they've already been scored
 */
export function scoreInContext(
  threadWindow: ThreadWindow,
  terms: readonly QueryTerm[],
  found: readonly number[],
  alreadyScored: ReadonlySet<number>,
): ScoredWindow {
  const { seqs, positions, masks, asks, dates } = threadWindow;
  const amounts = new Float64Array(terms.length);
  const candidates: Candidate[] = [];
  const near = markNearHits(threadWindow, new Set(found));
  const { first, end } = threadWindow.windowBounds(CONTEXT_STEPS);
  for (let at = 0; at < threadWindow.length; at++) {
    if (near[at] === 0 || alreadyScored.has(seqs[at]!)) continue;
    amounts.fill(0);
    for (let other = first[at]!; other < end[at]!; other++) {
      const mask = masks[other]!;
      if (mask !== 0) {
        addShare(amounts, mask, contextShare(asks[other]!, positions[other]! - positions[at]!));
      }
    }
    const dated = matchedDateTerms(dates.get(at), terms);
    const relevance = termRelevance(dated, terms, amounts);
    const hasQueryTerm = masks[at] !== 0 || dated.length > 0;
    candidates.push({ seq: seqs[at]!, at, relevance, hasQueryTerm });
  }
  return { threadWindow, candidates };
}

/** Returns 1 for each hit, and for each memory close enough to a hit to be a candidate. */
function markNearHits(threadWindow: ThreadWindow, hits: ReadonlySet<number>): Uint8Array {
  const near = new Uint8Array(threadWindow.length);
  const { first, end } = threadWindow.windowBounds(EXPANSION_STEPS);
  for (let at = 0; at < threadWindow.length; at++) {
    if (hits.has(threadWindow.seqs[at]!)) near.fill(1, first[at], end[at]);
  }
  return near;
}

/** Returns the share of its words a memory passes on to the memory `step` positions before it. */
function contextShare(asks: number, step: number): number {
  if (step === 0) return 1;
  if (step > 0) return WEIGHTS.after[step - 1]!;
  return WEIGHTS.before[-step - 1]! + (step === -1 ? WEIGHTS.asked * asks : 0);
}

/** Adds a share of each term in a mask. */
function addShare(amounts: Float64Array, mask: TermMask, share: number): void {
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    amounts[31 - Math.clz32(rest & -rest)]! += share;
  }
}

/** Returns the query terms naming the day of a memory's event. */
function matchedDateTerms(
  date: string | undefined,
  terms: readonly QueryTerm[],
): readonly string[] {
  if (date === undefined) return NO_TERMS;
  return dateTerms(date).filter((name) => terms.some(({ term }) => term === name));
}

/**
 * Returns how much of the query's weight a memory matches. Each term saturates as its amount grows.
 *
 * @param dated terms naming the day of the memory's event
 */
function termRelevance(
  dated: readonly string[],
  terms: readonly QueryTerm[],
  amounts: Float64Array,
): number {
  const { a, b } = WEIGHTS.saturation;
  let [matched, total] = [0, 0];
  for (let index = 0; index < terms.length; index++) {
    const { term, weight } = terms[index]!;
    const amount = amounts[index]! + (dated.includes(term) ? WEIGHTS.date : 0);
    matched += weight * a * amount / (amount + b);
    total += weight;
  }
  return total === 0 ? 0 : matched / total;
}

const NO_TERMS: readonly string[] = [];
