/**
 * Facts in a phrase at the front of a sentence ("Being coeliac, …", "With two kids and a job at
 * Bosch, …").
 */
import { toolAttribute } from "../lexicon/tools.ts";
import { isPastVerb } from "../lexicon/verbs.ts";

/**
 * The front phrase as a clause (null if it was only true in the past), and the rest of the
 * sentence.
 */
export interface FrontedFact {
  readonly said: string | null;
  readonly rest: string;
}

const FRONT_PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:as|being|speaking as) (an? [^,]{3,50}?),?\s+(?=(?:I|my)\b)/i, "I am $1"],
  [/^(?:[Cc]oming|[Hh]ailing) from (\p{Lu}[^,]{2,40}), (?=\p{L})/u, "I am from $1"],
];

/** "As a student I lived in Prague": a former role. */
const THEN = /^(?:I|my) (?:(?:also|always|often|never|usually|only|first|once) )*([\p{L}]+)/iu;
const isPast = (rest: string): boolean => {
  const verb = THEN.exec(rest)?.[1] ?? "";
  return /^(?:was|had|did|used)$/i.test(verb) || isPastVerb(verb);
};

/**
 * "I hated olives" in "I hated olives, but now I love them": the clause that a front phrase belongs
 * to.
 */
const FIRST_CLAUSE =
  /^.+?(?=,? (?:but|while|whereas)\b|, (?:now|I|my|he|she)\b|,? and (?:now|I|my)\b|$)/;

/** "With a job at Google, life would be easy": hypothetical. */
const UNREAL = /\b(?:would|could|might|must be)\b/i;

/** Splits the fact at the front of a sentence from the rest. Null if there isn't one. */
export function splitFrontedClause(sentence: string): FrontedFact | null {
  for (const [pattern, as] of FRONT_PHRASES) {
    const m = pattern.exec(sentence);
    if (!m) continue;
    const after = sentence.slice(m[0].length);
    const rest = /^(?:I|me),/i.test(m[0]) ? `I ${after}` : after;
    if (toolAttribute(m[1]!) !== null || UNREAL.test(after)) return null;
    if (!isPast(rest) || /^having/i.test(m[0])) return { said: as.replace("$1", m[1]!), rest };
    return {
      said: null,
      rest: /^as an? /i.test(m[0]) ? rest.replace(FIRST_CLAUSE, `$& as ${m[1]}`) : rest,
    };
  }
  return null;
}
