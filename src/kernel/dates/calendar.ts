/**
 * Calendar arithmetic in UTC. Instants are milliseconds since the epoch; a period is represented by
 * its first instant. Months count from 0, weekdays from Monday (0).
 */

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** English month names. */
export const MONTH_NAMES: readonly string[] =
  "january february march april may june july august september october november december"
    .split(" ");

/** English weekday names. Weeks start on Monday (ISO 8601). */
export const WEEKDAY_NAMES: readonly string[] =
  "monday tuesday wednesday thursday friday saturday sunday".split(" ");

/** First month of each season in the northern hemisphere. */
const SEASONS: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
};

const NUMBERS =
  ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Quantities in words or digits, as parsed by `numberOf()`, as an alternation. */
export const QUANTITY = [
  "\\d+",
  ...TENS.map((ten) => `${ten}(?:[- ](?:${NUMBERS.slice(1, 10).join("|")}))?`),
  ...NUMBERS.slice(1),
  "an?|a couple(?: of)?|a few|several|half a|a dozen",
].join("|");

/**
 * Returns the value of a number in digits, or in words up to 99. Otherwise returns null.
 *
 * @example
 * ```ts
 * import { numberOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(numberOf("twenty-one"), 21);
 * strictEqual(numberOf("a couple of"), 2);
 * strictEqual(numberOf("many"), null);
 * ```
 */
export function numberOf(text: string): number | null {
  const word = text.toLowerCase().trim();
  if (/^\d+$/.test(word)) return Number(word);
  if (/^(?:an?|one single)$/.test(word)) return 1;
  if (/^a couple(?: of)?$|^both$/.test(word)) return 2;
  if (/^a few$|^several$/.test(word)) return 3;
  if (/^a dozen$/.test(word)) return 12;
  if (/^half a$/.test(word)) return 0.5;
  const [tens = "", units = ""] = word.split(/[ -]/);
  const ten = TENS.indexOf(tens);
  if (ten >= 0) {
    const unit = units ? NUMBERS.indexOf(units) : 0;
    return unit < 0 || unit > 9 ? null : (ten + 2) * 10 + unit;
  }
  const small = NUMBERS.indexOf(word);
  return small < 0 ? null : small;
}

/**
 * Returns a month's number given its name or abbreviation, or -1 otherwise.
 *
 * @example
 * ```ts
 * import { monthOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(monthOf("Sept."), 8);
 * ```
 */
export const monthOf = (name: string): number => indexOfName(MONTH_NAMES, name);

/**
 * Returns a weekday's number given its name or abbreviation, or -1 otherwise.
 *
 * @example
 * ```ts
 * import { weekdayOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(weekdayOf("Tues"), 1);
 * ```
 */
export const weekdayOf = (name: string): number => indexOfName(WEEKDAY_NAMES, name);

/** Returns the position of the name with the same first three letters. */
function indexOfName(names: readonly string[], name: string): number {
  const start = name.slice(0, 3).toLowerCase();
  return names.findIndex((each) => each.slice(0, 3) === start);
}

/**
 * Returns the first month of a season in the northern hemisphere.
 *
 * @example
 * ```ts
 * import { seasonOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(seasonOf("summer"), 5);
 * ```
 */
export const seasonOf = (name: string): number => SEASONS[name.toLowerCase()] ?? 0;

/**
 * Returns the first instant of a day.
 *
 * @example
 * ```ts
 * import { dayOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(dayOf(Date.parse("2026-03-04T15:00Z")), Date.parse("2026-03-04"));
 * ```
 */
export const dayOf = (at: number): number => Math.floor(at / DAY) * DAY;

/**
 * Returns the first instant of a date. A month or day out of range carries over into the next year
 * or month. We don't use `Date.UTC`, since it treats the year 24 as 1924.
 *
 * @example
 * ```ts
 * import { date } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(date(2026, 2, 4), Date.parse("2026-03-04"));
 * strictEqual(date(2025, 12), Date.parse("2026-01-01"));
 * ```
 */
export const date = (year: number, month = 0, day = 1): number =>
  new Date(0).setUTCFullYear(year, month, day);

/**
 * Returns the first instant of a date, or NaN if it doesn't exist, e.g. 30 February.
 *
 * @example
 * ```ts
 * import { realDate } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(realDate(2024, 1, 29), Date.parse("2024-02-29"));
 * strictEqual(realDate(2026, 1, 30), NaN);
 * ```
 */
export function realDate(year: number, month: number, day: number): number {
  const at = date(year, month, day), d = new Date(at);
  return d.getUTCMonth() === month && d.getUTCDate() === day ? at : NaN;
}

/**
 * Checks whether a month has a day in at least some years.
 *
 * @example
 * ```ts
 * import { isDayOfMonth } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isDayOfMonth(1, 29), true);
 * strictEqual(isDayOfMonth(3, 31), false);
 * ```
 */
export const isDayOfMonth = (month: number, day: number): boolean =>
  !Number.isNaN(realDate(2000, month, day));

/**
 * Returns the year of an instant.
 *
 * @example
 * ```ts
 * import { yearOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(yearOf(Date.parse("2026-03-04")), 2026);
 * ```
 */
export const yearOf = (at: number): number => new Date(at).getUTCFullYear();

/**
 * Returns the first instant of a week. Weeks start on Monday.
 *
 * @example
 * ```ts
 * import { weekOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(weekOf(Date.parse("2026-03-04")), Date.parse("2026-03-02"));
 * ```
 */
export const weekOf = (at: number): number => dayOf(at) - weekday(at) * DAY;

/**
 * Returns the weekday of an instant.
 *
 * @example
 * ```ts
 * import { weekday } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(weekday(Date.parse("2026-03-04")), 2);
 * ```
 */
export const weekday = (at: number): number => (new Date(at).getUTCDay() + 6) % 7;

/**
 * Returns the first instant of a month, or of the one `moved` months later.
 *
 * @example
 * ```ts
 * import { month } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(month(Date.parse("2026-03-04")), Date.parse("2026-03-01"));
 * strictEqual(month(Date.parse("2026-03-04"), -1), Date.parse("2026-02-01"));
 * ```
 */
export const month = (at: number, moved = 0): number => {
  const d = new Date(at);
  return date(d.getUTCFullYear(), d.getUTCMonth() + moved);
};

/**
 * Returns the same day of another month, or the last day of a shorter one.
 *
 * @example
 * ```ts
 * import { addMonths } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(addMonths(Date.parse("2026-01-31"), 1), Date.parse("2026-02-28"));
 * ```
 */
export function addMonths(at: number, months: number): number {
  const d = new Date(at);
  const first = month(at, months);
  const last = new Date(month(first, 1) - DAY).getUTCDate();
  return first + (Math.min(d.getUTCDate(), last) - 1) * DAY;
}

/**
 * Returns an instant's day, moved by a number of units: "days", "nights", "weeks", "fortnights",
 * "weekends", "months", "years" or "decades". The singular works too.
 *
 * @example
 * ```ts
 * import { move } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(move(Date.parse("2026-03-04T15:00Z"), -2, "weeks"), Date.parse("2026-02-18"));
 * ```
 */
export function move(at: number, count: number, unit: string): number {
  const day = dayOf(at);
  if (/^day|^night/.test(unit)) return day + Math.round(count) * DAY;
  if (/^week(?!end)|^fortnight/.test(unit)) {
    return day + Math.round(count * 7) * DAY * (unit.startsWith("fort") ? 2 : 1);
  }
  if (/^weekend/.test(unit)) return weekOf(at) + 5 * DAY + count * 7 * DAY;
  if (/^month/.test(unit)) return addMonths(day, Math.round(count));
  if (/^decade/.test(unit)) return addMonths(day, count * 120);
  return addMonths(day, Math.round(count * 12));
}

/**
 * Returns Easter Sunday, using the anonymous Gregorian computus (Meeus, Astronomical Algorithms,
 * chapter 8).
 *
 * @example
 * ```ts
 * import { easter } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(easter(2026), Date.parse("2026-04-05"));
 * ```
 */
export function easter(year: number): number {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = Math.floor(b / 4), e = b % 4, f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3), h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4), k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return date(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

const [FIRST, LAST] = [date(1), date(10_000) - 1];

/**
 * Checks whether an instant can be written as a timestamp, i.e. is in the years 0001 to 9999.
 *
 * @example
 * ```ts
 * import { date, isWritable } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(isWritable(date(9999)), true);
 * strictEqual(isWritable(date(10_000)), false);
 * ```
 */
export const isWritable = (at: number): boolean => at >= FIRST && at <= LAST;

/**
 * Returns an instant in the API's timestamp format.
 *
 * @example
 * ```ts
 * import { iso } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(iso(0), "1970-01-01T00:00:00.000Z");
 * ```
 */
export const iso = (at: number): string => new Date(at).toISOString();

const ORDINALS =
  ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth " +
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third " +
    "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first")
    .split(" ");

/** Days of the month in words, as a group with an alternation. */
export const ORDINAL_WORDS = `(${ORDINALS.toReversed().join("|").replaceAll("-", "[- ]")})`;

/**
 * Returns the value of an ordinal up to the thirty-first, or 0 otherwise.
 *
 * @example
 * ```ts
 * import { ordinalOf } from "./calendar.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(ordinalOf("Twenty-first"), 21);
 * ```
 */
export const ordinalOf = (word: string): number =>
  ORDINALS.indexOf(word.toLowerCase().replace(" ", "-")) + 1;
