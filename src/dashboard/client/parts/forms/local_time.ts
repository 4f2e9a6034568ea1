/** Times as the browser's own fields hold them: local, to the minute. */

/** The value of a `datetime-local` field for an instant. */
export function toLocalInput(timestamp: string): string {
  const date = new Date(timestamp);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant of a field's value; of an empty or impossible one, undefined. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value);
  return value === "" || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
