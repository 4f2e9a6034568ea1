/** Provides a clock that never runs backwards, and ISO 8601 timestamps. */

/** One hour and one day (24 hours), in milliseconds. */
export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds since the Unix epoch. Code that needs the time takes a clock as a parameter. */
export interface Clock {
  /** Returns the current time. */
  now(): number;
}

/**
 * Returns this machine's clock. If the system time is set back, the clock runs at half speed until
 * the system time has caught up. So ids and timestamps never decrease within the process, and
 * nothing that waits has to wait for hours because the system time was hours ahead.
 */
export function systemClock(): Clock {
  let last = 0;
  /** The last time before the system time was set back, and when that was noticed. */
  let ahead: { readonly time: number; readonly at: number } | null = null;
  return {
    now() {
      const time = Date.now();
      if (time >= last) {
        ahead = null;
        return last = time;
      }
      const at = performance.now();
      ahead ??= { time: last, at };
      return last = ahead.time + Math.floor((at - ahead.at) / 2);
    },
  };
}

/**
 * Returns a timestamp as `YYYY-MM-DDTHH:mm:ss.sssZ`, the only form stored and returned.
 *
 * @param milliseconds milliseconds since the Unix epoch
 *
 * @example
 * ```ts
 * import { timestamp } from "./clock.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(timestamp(0), "1970-01-01T00:00:00.000Z");
 * ```
 */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** The last instant that a timestamp can have. */
const MAX_TIMESTAMP_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Returns the current time, or one millisecond after a stored timestamp if that's later. Used for
 * changes, so that no two changes to the same record share a timestamp. Only changes to a record
 * from the last instant of the year 9999 do, since nothing can be later.
 *
 * @example
 * ```ts
 * import { timestampAfter } from "./clock.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const clock = { now: () => 1_000 };
 * strictEqual(timestampAfter(clock, "1970-01-01T00:00:00.000Z"), "1970-01-01T00:00:01.000Z");
 * strictEqual(timestampAfter(clock, "1970-01-01T00:00:01.000Z"), "1970-01-01T00:00:01.001Z");
 * ```
 */
export function timestampAfter(clock: Clock, earlier: string): string {
  const next = Math.max(clock.now(), Date.parse(earlier) + 1);
  return timestamp(Math.min(next, MAX_TIMESTAMP_MS));
}

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * Parses a calendar date (midnight UTC) or a date-time. Seconds, fraction and offset are optional;
 * the offset defaults to UTC. Fractions are truncated to milliseconds.
 *
 * @returns milliseconds since the Unix epoch, or null if the text has a different format, the date
 *   doesn't exist, or the year isn't between 0001 and 9999
 *
 * @example
 * ```ts
 * import { parseTimestamp } from "./clock.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(parseTimestamp("1970-01-02"), 86_400_000);
 * strictEqual(parseTimestamp("1970-01-01T01:00+01:00"), 0);
 * strictEqual(parseTimestamp("2025-02-29"), null);
 * ```
 */
export function parseTimestamp(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (!match) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  const [offsetHour, offsetMinute] = [part(9), part(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return null;
  const fraction = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, fraction);
  const offset = (offsetHour * 60 + offsetMinute) * 60_000 * (match[8] === "-" ? -1 : 1);
  const milliseconds = date.getTime() - offset;
  const utcYear = new Date(milliseconds).getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? milliseconds : null;
}

/**
 * Returns a client's timestamp as stored, or null if the text isn't a valid timestamp.
 *
 * @example
 * ```ts
 * import { normalizeTimestamp } from "./clock.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(normalizeTimestamp("2025-06-01T12:30+02:00"), "2025-06-01T10:30:00.000Z");
 * strictEqual(normalizeTimestamp("yesterday"), null);
 * ```
 */
export function normalizeTimestamp(text: string): string | null {
  const milliseconds = parseTimestamp(text);
  return milliseconds === null ? null : timestamp(milliseconds);
}
