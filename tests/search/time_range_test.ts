/** Time ranges that queries mention. */

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

Deno.test("parseTimeRange() parses days, months, years and words relative to now", () => {
  for (const [query, from, to] of CASES) {
    deepStrictEqual(
      parseTimeRange(query, NOW),
      { from: Date.parse(from), to: Date.parse(to) },
      query,
    );
  }
  strictEqual(parseTimeRange("may I have 2024 apples?", NOW), null);
});
