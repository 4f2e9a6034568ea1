/** Parts statements from the questions and requests that share a sentence with them. */

import { hasVerb } from "../clauses/clauses.ts";
import { expand } from "../clauses/normalize.ts";
import { lines, pattern } from "../lexicon/lines.ts";
import { gate, isInstruction } from "./gates.ts";
import type { Sentence } from "./sentences.ts";

const OTHERS = "I|we|you|he|she|it|they|there|this|that|these|those";
const DOES = "do|does|did|can|could|should|would|will|shall";
const IS = "is|are|am|was|were";

/** "What should I eat", "is it ok to …", "any ideas": forms that need no question mark. */
const QUESTION = lines`
  (?:(?:and|but|so) )?(?:what|where|when|how|why|which (?!${IS}|${DOES}))(?: ?(?!(?:${OTHERS}|my|our)\b)[\p{L}-]+){0,3}
  (?:'s| (?:${IS}|${DOES}|have|has)) (?:${OTHERS}|my|our|your|the|an?|some|any)\b|
  (?:${IS}|${DOES}) (?:${OTHERS}|any\p{L}*)\b|(?:${DOES}) (?:my|our|the|an?)\b|
  (?:and|but|so) (?:(?:can|could|would|will) you|should I)\b|
  any (?:\p{L}+ ){0,2}(?:ideas?|tips|recommendations|recs|suggestions|advice|thoughts)\b
`;

/** "Please …", "help me …", "never suggest …". Other verbs may have the subject of the statement. */
const REQUEST = lines`
  (?:(?:and|but|so) )?(?:(?:please|pls|kindly) \p{L}+|
  (?:help|give|tell|show|find|teach|send|remind|write|draft|quiz|walk) (?:me|us)\b|let me know\b|
  (?:suggest|recommend|propose) (?:an?|some|something|any|other|more|me|us)\b|
  (?:never|always|don't|do not|stop) (?:ever )?(?:(?:give|send|ask|tell|show|call|remind) me|
  suggest(?:ing)?|recommend(?:ing)?|schedul(?:e|ing)|book(?:ing)?|answer|reply|respond|assum(?:e|ing))\b)
`;

/** A question or request behind a statement. */
const ASKED_AFTER = pattern("giu")`
  (?:[,;]| [-–—]) (?=${QUESTION}|${REQUEST})|(?:[,;]| [-–—])? so (?=let's |please |(?:can|could|would|will) you )
`;

/** A statement of the speaker behind an instruction. */
const STATED_AFTER =
  /(?:[,;]| [-–—])? (?:because|since|cos) (?=(?:I|my|we|our)\b)|(?:[,;]| [-–—]) (?=(?:I|my|we|our)\b)/giu;

/** A clause that depends on the one behind it. */
const DEPENDS =
  /^(?:if|when(?:ever)?|since|because|as|while|after|before|given|(?:al)?though|once|unless|until|considering|now|suppos\w+|imagin\w+|assum\w+|pretend\w*|say)\b/i;

/** A clause that says whose words the next one has. */
const REPORTS =
  /\b(?:said|says?|told|tells?|asks?|asked|goes|wonders?|wondering|thinks?)(?: me| us)?$/i;

const OF_PEOPLE = /\b(?:I|me|my|we|us|our|he|she|they)\b/i;

const isStatement = (text: string): boolean =>
  OF_PEOPLE.test(text) && !DEPENDS.test(text) && !REPORTS.test(text) && hasVerb(expand(text)) &&
  gate(text, false, true) === null;

/**
 * Splits a sentence into a statement and the question or request behind it ("I have ADHD, how do I
 * stay on task"), or an instruction and the statement behind it ("Answer in metric, I'm in Norway").
 */
export function partedFromAsked(sentence: Sentence): readonly Sentence[] {
  const { text, explicit } = sentence;
  if (explicit) return [sentence];
  for (const { 0: separator, index } of text.matchAll(ASKED_AFTER)) {
    const left = text.slice(0, index), right = text.slice(index + separator.length);
    if (isInstruction(expand(left)) || !isStatement(left)) continue;
    return [{ ...sentence, text: left, question: false }, { ...sentence, text: right }];
  }
  for (const { 0: separator, index } of text.matchAll(STATED_AFTER)) {
    const left = text.slice(0, index), right = text.slice(index + separator.length);
    if (!isInstruction(expand(left)) || !isStatement(right)) continue;
    return [{ ...sentence, text: left }, { ...sentence, text: right }];
  }
  return [sentence];
}
