/** Stop words: words that don't help to find a record. They are indexed, but queries skip them. */

import { termsOf } from "./terms.ts";

/** English function words. Those that are also names (Will, May, Mark) are left out on purpose. */
const STOP_WORDS =
  `a about above after again against all am an and any are aren as at be because been
  before being below between both but by can cannot could couldn d did didn do does doesn doing don
  down during each few for from further had hadn has hasn have haven having he her here hers herself
  him himself his how i if in into is isn it its itself just let ll m ma me more most mustn my myself
  no nor not now o of off on once only or other our ours ourselves out over own re s same shan she
  should shouldn so some such t than that the their theirs them themselves then there these they this
  those through to too under until up us ve very was wasn we were weren what when where which while
  who whom whose why with won would wouldn y you your yours yourself yourselves also tell know please
  whats thats im ive id youre anyone someone anything something everything ever many much lot`;

const STOP_TERMS: ReadonlySet<string> = new Set(termsOf(STOP_WORDS));

/** Checks whether a term is a stop word. Terms are stems, so the stop words are stemmed too. */
export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term);
}
