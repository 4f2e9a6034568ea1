/**
 * Parses the time mentioned in a query: explicit dates, and phrases relative to the current time.
 * It recognizes the same phrases as the inference engine, along with the unit each one names.
 */

import { date, MONTH_NAMES, monthOf, realDate } from "../../kernel/dates/calendar.ts";
import type { Tense } from "../../kernel/dates/fitting.ts";
import type { Unit } from "../../kernel/dates/units.ts";
import { type DatePhrase, datePhrases } from "../../kernel/dates/phrases.ts";
import { rangeOf, type TimeRange } from "../../kernel/dates/ranges.ts";

const MONTH = `(${MONTH_NAMES.join("|")})`;

/**
 * Dates with a year, most specific first. Each has a pattern, a unit and a function for its first
 * instant. Unlike in phrases, the year can be any four-digit number.
 */
const EXPLICIT_DATES: readonly (readonly [RegExp, Unit, (match: readonly string[]) => number])[] = [
  [/\b(\d{4})-(\d\d)-(\d\d)\b/, "day", ([, y, m, d]) => realDate(+y!, +m! - 1, +d!)],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})\\b`, "i"),
    "day",
    ([, d, m, y]) => realDate(+y!, monthOf(m!), +d!),
  ],
  [
    new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "i"),
    "day",
    ([, m, d, y]) => realDate(+y!, monthOf(m!), +d!),
  ],
  [
    new RegExp(`\\b${MONTH},?(?: of)? (\\d{4})\\b`, "i"),
    "month",
    ([, m, y]) => date(+y!, monthOf(m!)),
  ],
  [/\b(?:in|during|since|of) (\d{4})\b/i, "year", ([, y]) => date(+y!)],
];

/** Units from shortest to longest. */
const UNITS: readonly Unit[] = [
  "day",
  "weekend",
  "week",
  "week_of_month",
  "month",
  "quarter",
  "season",
  "year",
  "decade",
];

/** Words indicating that a query is about the future. Most are about the past. */
const FUTURE = /\b(?:will|shall|going to|upcoming|planned|due|next|tomorrow)\b/i;

/**
 * Phrases the inference engine reads as dates but that don't limit a query to a range: bounds
 * ("before March"), purposes ("for Christmas"), weekdays without a preposition ("Sunday roast"),
 * "this may", and "the past year", i.e. the last twelve months.
 */
const NOT_A_RANGE =
  /^(?:after|and|as of|before|between|by|come|due|for|from|since|through|till|to|until)\b|^(?:mon|tues|wednes|thurs|fri|satur|sun)day(?! (?:last|next) week)|^this (?:may|march)\b|\bpast year$/i;

/** The rest of a date without a space before the year ("May 8,2023"). These aren't parsed. */
const YEAR_FOLLOWS = /^,\d{4}\b/;

/**
 * Phrases complete on their own. They take precedence over others: "last month on Friday" refers to
 * last month, not to last Friday.
 */
const COMPLETE = /\b(?:ago|today|yesterday|(?:last|past|this) (?:week|month|year))\b/i;

/**
 * Returns the time range mentioned in a query, or null if there isn't one. An explicit date takes
 * precedence over phrases; the range is the day, week, month … it names. With several phrases, the
 * one with the shortest unit wins.
 *
 * @param now current time in milliseconds since the epoch
 *
 * @example
 * ```ts
 * import { parseTimeRange } from "./time_range.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const now = Date.parse("2026-03-04T15:00:00Z");
 * deepStrictEqual(parseTimeRange("who called last Friday?", now), {
 *   from: Date.parse("2026-02-27"),
 *   to: Date.parse("2026-02-28"),
 * });
 * ```
 */
export function parseTimeRange(query: string, now: number): TimeRange | null {
  for (const [pattern, unit, firstInstant] of EXPLICIT_DATES) {
    const match = pattern.exec(query);
    const at = match === null ? NaN : firstInstant(match);
    if (!Number.isNaN(at)) return rangeOf(unit, at);
  }
  const tense: Tense = FUTURE.test(query) ? "future" : "past";
  const [phrase] = datePhrases(query, now, tense)
    .filter(({ text, to }) => !NOT_A_RANGE.test(text) && !YEAR_FOLLOWS.test(query.slice(to)))
    .toSorted(bySpecificity);
  return phrase === undefined ? null : rangeOf(phrase.unit, phrase.at);
}

function bySpecificity(a: DatePhrase, b: DatePhrase): number {
  return Number(COMPLETE.test(b.text)) - Number(COMPLETE.test(a.text)) ||
    UNITS.indexOf(a.unit) - UNITS.indexOf(b.unit) || a.rank - b.rank;
}
