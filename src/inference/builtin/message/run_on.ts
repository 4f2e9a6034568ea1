/** Splits sentences that were dictated without full stops. */

import { pattern } from "../lexicon/lines.ts";

/** Max length of a dictated message. Longer ones were pasted. */
const MAX_DICTATED_CHARACTERS = 10_000;

/** Max length of a clause. Longer ones are skipped. */
const MAX_CLAUSE_CHARACTERS = 280;

const SPEAKER = "(?:[Ii](?:'(?:m|ve|ll|d))?|im|ive|[Mm]y|[Ww]e(?:'(?:re|ve|ll))?|[Oo]ur)";
/** Start of a clause with a subject of its own, with the words that lead to it. */
const NEXT_CLAUSE = pattern("u")`
  (?:,|;| -| –| —)?(?: (?:and|but|so|because|cos|cause|anyway|anyways|then|also|plus|oh|well|um|uh|
  yeah|ok|okay|now|like|which is why|by the way)){1,3} (?=(?:${SPEAKER}|[Hh]e(?:'s)?|[Ss]he(?:'s)?|
  [Tt]hey(?:'re)?|[Tt]he|\p{Lu}\p{Ll}+) )|(?:,|;| -| –| —) (?=${SPEAKER} )
`;
/** "Right so basically I …". */
const FILLERS =
  /^\s*(?:(?:so|right|ok(?:ay)?|yeah|hi|hey|hello|well|um+|uh|oh|basically|anyway|like|alright|and|but),? )+(?=(?:I|I'm|I've|my|we|our|he|she|they|the)\b)/i;

const WORD = /\S+/g;
const OWN_WORD = /(?<![(\p{L}'])(?:i|i'(?:m|ve|d|ll)|im|ive|my|me|mine)(?![)\p{L}])/giu;
/** Words that make everything after them hypothetical or fiction, or occur only in written texts. */
const EXCLUDED = pattern("i")`
  \b(?:suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|let'?s say|what if|once upon|
  dream(?:s|t|ed|ing)?|story|novel|character|lyrics|role|hereby|herein|whereas|pursuant|
  undersigned|https?)\b|¤|[{}<>|]
`;
const MIN_OWN_WORDS = 3;
const MAX_WORDS_PER_OWN_WORD = 30;
const MAX_COMMAS_PER_WORD = 0.2;

const count = (text: string, of: RegExp): number => [...text.matchAll(of)].length;

/** Checks whether a text is about its speaker, and not a list or a pasted text. */
function isDictated(text: string): boolean {
  if (text.length > MAX_DICTATED_CHARACTERS || EXCLUDED.test(text)) return false;
  const words = count(text, WORD), own = count(text, OWN_WORD);
  return own >= MIN_OWN_WORDS && words <= own * MAX_WORDS_PER_OWN_WORD &&
    count(text, /,/g) <= words * MAX_COMMAS_PER_WORD;
}

/** Returns the clauses of a dictated sentence. Empty if it wasn't dictated. */
export function dictatedClauses(text: string): readonly string[] {
  if (!isDictated(text)) return [];
  return text.split(NEXT_CLAUSE).map((clause) => clause.replace(FILLERS, ""))
    .filter(({ length }) => length <= MAX_CLAUSE_CHARACTERS);
}
