/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 1,234,567 */
export function count(value: number): string {
  return whole.format(value);
}

/** 1.2M */
export function shortCount(value: number): string {
  return value < 10_000 ? whole.format(value) : short.format(value);
}

/** "1 memory", "2 memories" */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** 12.4 MB, by thousands */
export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1_000 ** power;
  return `${power === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
}
