/**
 * Converts between times and `datetime-local` values, which are in local time with minute
 * precision.
 */

/** Returns a timestamp's field value. */
export function toLocalInput(timestamp: string): string {
  const date = new Date(timestamp);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns a field value's timestamp, or undefined if it's empty or invalid. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
