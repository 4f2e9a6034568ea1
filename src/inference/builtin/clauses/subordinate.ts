/** Splits sentences that begin with a subordinate clause ("Because I'm diabetic I avoid sugar"). */

import { compile } from "../lexicon/lines.ts";

const SUBORDINATES =
  "(?:although|even though|though|while|whilst|whereas|because|ever since|since|as|now that|given that|seeing (?:as|that)|considering(?: that)?|after|before)";
/** A subordinate clause that states a fact. "When I was a kid" only gives a time. */
const OWN = "(?!I (?:was|were|had been)\\b(?! born))";
const WITH_COMMA = compile(
  `^(${SUBORDINATES}) (${OWN}(?:I|my) [^,;]{3,80}), (?:so )?(?=(?:I|my|he|she|it|they|the) \\p{Ll})`,
  "iu",
);
const WITHOUT_COMMA = compile(
  `^(${SUBORDINATES}) (${OWN}I \\p{Ll}[^,;]{1,60}?)(?<!\\b(?:think|know|believe|feel|hope|guess|wish|mean|said|say|that|where|who|what|when|how|and|but|or|the \\p{L}+)) (?=I \\p{Ll})`,
  "iu",
);
/**
 * "Before I moved to Lyon I lived in Nice" states a move, "before I go to bed I read" only a time.
 */
const CAME_ABOUT =
  /^I (?:(?:have|finally|first|then) )?(?:moved|joined|became|started|began|got|married|switched|retired|adopted|bought|met)\b/;

/** Returns a sentence with the subordinate clause at its front as a clause of its own. */
export function unfolded(sentence: string): string {
  const m = WITH_COMMA.exec(sentence) ?? WITHOUT_COMMA.exec(sentence);
  if (!m || /^before$/i.test(m[1]!) && !CAME_ABOUT.test(m[2]!)) return sentence;
  return `${m[2]}; ${sentence.slice(m[0].length)}`;
}
