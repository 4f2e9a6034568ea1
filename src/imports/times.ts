/** Reads the notations for times in foreign exports. */

import { normalizeTimestamp, timestamp } from "../kernel/clock.ts";

/** Numbers up to this many are seconds since the Unix epoch, larger ones milliseconds. */
const MAX_SECONDS = 1e11;

/** A last day that fits into a timestamp, in milliseconds since the Unix epoch. */
const MAX_MILLISECONDS = Date.UTC(9999, 11, 31);

/** Time of a record whose source has none. Never the time of the import. */
export const UNKNOWN_TIME = timestamp(0);

/** Longest notation of a time, in characters. */
const MAX_TIME_CHARACTERS = 64;

/**
 * Returns a time as stored, or null if there is none or it isn't a time. Accepts ISO 8601, also
 * with a space instead of the T, and numbers of seconds or milliseconds.
 */
export function timeOf(value: unknown): string | null {
  if (typeof value === "number") return timeOfNumber(value);
  if (typeof value !== "string" || value.length > MAX_TIME_CHARACTERS) return null;
  const text = value.trim().replace(/^(\d{4}-\d\d-\d\d) +/, "$1T").replace(/ +(?=[+-]\d|Z)/, "");
  return normalizeTimestamp(text.replace(/ ?UTC$/, "Z").replace(/([+-]\d\d)$/, hourOffset));
}

/** Completes an offset of hours, unless it is the end of a calendar date. */
function hourOffset(offset: string, _: string, at: number): string {
  return at > "yyyy-mm-dd".length ? `${offset}:00` : offset;
}

function timeOfNumber(value: number): string | null {
  const milliseconds = Math.abs(value) <= MAX_SECONDS ? value * 1_000 : value;
  if (!(milliseconds > 0 && milliseconds < MAX_MILLISECONDS)) return null;
  return timestamp(Math.trunc(milliseconds));
}

/** Returns the earliest of some times, or null if none is known. */
export function earliest(values: Iterable<unknown>): string | null {
  let first: string | null = null;
  for (const value of values) {
    const time = timeOf(value);
    if (time !== null && (first === null || time < first)) first = time;
  }
  return first;
}
