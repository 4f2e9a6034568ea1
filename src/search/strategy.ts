/** `auto`: which strategy suits a query, told from its form alone. */

import type { StrategyName } from "./request.ts";
import type { STRATEGIES } from "./weights.ts";

/** Quoted phrases and codes are looked for as they are. */
const EXACT = /"[^"]+"|\b[A-Z]{2,}-?\d+\b|\b\w+[_/.]\w+\b/;

/** Questions for everything, not for one thing. */
const BROAD =
  /\b(all|every|everything|list|which|what .* (have|has|do|does) .* (been|done|like))\b/i;

/** The strategy of a search: the one asked for, or the one that its query suggests. */
export function chooseStrategy(asked: StrategyName, query: string): keyof typeof STRATEGIES {
  if (asked !== "auto") return asked;
  if (EXACT.test(query)) return "precision";
  return BROAD.test(query) || query.length > 200 ? "recall" : "balanced";
}
