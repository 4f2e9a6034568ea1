/** Splits sentences that were dictated without full stops. */

import { compile, lines, pattern } from "../lexicon/lines.ts";

/** Max length of a dictated message. Longer ones were pasted. */
const MAX_DICTATED_CHARACTERS = 10_000;

/** Min length of a dictated message. Shorter sentences are read whole. */
const MIN_DICTATED_CHARACTERS = 250;

/** Max length of a clause. Longer ones are skipped. */
const MAX_CLAUSE_CHARACTERS = 280;

const SPEAKER = "(?:[Ii](?:'(?:m|ve|ll|d))?|im|ive|[Mm]y|[Ww]e(?:'(?:re|ve|ll))?|[Oo]ur)";
/** "Ewan plays", "the doctor put": a subject with its verb, unlike one of several objects. */
const OTHERS = lines`
  (?:(?:\p{Lu}\p{Ll}+|[Tt]he \p{Ll}+(?: \p{Ll}+)?) (?:is|are|was|were|has|have|had|put|gave|got|
  told|said|took|keep|want|let|(?!always|perhaps|this|his|as|us|red|bed)\p{Ll}{2,}(?:s|ed))\b)
`;
/** Start of a clause with a subject of its own, with the conjunctions before it. */
const NEXT_CLAUSE = pattern("u")`
  (?<!\b[Mm]y \p{Ll}{2,15})(?:,|;| -| –| —)?(?: (?:and|but|so|because|cos|cause|anyway|anyways|then|
  also|plus|oh|well|um|uh|yeah|ok|okay|which is why|by the way)){1,3} (?=(?:${SPEAKER}|
  [Hh]e(?:'s)?|[Ss]he(?:'s)?|[Tt]hey(?:'re)?) |${OTHERS})|(?:,|;| -| –| —) (?=${SPEAKER} )
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
  if (text.length < MIN_DICTATED_CHARACTERS || text.length > MAX_DICTATED_CHARACTERS) return false;
  if (EXCLUDED.test(text)) return false;
  const words = count(text, WORD), own = count(text, OWN_WORD);
  return own >= MIN_OWN_WORDS && words <= own * MAX_WORDS_PER_OWN_WORD &&
    count(text, /,/g) <= words * MAX_COMMAS_PER_WORD;
}

/** Words after which clauses in the first person may be another's words, or hypothetical. */
const GOVERNS = pattern("i")`
  \b(?:(?:said|says|told (?:me|him|her|us|them))(?! (?:to|not to|it|he|she|they|yes|no|about)\b)|
  goes(?= (?:i|i'm|i've|my|we)\b)|(?<!\b(?:know|sure|wonder|wondering|see|asked) )if (?:i|we)|
  (?:i|we) wish|(?:i|we) would(?! (?:like|love|say|appreciate|rather|never|not)\b))\b
`;
/** "She said i live in Paris". */
const REPORTED =
  /\b(?:said|says|goes|told (?:me|him|her|us|them)) (?:that )?(?:i|i'm|i've|my|we)\b/i;
const OWN_CLAUSE = compile(`^${SPEAKER} `);
const RESUMES = compile(`^${OTHERS}`, "u");

/** Removes clauses in the first person that another clause reports or makes hypothetical. */
function ungoverned(clauses: readonly string[]): readonly string[] {
  let governed = false;
  return clauses.filter((clause) => {
    governed = governed && !RESUMES.test(clause);
    const isKept = !(governed && OWN_CLAUSE.test(clause)) && !REPORTED.test(clause);
    governed ||= GOVERNS.test(clause);
    return isKept;
  });
}

/** Returns the clauses of a dictated sentence. Empty if it wasn't dictated, or has only one. */
export function dictatedClauses(text: string): readonly string[] {
  const clauses = isDictated(text) ? text.split(NEXT_CLAUSE) : [];
  return clauses.length < 2 ? [] : ungoverned(clauses).map((clause) => clause.replace(FILLERS, ""))
    .filter(({ length }) => length <= MAX_CLAUSE_CHARACTERS);
}
