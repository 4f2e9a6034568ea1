/** Numbers as people read them. */

const integerFormat = new Intl.NumberFormat("en");
const compactFormat = new Intl.NumberFormat("en", {
  notation: "compact",
  maximumFractionDigits: 1,
});

/** 1,234,567 */
export function formatCount(value: number): string {
  return integerFormat.format(value);
}

/** 1.2M */
export function formatCompactCount(value: number): string {
  return value < 10_000 ? integerFormat.format(value) : compactFormat.format(value);
}

/** "1 memory", "2 memories" */
export function formatPlural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** 12.4 MB, by thousands */
export function formatBytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1_000 ** power;
  return `${power === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
}
