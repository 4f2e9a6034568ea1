/** Statements about the speaker inside requests and questions ("Suggest a recipe, I'm vegan"). */

import { compile } from "../lexicon/lines.ts";

const ASKS =
  "(?:what|where|which|how|who|why|when|can|could|should|would|is|are|do|does|will|any)\\b";
/** A statement about the speaker, or about the person they just mentioned. */
const STATES =
  "((?:I|we)(?:'m|'re|'ve| am| are| have| do not| don't| can't| can not| never| only| also| hate| love| like| live| work| prefer| play| study| use| eat)\\b.+|(?:my|our) .+|(?:he|she|they)(?:'s|'re| is| are| has| loves?| likes?| hates?| can't| does not| doesn't) .+)";
const GIVES =
  "(?:give|recommend|suggest|find|help|show|list|tell|plan|explain|compare|pick|choose|teach|get|think of|come up with)";
/** A request for a text, whose content may look like a statement. */
const OF_A_TEXT =
  /\b(?:stor(?:y|ies)|bio|letter|e-?mail|speech|poem|essay|song|lyrics|character|scene|script|dialogue|message|post|tweet|caption|toast|joke|role|line|sentence|paragraph|text|translat\w*)\b/i;

/** Words that make what follows them a part of the question: "Who said, I'm vegan?" */
const OF_WORDS =
  "said|says?|tell|told|claim\\w*|think|thinks|thought|know|knew|knows|believe|mean|means|guess|if|whether|imagine|suppose|assum\\w+|pretend|true|right|correct";

/** Ways to combine a statement and a question, each with the text of the statement. */
const COMBINATIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [compile(`^(?:as|being|speaking as) (an? [^,]{3,40}), (?=${ASKS})`, "i"), "I am $1"],
  [compile(`^with ((?:an?|two|three|four|five|\\d) [^,]{3,60}), (?=${ASKS})`, "i"), "I have $1"],
  [
    compile(
      `^(?:please )?(?:(?:can|could|would|will) you (?:please )?)?${GIVES}\\b[^,;:]*?(?:[,;]| [-–—]) (?:because |since |as |and |but )?${STATES}$`,
      "i",
    ),
    "$1",
  ],
  [
    compile(
      `^(?:and |so |but )?${ASKS}(?!.*\\b(?:${OF_WORDS})\\b)[^,;:]*(?:[,;]| [-–—]) (?:because |since |as |given (?:that )?|considering (?:that )?)?${STATES}$`,
      "i",
    ),
    "$1",
  ],
];

/**
 * Returns the statement in a question. Null if there isn't one, or if the question asks for a text.
 */
export function statementBesideQuestion(text: string): string | null {
  if (OF_A_TEXT.test(text)) return null;
  for (const [pattern, as] of COMBINATIONS) {
    const m = pattern.exec(text);
    if (m && !/^I(?:'m| am) (?:five|5)\b/i.test(m[1]!)) return as.replace("$1", m[1]!);
  }
  return null;
}
