/** Resolves the `auto` strategy based on the form of the query. */

import type { StrategyName } from "./memory_request.ts";
import type { STRATEGIES } from "../ranking/weights.ts";

/** Quoted phrases and codes, which users want to find literally. */
const EXACT_QUERY = /"[^"]+"|\b[A-Z]{2,}-?\d+\b|\b\w+[_/.]\w+\b/;

/** Queries that ask for many results rather than one. */
const BROAD_QUERY =
  /\b(all|every|everything|list|which|what .* (have|has|do|does) .* (been|done|like))\b/i;

/** Returns the requested strategy, or the one that suits the query if `auto` was requested. */
export function chooseStrategy(requested: StrategyName, query: string): keyof typeof STRATEGIES {
  if (requested !== "auto") return requested;
  if (EXACT_QUERY.test(query)) return "precision";
  return BROAD_QUERY.test(query) || query.length > 200 ? "recall" : "balanced";
}
