/** `auto`: which strategy suits a query, told from its form alone. */

import type { StrategyName } from "./memory_request.ts";
import type { STRATEGIES } from "../ranking/weights.ts";

/** Quoted phrases and codes are looked for as they are. */
const EXACT_QUERY = /"[^"]+"|\b[A-Z]{2,}-?\d+\b|\b\w+[_/.]\w+\b/;

/** Questions for everything, not for one thing. */
const BROAD_QUERY =
  /\b(all|every|everything|list|which|what .* (have|has|do|does) .* (been|done|like))\b/i;

/** The strategy of a search: the one asked for, or the one that its query suggests. */
export function chooseStrategy(requested: StrategyName, query: string): keyof typeof STRATEGIES {
  if (requested !== "auto") return requested;
  if (EXACT_QUERY.test(query)) return "precision";
  return BROAD_QUERY.test(query) || query.length > 200 ? "recall" : "balanced";
}
