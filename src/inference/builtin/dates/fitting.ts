/** The day that an incomplete date means, on the side of the anchor that the tense of its clause tells. */
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

/** Which side of the anchor an incomplete date ("on Friday", "in May") lies on. */
export type Tense = "past" | "future";

/** The year that fits the tense for a month and day that came without one. */
export function fittingYear(anchor: number, tense: Tense, m: number, d: number | null): number {
  const year = yearOf(anchor);
  if (tense === "past") return date(year, m, d ?? 1) <= anchor ? year : year - 1;
  const first = date(year, m, d ?? 1);
  return first >= (d === null ? month(anchor) : dayOf(anchor)) ? year : year + 1;
}

/** A day and month, NaN when no year has them; a 29 February without a year is one of a leap year. */
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

/** "On the 31st": the nearest month on the side of the tense that has such a day. */
export function dayAlone(day: number, anchor: number, tense: Tense): number {
  if (!isDayOfMonth(0, day)) return NaN;
  const step = tense === "past" ? -1 : 1;
  for (let first = month(anchor);; first = month(first, step)) {
    const here = realDate(yearOf(first), new Date(first).getUTCMonth(), day);
    if (tense === "past" ? here <= anchor : here >= dayOf(anchor)) return here;
  }
}

/** The latest such week day (Monday 0) before the day of the anchor. */
export const before = (anchor: number, day: number) =>
  dayOf(anchor) - ((weekday(anchor) - day + 6) % 7 + 1) * DAY;

/** The first such week day after the day of the anchor. */
export const after = (anchor: number, day: number) =>
  dayOf(anchor) + ((day - weekday(anchor) + 6) % 7 + 1) * DAY;

/** "The last Friday of May", and with no week day "the last week of May": its first day. */
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

/** First instant of the last, this or next week, weekend, month, quarter, year or season. */
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

/** Last day of the week, month or year of the anchor. */
export const endOf = (unit: string, anchor: number): number =>
  unit === "week"
    ? weekOf(anchor) + 6 * DAY
    : unit === "month"
    ? month(anchor, 1) - DAY
    : date(yearOf(anchor) + 1) - DAY;

/** Day of a holiday in a year. */
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
