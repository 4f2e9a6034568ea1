/**
 * Computes ranking features of a memory that don't depend on how well it matches the query: small,
 * bounded factors, each a pure function. We took them from a linear re-ranker with lexical features
 * (in a study, R@10 rose from 75.9 to 77.9).
 */

import { MONTH_NAMES, WEEKDAY_NAMES } from "../../kernel/dates/calendar.ts";
import type { TimeRange } from "../../kernel/dates/ranges.ts";
import type { QueryTerm } from "../lexical/term_search.ts";
import { distinctTerms } from "../query/terms.ts";
import { parseTimeRange } from "../query/time_range.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { WEIGHTS } from "./weights.ts";

/** The memory fields features depend on. */
export interface FeatureInput {
  readonly memory: string;
  readonly memory_type: string;
  readonly importance: number;
  readonly created_at: string;
  readonly event_date: string | null;
  readonly valid_to: string | null;
}

/** The query properties features depend on. */
export interface QueryAnalysis {
  readonly asksWhen: boolean;
  readonly asksForName: boolean;
  /** Query terms, matched against a speaker's name. */
  readonly terms: ReadonlySet<string>;
  /** The time range mentioned in the query. */
  readonly time: TimeRange | null;
  /** The memory types suggested by the query's wording. */
  readonly types: ReadonlySet<string>;
}

const ASKS_WHEN = /\b(when|what (day|date|time|month|year)|how long|which (day|month|year))\b/i;

/** Words that mention a time. "May" is left out, since it's usually a verb. */
const MENTIONS_TIME = new RegExp(
  `\\b(yesterday|today|tonight|tomorrow|ago|last|next|since|week(end)?s?|months?|years?|${
    [...WEEKDAY_NAMES, ...MONTH_NAMES.filter((name) => name !== "may")].join("|")
  }|\\d{4})\\b`,
  "i",
);

/** Questions asking who or where, or for the kinds of things that have names. */
const ASKS_FOR_NAME =
  /\b(who|whose|where|which|names?|(what|which) (\w+ )?(artists?|authors?|bands?|books?|brands?|city|cities|compan(y|ies)|country|countries|events?|festivals?|films?|games?|movies?|musicians?|parks?|places?|restaurants?|schools?|series|shows?|songs?|states?|teams?|universit(y|ies)))\b/i;

/** Capitalized words, except at the start of a sentence, a line, or the text after a label. */
const NAMES = /(?<!^\s*|[.!?:\n]\s*)(?<!\p{L})\p{Lu}\p{Ll}{2,}/gu;

/** The speaker's name, before the colon in a transcript line. */
const SPEAKER_LABEL = /^([\p{Lu}][\p{L}'.-]*(?: [\p{Lu}][\p{L}'.-]*){0,2})\s*:/u;

/** Query words that suggest a memory type. */
const TYPE_WORDS: Readonly<Record<string, RegExp>> = {
  preference: /\b(prefer|like|love|hate|favou?rite|enjoy|dislike|want)/i,
  decision: /\b(decid|decision|chose|choose|agreed|settled|picked)/i,
  identity: /\b(who (is|am|are)|name|called|born|age|nationality|pronouns?|identity)\b/i,
  event: /\b(when|happen|event|attend|visit|went|trip|meeting|party)/i,
  goal: /\b(goal|plan|aim|hope|want to|intend|dream|aspir)/i,
  todo: /\b(todo|to-do|task|remind|deadline|due|must|need to)\b/i,
  observation: /\b(notice|observ|seem|pattern|often|usually)/i,
};

/**
 * Analyzes a query once for all candidates.
 *
 * @example
 * ```ts
 * import { analyzeQuery } from "./features.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const query = "When did Ana go to Porto in 2025?";
 * const { asksWhen, time, types } = analyzeQuery(query, [], Date.parse("2026-03-04"));
 * deepStrictEqual([asksWhen, [...types]], [true, ["event"]]);
 * deepStrictEqual(time, { from: Date.parse("2025-01-01"), to: Date.parse("2026-01-01") });
 * ```
 */
export function analyzeQuery(
  query: string,
  terms: readonly QueryTerm[],
  now: number,
): QueryAnalysis {
  return {
    asksWhen: ASKS_WHEN.test(query),
    asksForName: ASKS_FOR_NAME.test(query),
    time: parseTimeRange(query, now),
    terms: new Set(terms.map((term) => term.term)),
    types: new Set(Object.keys(TYPE_WORDS).filter((type) => TYPE_WORDS[type]!.test(query))),
  };
}

/** Features that raise or lower a memory's score. */
export type FeatureName =
  | "when"
  | "name"
  | "time"
  | "speaker"
  | "question"
  | "importance"
  | "recency"
  | "typed"
  | "ended";

/**
 * Returns the factor for each feature that applies. Factors are close to 1, and missing ones count
 * as 1. The relevance is multiplied by all of them.
 *
 * @example
 * ```ts
 * import { analyzeQuery, computeFeatures } from "./features.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const now = Date.parse("2026-03-04");
 * const memory = {
 *   memory: "Ana went to Porto last week",
 *   memory_type: "event",
 *   importance: 0.5,
 *   created_at: "2026-02-02T00:00:00.000Z",
 *   event_date: null,
 *   valid_to: null,
 * };
 * const query = analyzeQuery("When did Ana go to Porto?", [], now);
 * const features = computeFeatures(query, memory, { typed: false, now });
 * deepStrictEqual(features, { when: 1.4, recency: 1.01 });
 * ```
 */
export function computeFeatures(
  query: QueryAnalysis,
  memory: FeatureInput,
  options: { readonly typed: boolean; readonly now: number },
): Partial<Record<FeatureName, number>> {
  const features: Partial<Record<FeatureName, number>> = {};
  const add = (name: FeatureName, gain: number) => {
    if (gain !== 0) features[name] = 1 + gain;
  };
  if (query.asksWhen && MENTIONS_TIME.test(memory.memory)) add("when", WEIGHTS.when);
  if (query.asksForName && containsNewName(query, memory.memory)) add("name", WEIGHTS.name);
  if (query.time !== null && isWithinRange(query.time, memory)) add("time", WEIGHTS.time);
  if (mentionsSpeaker(query, memory.memory)) add("speaker", WEIGHTS.speaker);
  if (memory.memory.trimEnd().endsWith("?")) add("question", WEIGHTS.question);
  add("importance", WEIGHTS.importance * (memory.importance - 0.5));
  add("recency", WEIGHTS.recency * recency(memory.created_at, options.now));
  if (options.typed && query.types.has(memory.memory_type)) add("typed", WEIGHTS.typed);
  if (memory.valid_to !== null && Date.parse(memory.valid_to) <= options.now) {
    features["ended"] = WEIGHTS.ended;
  }
  return features;
}

/**
 * Checks whether a memory's event date is within a range. Without an event date, the creation date
 * is used.
 */
function isWithinRange({ from, to }: TimeRange, memory: FeatureInput): boolean {
  const at = Date.parse(memory.event_date ?? memory.created_at);
  return at >= from && at < to;
}

/** Checks whether the query mentions a transcript line's speaker. */
function mentionsSpeaker(query: QueryAnalysis, memory: string): boolean {
  const label = SPEAKER_LABEL.exec(memory)?.[1];
  return label !== undefined && distinctTerms(label).some((term) => query.terms.has(term));
}

/** Checks whether a memory mentions a name not in the query. */
function containsNewName(query: QueryAnalysis, memory: string): boolean {
  const names = memory.replace(SPEAKER_LABEL, "").match(NAMES) ?? [];
  return names.some((name) => distinctTerms(name).some((term) => !query.terms.has(term)));
}

/**
 * Returns 1 for today and 0.5 after thirty days, and keeps decreasing from there. Ages are whole
 * days, so repeating a search returns the same scores: clients may pass an earlier score as
 * `min_score`.
 */
function recency(createdAt: string, now: number): number {
  const days = Math.max(0, Math.floor((now - Date.parse(createdAt)) / DAY_MS));
  return 1 / (1 + days / 30);
}
