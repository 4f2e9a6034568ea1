/** Completes dates by finding the day on the side of the anchor indicated by a clause's tense. */

import {
  addMonths,
  date,
  DAY,
  dayOf,
  easter,
  isDayOfMonth,
  month,
  monthOf,
  realDate,
  seasonOf,
  weekday,
  weekOf,
  yearOf,
} from "./calendar.ts";

/** Side of the anchor that an incomplete date ("on Friday", "in May") is on. */
export type Tense = "past" | "future";

/**
 * Returns the year that fits the tense, for a month (or a day of it) without a year.
 *
 * @example
 * ```ts
 * import { fittingYear } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const anchor = Date.parse("2026-03-04");
 * strictEqual(fittingYear(anchor, "past", 4, null), 2025);
 * strictEqual(fittingYear(anchor, "future", 4, 8), 2026);
 * ```
 */
export function fittingYear(anchor: number, tense: Tense, m: number, d: number | null): number {
  const year = yearOf(anchor);
  if (tense === "past") return date(year, m, d ?? 1) <= anchor ? year : year - 1;
  const first = date(year, m, d ?? 1);
  return first >= (d === null ? month(anchor) : dayOf(anchor)) ? year : year + 1;
}

/**
 * Returns the first instant of a day, with or without a year, or NaN if it doesn't exist. 29
 * February without a year is in the nearest leap year on the side of the tense.
 *
 * @example
 * ```ts
 * import { dayMonth } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const anchor = Date.parse("2026-03-04");
 * strictEqual(dayMonth("8", "May", undefined, anchor, "past"), Date.parse("2025-05-08"));
 * ```
 */
export const dayMonth = (
  d: string,
  m: string,
  y: string | undefined,
  anchor: number,
  tense: Tense,
) => {
  const n = monthOf(m), day = Number(d);
  if (n < 0 || !isDayOfMonth(n, day)) return NaN;
  if (y) return realDate(Number(y), n, day);
  const step = tense === "past" ? -1 : 1;
  let year = fittingYear(anchor, tense, n, day);
  while (Number.isNaN(realDate(year, n, day))) year += step;
  return realDate(year, n, day);
};

/**
 * Returns a day without a month ("on the 31st"): the nearest one on the side of the tense, or NaN.
 *
 * @example
 * ```ts
 * import { dayAlone } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(dayAlone(31, Date.parse("2026-03-04"), "past"), Date.parse("2026-01-31"));
 * ```
 */
export function dayAlone(day: number, anchor: number, tense: Tense): number {
  if (!isDayOfMonth(0, day)) return NaN;
  const step = tense === "past" ? -1 : 1;
  for (let first = month(anchor);; first = month(first, step)) {
    const here = realDate(yearOf(first), new Date(first).getUTCMonth(), day);
    if (tense === "past" ? here <= anchor : here >= dayOf(anchor)) return here;
  }
}

/**
 * Returns the last such weekday before the anchor's day.
 *
 * @example
 * ```ts
 * import { before } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(before(Date.parse("2026-03-04"), 4), Date.parse("2026-02-27"));
 * ```
 */
export const before = (anchor: number, day: number) =>
  dayOf(anchor) - ((weekday(anchor) - day + 6) % 7 + 1) * DAY;

/**
 * Returns the first such weekday after the anchor's day.
 *
 * @example
 * ```ts
 * import { after } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(after(Date.parse("2026-03-04"), 4), Date.parse("2026-03-06"));
 * ```
 */
export const after = (anchor: number, day: number) =>
  dayOf(anchor) + ((day - weekday(anchor) + 6) % 7 + 1) * DAY;

/**
 * Returns "the last Friday of May", or the first day of "the last week of May" if `day` is null.
 *
 * @example
 * ```ts
 * import { nthOf } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(nthOf("last", 4, 4, "2026", Date.parse("2026-03-04"), "past"), Date.parse("2026-05-29"));
 * ```
 */
export function nthOf(
  which: string,
  day: number | null,
  ofMonth: number,
  ofYear: string | undefined,
  anchor: number,
  tense: Tense,
): number {
  const year = ofYear ? Number(ofYear) : fittingYear(anchor, tense, ofMonth, null);
  const nth = ["first", "second", "third", "fourth"].indexOf(which.toLowerCase());
  const end = date(year, ofMonth + 1), first = date(year, ofMonth);
  if (day === null) return nth < 0 ? end - 7 * DAY : first + nth * 7 * DAY;
  return nth < 0 ? before(end, day) : after(first - DAY, day) + nth * 7 * DAY;
}

/**
 * Returns the first instant of the last, this or next week, weekend, month, quarter, year or
 * season.
 *
 * @example
 * ```ts
 * import { period } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(period("last", "weekend", Date.parse("2026-03-04"), "past"), Date.parse("2026-02-28"));
 * ```
 */
export function period(which: string, unit: string, anchor: number, tense: Tense): number {
  const step = /last|past|previous/.test(which) ? -1 : /next|coming|following/.test(which) ? 1 : 0;
  if (unit === "week") return weekOf(anchor) + step * 7 * DAY;
  if (unit === "weekend") {
    const saturday = weekOf(anchor) + 5 * DAY;
    if (step < 0) return saturday - 7 * DAY;
    if (step > 0) return saturday + 7 * DAY;
    return tense === "past" && saturday > anchor ? saturday - 7 * DAY : saturday;
  }
  if (unit === "month") return month(anchor, step);
  if (unit === "quarter") return month(anchor, step * 3);
  if (unit === "year") return date(yearOf(anchor) + step);
  const start = seasonOf(unit), year = yearOf(anchor);
  if (step < 0) return date(addMonths(date(year, start), 3) <= anchor ? year : year - 1, start);
  if (step > 0) {
    return date(date(year, start) > anchor && tense === "future" ? year : year + 1, start);
  }
  return date(year, start);
}

/**
 * Returns the last day of the anchor's week, month or year.
 *
 * @example
 * ```ts
 * import { endOf } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(endOf("month", Date.parse("2026-03-04")), Date.parse("2026-03-31"));
 * ```
 */
export const endOf = (unit: string, anchor: number): number =>
  unit === "week"
    ? weekOf(anchor) + 6 * DAY
    : unit === "month"
    ? month(anchor, 1) - DAY
    : date(yearOf(anchor) + 1) - DAY;

/**
 * Returns a holiday's day in a year. Unknown names count as Easter.
 *
 * @example
 * ```ts
 * import { holiday } from "./fitting.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(holiday("Christmas Eve", 2026), Date.parse("2026-12-24"));
 * ```
 */
export const holiday = (name: string, year: number): number =>
  /^christmas eve/i.test(name)
    ? date(year, 11, 24)
    : /^christmas|^xmas/i.test(name)
    ? date(year, 11, 25)
    : /eve$/i.test(name)
    ? date(year, 11, 31)
    : /^new year/i.test(name)
    ? date(year, 0, 1)
    : /^halloween/i.test(name)
    ? date(year, 9, 31)
    : /^valentine/i.test(name)
    ? date(year, 1, 14)
    : easter(year);
