/** Parses the time that a query mentions: days, months, years, and expressions relative to now. */

/** A half-open range, [`from`, `to`), in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 24 * 60 * 60_000;

const MONTHS =
  "january february march april may june july august september october november december"
    .split(" ");
const MONTH = `(${MONTHS.join("|")})`;

/** Patterns with the range they denote, the most specific first. Days begin at midnight UTC. */
const TIME_EXPRESSIONS:
  readonly (readonly [RegExp, (match: RegExpExecArray, now: number) => TimeRange])[] = [
    [/\b(\d{4})-(\d\d)-(\d\d)\b/, ([, y, m, d]) => dayRange(Date.UTC(+y!, +m! - 1, +d!), 1)],
    [
      new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})\\b`, "i"),
      ([, d, m, y]) => dayRange(Date.UTC(+y!, monthIndex(m!), +d!), 1),
    ],
    [
      new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "i"),
      ([, m, d, y]) => dayRange(Date.UTC(+y!, monthIndex(m!), +d!), 1),
    ],
    [
      new RegExp(`\\b${MONTH},?(?: of)? (\\d{4})\\b`, "i"),
      ([, m, y]) => monthRange(+y!, monthIndex(m!)),
    ],
    [/\b(?:in|during|since|of) (\d{4})\b/i, ([, y]) => yearRange(+y!)],
    [/\btoday\b/i, (_, now) => dayRange(startOfDay(now), 1)],
    [/\byesterday\b/i, (_, now) => dayRange(startOfDay(now) - DAY_MS, 1)],
    [/\b(\d{1,3}) days ago\b/i, ([, n], now) => dayRange(startOfDay(now) - +n! * DAY_MS, 1)],
    [/\b(?:last|past) week\b/i, (_, now) => dayRange(startOfWeek(now) - 7 * DAY_MS, 7)],
    [/\bthis week\b/i, (_, now) => dayRange(startOfWeek(now), 7)],
    [/\b(?:last|past) month\b/i, (_, now) => monthsAgo(now, 1)],
    [/\bthis month\b/i, (_, now) => monthsAgo(now, 0)],
    [/\blast year\b/i, (_, now) => yearRange(new Date(now).getUTCFullYear() - 1)],
    [/\bthis year\b/i, (_, now) => yearRange(new Date(now).getUTCFullYear())],
  ];

/**
 * Returns the time range that a query mentions, or null if there is none.
 *
 * @param now current time in milliseconds since the epoch
 */
export function parseTimeRange(query: string, now: number): TimeRange | null {
  for (const [pattern, range] of TIME_EXPRESSIONS) {
    const match = pattern.exec(query);
    if (match !== null) return range(match, now);
  }
  return null;
}

function dayRange(from: number, days: number): TimeRange {
  return { from, to: from + days * DAY_MS };
}

function monthRange(year: number, index: number): TimeRange {
  return { from: Date.UTC(year, index), to: Date.UTC(year, index + 1) };
}

function monthsAgo(now: number, count: number): TimeRange {
  const date = new Date(now);
  return monthRange(date.getUTCFullYear(), date.getUTCMonth() - count);
}

function yearRange(year: number): TimeRange {
  return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
}

function monthIndex(name: string): number {
  return MONTHS.indexOf(name.toLowerCase());
}

function startOfDay(now: number): number {
  return now - now % DAY_MS;
}

/** Returns the start of the week, a Monday (ISO 8601). */
function startOfWeek(now: number): number {
  return startOfDay(now) - (new Date(now).getUTCDay() + 6) % 7 * DAY_MS;
}
