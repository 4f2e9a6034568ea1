/** Formats numbers for display. */

const integerFormat = new Intl.NumberFormat("en");
const compactFormat = new Intl.NumberFormat("en", {
  notation: "compact",
  maximumFractionDigits: 1,
});

/** Adds thousands separators: `1,234,567`. */
export function formatCount(value: number): string {
  return integerFormat.format(value);
}

/** Shortens a number: `1.2M`. Numbers below 10,000 are kept as is. */
export function formatCompactCount(value: number): string {
  return value < 10_000 ? integerFormat.format(value) : compactFormat.format(value);
}

/**
 * Returns a number with its noun: `1 memory`, `2 memories`. The plural defaults to the singular
 * plus "s".
 */
export function formatPlural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Returns a size in decimal units: `12.4 MB`. */
export function formatBytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1_000 ** power;
  return `${power === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
}
