/** What narrows a list or a search of memories down, as the address of the page keeps it. */

import type { MemoryType } from "../../../../memories/schema.ts";

/** Every condition is optional; given together, all must hold. */
export interface Filter {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly run_id?: string | undefined;
  readonly memory_type?: MemoryType | undefined;
  readonly validity?: "holds" | "ended" | undefined;
}

/** How a search is asked beside its words. */
export interface SearchForm extends Filter {
  readonly q?: string | undefined;
  readonly mode?: keyof typeof MODES | undefined;
  readonly strategy?: keyof typeof STRATEGIES | undefined;
}

/** The orders of results, in plain words; the first is what happens unless another is chosen. */
export const MODES = {
  hybrid: "Best first",
  recent: "Relevant, newest first",
  important: "Relevant, most important first",
  typed: "Favour the type asked for",
} as const;

/** How wide a search looks. */
export const STRATEGIES = {
  balanced: "Balanced",
  precision: "Only what fits well",
  recall: "Whatever may fit",
  auto: "By the form of the query",
} as const;

export const FILTER_KEYS = ["user_id", "agent_id", "run_id", "memory_type", "validity"] as const;

export const VALIDITIES = { holds: "Holds now", ended: "No longer holds" } as const;

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

/** What the address of the page says; a value that isn't known counts as none. */
export function parseSearchForm(query: URLSearchParams): SearchForm {
  const among = <K extends string>(name: string, known: Readonly<Record<K, string>>) => {
    const value = query.get(name);
    return value !== null && Object.hasOwn(known, value) ? value as K : undefined;
  };
  return {
    q: query.get("q") || undefined,
    user_id: query.get("user_id") || undefined,
    agent_id: query.get("agent_id") || undefined,
    run_id: query.get("run_id") || undefined,
    memory_type: among("memory_type", TYPES),
    validity: among("validity", VALIDITIES),
    mode: among("mode", MODES),
    strategy: among("strategy", STRATEGIES),
  };
}

export function hasFilter(filter: Filter): boolean {
  return FILTER_KEYS.some((key) => filter[key] !== undefined);
}

/** The conditions alone, for the query of a list. */
export function filterQuery(filter: Filter): Record<string, string> {
  return Object.fromEntries(
    FILTER_KEYS.flatMap((key) => {
      const value = filter[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** The body of a search; validity is a filter on the end of the interval. */
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
