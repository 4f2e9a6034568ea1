/** Tests time ranges mentioned in queries. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseTimeRange } from "../../src/search/query/time_range.ts";

/** A Wednesday. */
const NOW = Date.parse("2026-03-04T15:00:00Z");

const CASES: readonly (readonly [query: string, from: string, to: string])[] = [
  ["what happened on 2025-12-31?", "2025-12-31", "2026-01-01"],
  ["the party on 8 May 2023", "2023-05-08", "2023-05-09"],
  ["the party on May 8th, 2023", "2023-05-08", "2023-05-09"],
  ["trips in December 2024", "2024-12-01", "2025-01-01"],
  ["books read in 2024", "2024-01-01", "2025-01-01"],
  ["what did I eat yesterday", "2026-03-03", "2026-03-04"],
  ["what I said 10 days ago", "2026-02-22", "2026-02-23"],
  ["meetings last week", "2026-02-23", "2026-03-02"],
  ["meetings this week", "2026-03-02", "2026-03-09"],
  ["spending last month", "2026-02-01", "2026-03-01"],
  ["holidays last year", "2025-01-01", "2026-01-01"],
];

/** Phrases for every unit. */
const PHRASES: typeof CASES = [
  ["the day before yesterday", "2026-03-02", "2026-03-03"],
  ["what did I eat last night", "2026-03-03", "2026-03-04"],
  ["who called last Friday", "2026-02-27", "2026-02-28"],
  ["who called on Monday", "2026-03-02", "2026-03-03"],
  ["what will happen on Monday", "2026-03-09", "2026-03-10"],
  ["the dinner on 8 May", "2025-05-08", "2025-05-09"],
  ["gifts at Christmas", "2025-12-25", "2025-12-26"],
  ["hikes last weekend", "2026-02-28", "2026-03-02"],
  ["hikes the weekend before last", "2026-02-21", "2026-02-23"],
  ["what I said two weeks ago", "2026-02-16", "2026-02-23"],
  ["the week before last", "2026-02-16", "2026-02-23"],
  ["the first week of February", "2026-02-01", "2026-02-08"],
  ["runs in March", "2026-03-01", "2026-04-01"],
  ["runs in April", "2025-04-01", "2025-05-01"],
  ["who wrote three months ago", "2025-12-01", "2026-01-01"],
  ["half a year ago", "2025-09-01", "2025-10-01"],
  ["revenue of last quarter", "2025-10-01", "2026-01-01"],
  ["trips last summer", "2025-06-01", "2025-09-01"],
  ["trips two summers ago", "2024-06-01", "2024-09-01"],
  ["trips in summer 2021", "2021-06-01", "2021-09-01"],
  ["where I lived 4 years ago", "2022-01-01", "2023-01-01"],
  ["songs in the 90s", "1990-01-01", "2000-01-01"],
];

/** Queries that mention several times. The most specific one wins. */
const COMBINATIONS: typeof CASES = [
  ["yesterday or today", "2026-03-04", "2026-03-05"],
  ["this week or last week", "2026-02-23", "2026-03-02"],
  ["this month or this week", "2026-03-02", "2026-03-09"],
  ["last year or in May 2020", "2020-05-01", "2020-06-01"],
  ["the first Friday of May 1999", "1999-05-01", "1999-06-01"],
  ["last month on Friday", "2026-02-01", "2026-03-01"],
  ["Friday last week", "2026-02-23", "2026-03-02"],
  ["the end of last year", "2025-01-01", "2026-01-01"],
];

/** Queries that mention a time, but not as a range. */
const WITHOUT_RANGE: readonly string[] = [
  "may I have 2024 apples?",
  "flights before March",
  "open until Friday",
  "gifts for Christmas",
  "Sunday roast",
  "this may help",
  "films of the past year",
  "the photo of December 1,2023",
  "30 February",
];

Deno.test("parseTimeRange() parses days, months, years and words relative to now", () => {
  checkRanges(CASES);
});

Deno.test("parseTimeRange() parses the phrases that the inference engine knows", () => {
  checkRanges(PHRASES);
});

Deno.test("parseTimeRange() returns the most specific of several times", () => {
  checkRanges(COMBINATIONS);
});

Deno.test("parseTimeRange() returns null for bounds, purposes and incomplete dates", () => {
  for (const query of WITHOUT_RANGE) strictEqual(parseTimeRange(query, NOW), null, query);
});

function checkRanges(cases: typeof CASES): void {
  for (const [query, from, to] of cases) {
    deepStrictEqual(
      parseTimeRange(query, NOW),
      { from: Date.parse(from), to: Date.parse(to) },
      query,
    );
  }
}
