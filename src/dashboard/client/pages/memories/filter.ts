/** Memory list and search filters, as stored in the page address. */

import type { MemoryType } from "../../../../memories/schema.ts";

/** Filter conditions. All are optional, and a memory has to meet every one that's set. */
export interface Filter {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
  readonly memory_type?: MemoryType | undefined;
  readonly validity?: "holds" | "ended" | undefined;
}

/** Search filters and options. */
export interface SearchForm extends Filter {
  readonly q?: string | undefined;
  readonly mode?: keyof typeof MODES | undefined;
  readonly strategy?: keyof typeof STRATEGIES | undefined;
}

/** Result orders and their labels, starting with the default. */
export const MODES = {
  hybrid: "Best match first",
  recent: "Relevant, newest first",
  important: "Relevant, most important first",
  typed: "Requested type boosted",
} as const;

/** Search strategies and their labels, keyed by the values of `search_strategy`. */
export const STRATEGIES = {
  balanced: "Balanced",
  precision: "Close matches only",
  recall: "All possible matches",
  auto: "Automatic, by query",
} as const;

export const FILTER_KEYS = ["user_id", "agent_id", "run_id", "memory_type", "validity"] as const;

export const VALIDITIES = { holds: "Valid now", ended: "No longer valid" } as const;

export const TYPES: Readonly<Record<MemoryType, string>> = {
  fact: "Fact",
  preference: "Preference",
  decision: "Decision",
  identity: "Identity",
  event: "Event",
  observation: "Observation",
  goal: "Goal",
  todo: "Todo",
};

/** Parses the page address's query string. Ignores unknown values. */
export function parseSearchForm(query: URLSearchParams): SearchForm {
  const parse = <K extends string>(name: string, options: Readonly<Record<K, string>>) => {
    const value = query.get(name);
    return value !== null && Object.hasOwn(options, value) ? value as K : undefined;
  };
  return {
    q: query.get("q") || undefined,
    user_id: query.get("user_id") || undefined,
    agent_id: query.get("agent_id") || undefined,
    run_id: query.get("run_id") || undefined,
    memory_type: parse("memory_type", TYPES),
    validity: parse("validity", VALIDITIES),
    mode: parse("mode", MODES),
    strategy: parse("strategy", STRATEGIES),
  };
}

export function hasFilter(filter: Filter): boolean {
  return FILTER_KEYS.some((key) => filter[key] !== undefined);
}

/** Returns the filter as query parameters for a list. */
export function filterQuery(filter: Filter): Record<string, string> {
  return Object.fromEntries(
    FILTER_KEYS.flatMap((key) => {
      const value = filter[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Returns a search request's body. The validity condition becomes a filter on the end date. */
export function toSearchBody(form: SearchForm, query: string, now: string, topK: number) {
  const { validity, mode, strategy } = form;
  const { validity: _, ...scope } = filterQuery(form);
  const filters = validity === "ended"
    ? { filters: { valid_to: { lte: now } } }
    : validity === "holds"
    ? { filters: { OR: [{ valid_to: null }, { valid_to: { gt: now } }] } }
    : {};
  return {
    query,
    ...scope,
    ...filters,
    top_k: topK,
    trace: true,
    ...(mode === undefined ? {} : { mode }),
    ...(strategy === undefined ? {} : { search_strategy: strategy }),
  };
}
