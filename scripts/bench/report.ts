/** Report rows, and the rounding of their figures. */

import type { LoadStats } from "./load.ts";

/** A report row with only the columns that apply to it. */
export interface Row {
  readonly what: string;
  readonly on: string;
  readonly clients?: number;
  readonly calls?: number;
  readonly per_s?: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly p99_ms?: number;
  readonly max_ms?: number;
  readonly cpu_ms?: number;
  readonly database_cpu_ms?: number;
  readonly generator_cpu_ms?: number;
  readonly idle_mb?: number;
  readonly peak_mb?: number;
  readonly after_mb?: number;
  readonly note?: string;
}

const COLUMNS = [
  "what",
  "on",
  "clients",
  "calls",
  "per_s",
  "p50_ms",
  "p95_ms",
  "p99_ms",
  "max_ms",
  "cpu_ms",
  "database_cpu_ms",
  "generator_cpu_ms",
  "idle_mb",
  "peak_mb",
  "after_mb",
  "note",
] as const;

/** Returns the figures from a load as columns. */
export function statsRow(what: string, on: string, clients: number, stats: LoadStats): Row {
  return {
    what,
    on,
    clients,
    calls: stats.calls,
    per_s: round(stats.perSecond, 0),
    p50_ms: round(stats.p50, 2),
    p95_ms: round(stats.p95, 2),
    p99_ms: round(stats.p99, 2),
    max_ms: round(stats.max, 1),
    cpu_ms: round(stats.serverCpuMs, 3),
    generator_cpu_ms: round(stats.generatorCpuMs, 3),
    ...(stats.failure === null ? {} : {
      note: `${stats.failed} failed: ${stats.failure}`,
    }),
  };
}

/** Returns the median, or 0 if there are no values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Rounds to `places` decimal places. */
export function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}

/** Returns the rows padded to the same columns, so that they fit into one table. */
export function tableRows(rows: readonly Row[]): Record<string, unknown>[] {
  const used = COLUMNS.filter((column) => rows.some((row) => row[column] !== undefined));
  return rows.map((row) => Object.fromEntries(used.map((column) => [column, row[column]])));
}
