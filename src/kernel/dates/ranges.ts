/** Computes the time ranges named by date phrases. */

import { addMonths, date, DAY, dayOf, month, weekOf, yearOf } from "./calendar.ts";
import type { Unit } from "./units.ts";

/** A half-open range, [`from`, `to`), in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the day, week, month … containing an instant. Units that don't begin on a calendar
 * boundary, e.g. the last week of a month, begin on the instant's day.
 *
 * @example
 * ```ts
 * import { rangeOf } from "./ranges.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const [from, to] = [Date.parse("2026-03-02"), Date.parse("2026-03-09")];
 * deepStrictEqual(rangeOf("week", Date.parse("2026-03-04")), { from, to });
 * ```
 */
export function rangeOf(unit: Unit, at: number): TimeRange {
  const day = dayOf(at);
  switch (unit) {
    case "day":
      return { from: day, to: day + DAY };
    case "weekend":
      return { from: day, to: day + 2 * DAY };
    case "week":
      return { from: weekOf(at), to: weekOf(at) + 7 * DAY };
    case "week_of_month":
      return { from: day, to: day + 7 * DAY };
    case "month":
      return { from: month(at), to: month(at, 1) };
    case "quarter": {
      const first = month(at, -(new Date(at).getUTCMonth() % 3));
      return { from: first, to: month(first, 3) };
    }
    case "season":
      return { from: day, to: addMonths(day, 3) };
    case "year":
      return { from: date(yearOf(at)), to: date(yearOf(at) + 1) };
    case "decade": {
      const first = yearOf(at) - yearOf(at) % 10;
      return { from: date(first), to: date(first + 10) };
    }
  }
}
