/** Resolves the `auto` strategy based on the query's form. */

import type { StrategyName } from "./memory_request.ts";
import type { STRATEGIES } from "../ranking/weights.ts";

/** Quoted phrases and codes, which users want to find literally. */
const EXACT_QUERY = /"[^"]+"|\b[A-Z]{2,}-?\d+\b|\b\w+[_/.]\w+\b/;

/** Queries for many results rather than one. Takes cubic time, so long queries don't get here. */
const BROAD_QUERY =
  /\b(all|every|everything|list|which|what .* (have|has|do|does) .* (been|done|like))\b/i;

/** Longer queries are for everything about a subject, not for one result. */
const MAX_BALANCED_CHARACTERS = 200;

/**
 * Returns the requested strategy, or for `auto`, the one that suits the query.
 *
 * @example
 * ```ts
 * import { chooseStrategy } from "./strategy.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(chooseStrategy("auto", "What is the state of PROJ-42?"), "precision");
 * strictEqual(chooseStrategy("auto", "List all trips to Portugal"), "recall");
 * // Ends at once, although the expression for broad queries would take minutes.
 * strictEqual(chooseStrategy("auto", "what do ".repeat(1_000)), "recall");
 * strictEqual(chooseStrategy("balanced", "List all trips to Portugal"), "balanced");
 * ```
 */
export function chooseStrategy(requested: StrategyName, query: string): keyof typeof STRATEGIES {
  if (requested !== "auto") return requested;
  if (EXACT_QUERY.test(query)) return "precision";
  return query.length > MAX_BALANCED_CHARACTERS || BROAD_QUERY.test(query) ? "recall" : "balanced";
}
