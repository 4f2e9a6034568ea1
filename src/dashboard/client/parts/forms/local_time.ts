/**
 * Converts between times and the values of `datetime-local` fields, which are in local time and
 * precise to the minute.
 */

/** Returns the field value for a timestamp. */
export function toLocalInput(timestamp: string): string {
  const date = new Date(timestamp);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the timestamp for a field value, or undefined if the value is empty or invalid. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
