/** Converts times to and from the values of `datetime-local` fields: local time, to the minute. */

/** Returns the field value of a timestamp. */
export function toLocalInput(timestamp: string): string {
  const date = new Date(timestamp);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Returns the timestamp of a field value, or undefined if it is empty or invalid. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
