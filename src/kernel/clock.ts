/** Time as the product reads and writes it: a clock that never runs backwards, and ISO 8601 text. */

/** An hour, and a day of 24 of them, in milliseconds. */
export const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds since the Unix epoch. Whoever needs the time is given a clock. */
export interface Clock {
  now(): number;
}

/**
 * The machine's clock, held still while the machine's time steps back, so that ids and
 * timestamps taken one after the other never go down within the process.
 */
export function systemClock(): Clock {
  let last = 0;
  return {
    now() {
      last = Math.max(last, Date.now());
      return last;
    },
  };
}

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, the one form in which timestamps are stored and answered. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * The time now, or a millisecond after a stored timestamp if that is later: what a change is dated
 * with, so that two changes of one record never have the same time.
 */
export function timestampAfter(clock: Clock, earlier: string): string {
  return timestamp(Math.max(clock.now(), Date.parse(earlier) + 1));
}

const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * Reads a calendar date (midnight UTC) or a date-time with optional seconds, fraction and offset
 * (none means UTC) and answers milliseconds since the epoch; null for anything else, impossible
 * dates and years outside 0001 to 9999 included. Fractions are cut to milliseconds.
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
  const written = new Date(milliseconds).getUTCFullYear();
  return written >= 1 && written <= 9999 ? milliseconds : null;
}

/** The stored form of a timestamp that a client wrote, or null when it is none. */
export function normalizeTimestamp(text: string): string | null {
  const milliseconds = parseTimestamp(text);
  return milliseconds === null ? null : timestamp(milliseconds);
}
