/** The words that a query is about, and how many of them a text has. */

import { isStopTerm } from "../search/query/stop_words.ts";
import { distinctTerms } from "../search/query/terms.ts";

/** Maximum number of letters at the end of a word that stemming can change. */
const MAX_STEM_CHANGE = 2;

const ASCII = /^[\0-\x7f]*$/;

/**
 * The terms of a query, without stop words.
 *
 * @example
 * ```ts
 * import { QueryTerms } from "./query_terms.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const terms = new QueryTerms("Where do the dogs live?");
 * strictEqual(terms.countIn("user lives in: Porto"), 1);
 * strictEqual(terms.countIn("user hobby: sailing"), 0);
 * strictEqual(new QueryTerms("Where was my dog?").countIn("It was late"), 0);
 * ```
 */
export class QueryTerms {
  readonly #terms: ReadonlySet<string>;
  /** What a text with one of the terms contains. Checked first, since it takes a tenth of the time. */
  readonly #prefixes: readonly string[];

  constructor(query: string) {
    this.#terms = new Set(distinctTerms(query).filter((term) => !isStopTerm(term)));
    this.#prefixes = [...this.#terms].map((term) =>
      term.slice(0, Math.max(1, term.length - MAX_STEM_CHANGE))
    );
  }

  /** Returns the number of terms that a text has. */
  countIn(text: string): number {
    const lower = text.toLowerCase();
    // Letters with accents are folded in terms, so a prefix proves nothing there.
    if (ASCII.test(lower) && !this.#prefixes.some((prefix) => lower.includes(prefix))) return 0;
    return distinctTerms(text).filter((term) => this.#terms.has(term)).length;
  }
}
