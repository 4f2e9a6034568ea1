/** Splits statements from questions and requests in the same sentence. */

import { hasVerb } from "../clauses/clauses.ts";
import { expand } from "../clauses/normalize.ts";
import { lines, pattern } from "../lexicon/lines.ts";
import { gate, isInstruction } from "./gates.ts";
import type { Sentence } from "./sentences.ts";

/** Pronouns that are a subject after a verb. "It" and "that" can be an object ("did it"). */
const SUBJECT = "I|we|you|he|she|they";
const MODAL = "can|could|should|would|will|shall";
const VERB = `is|are|am|was|were|do|does|did|${MODAL}`;

/**
 * "What should I eat", "is it ok to …", "any ideas": questions even without a question mark. Not
 * "am I" alone, which is a tag.
 */
const QUESTION_FORM = lines`
  (?:(?:and|but|so) )?(?:what|where|when|how|why|which(?! (?:${VERB}|have|has)\b))
  (?: (?!(?:${SUBJECT}|it|there|this|that|my|our|still|also|now|really|always|just|only|never|often|
  most)\b)[\p{L}-]+){0,3}(?: (?:have|has) (?:${SUBJECT})|
  (?:'s| (?:${VERB})) (?:${SUBJECT}|it|there|this|that|these|those|my|our|your|the|an?|some|any))\b
  (?= \S)|
  (?:${VERB}) (?:${SUBJECT})\b(?= \S)|(?:is|${MODAL}) (?:it|this|that)\b(?= \S)|
  (?:${MODAL}) (?:my|our|any\p{L}*)\b(?= \S)|
  is there (?:an?|any\p{L}*|some\p{L}*|another)\b|(?:and|but|so) (?:(?:${MODAL}) you|should I)\b|
  any (?:way|chance)\b|
  any (?:\p{L}+ ){0,2}(?:ideas?|tips|recommendations|recs|suggestions|advice|thoughts)\b
`;

/** Requests whose verb can't have the subject of a statement before them. */
const REQUEST_FORM = lines`
  (?:(?:and|but|so) )?(?:(?:please|pls|kindly) \p{L}+|let me know\b)
`;

/** Requests whose verb could have a subject in the plural ("my parents … send me money"). */
const ORDER_FORM = lines`
  (?:(?:and|but|so) )?(?:(?:help|remind|give|tell|show|find|teach|send|write|draft|quiz|walk) (?:me|us)\b|
  (?:suggest|recommend|propose) (?:an?|some|something|any|other|more|me|us)\b|
  (?:never|always|don't|do not|stop) (?:ever )?(?:give|send|ask|tell|show|call|remind) me\b|
  (?:never|don't|do not|stop) (?:ever )?(?:suggest|recommend)(?:ing)?\b|
  (?:never|don't|do not) (?:schedule|book) .+ (?:for|with) me\b)
`;

const ASKED_NEXT = pattern("giu")`
  (?:[,;]| [-–—]) (?=${QUESTION_FORM}|${REQUEST_FORM}|(${ORDER_FORM}))|
  (?:[,;]| [-–—])? so (?=let's |please |(?:${MODAL}) you )
`;

/** A statement of the speaker after an instruction or a question. */
const STATED_NEXT =
  /(?:[,;]| [-–—])? (?:because|since|cos) (?=(?:I|my|we|our)\b)|(?:[,;]| [-–—]) (?=(?:I|my|we|our)\b)/giu;

/** A clause that depends on the next one. */
const DEPENDS =
  /^(?:(?:if|when|where|how|what|who)(?:ever)?|since|because|as|while|after|before|given|(?:al)?though|once|unless|until|considering|now|in case|(?:every|each|any|next) ?time|suppos\w+|imagin\w+|assum\w+|pretend\w*|say)\b/i;

/** "In emails I write to my boss, please …": where a request applies. */
const APPLIES_TO =
  /^(?:in|for|with|on) (?:\p{L}+ )?(?:e-?mails?|messages?|replies|answers?|letters?|code|recipes?|summar\p{L}+|posts?|texts?)\b/iu;

/** A clause that says whose words the next one has. */
const REPORTS =
  /\b(?:(?:says?|said|asks?|asked|asking|tells?|told|telling|goes|wonders?|wondering|thinks?|thinking)(?: me| us)?|(?:was|is|were|are|be) like)$/i;

const PLURAL_SUBJECT =
  /^(?:[Tt]hey|(?:[Mm]y|[Oo]ur|[Tt]he) (?:[\p{L}'-]+ ){1,3}?(?:are|were|have|own|do|live|work|like|love|hate)|\p{Lu}\p{L}+ and \p{Lu}\p{L}+) /u;

/** "… send me money every month and live in Cork": what someone does, not a request. */
const HABITUAL = /\b(?:(?:and|but) \p{Ll}+|every|each|always)\b|^(?:never|don't|do not)\b/u;

const OF_PEOPLE = /\b(?:I|me|my|we|us|our|he|she|they)\b/i;

const isStatement = (text: string): boolean =>
  OF_PEOPLE.test(text) && !DEPENDS.test(text) && !REPORTS.test(text) && hasVerb(expand(text)) &&
  gate(text, false, true) === null;

/**
 * Splits a sentence into a statement and the question or request after it ("I have ADHD, how do I
 * stay on task"), or an instruction and the statement after it ("Answer in metric, I'm in Norway").
 */
export function splitRequests(sentence: Sentence): readonly Sentence[] {
  const { text, explicit } = sentence;
  if (explicit) return [sentence];
  for (const { 0: separator, 1: order, index } of text.matchAll(ASKED_NEXT)) {
    const left = text.slice(0, index), right = text.slice(index + separator.length);
    if (isInstruction(expand(left)) || !isStatement(left)) continue;
    if (order !== undefined && PLURAL_SUBJECT.test(left) && HABITUAL.test(right)) continue;
    if (APPLIES_TO.test(left) && /^(?:please|pls|kindly)\b/i.test(right)) continue;
    const [asked, ...stated] = splitStatement(right) ?? [right];
    return [
      { ...sentence, text: left, question: false },
      { ...sentence, text: asked! },
      ...stated.map((text) => ({ ...sentence, text, question: false })),
    ];
  }
  const parts = splitStatement(text);
  return parts !== null && isInstruction(expand(parts[0]))
    ? parts.map((text) => ({ ...sentence, text }))
    : [sentence];
}

/** Splits a text before the first statement of the speaker, if there is one. */
function splitStatement(text: string): readonly [string, string] | null {
  for (const { 0: separator, index } of text.matchAll(STATED_NEXT)) {
    const left = text.slice(0, index), right = text.slice(index + separator.length);
    // "My divorce or my weight, I hate that": no statement before the comma.
    const isClause = hasVerb(expand(right.split(/[,;]/)[0]!));
    if (isClause && !REPORTS.test(left) && isStatement(right)) return [left, right];
  }
  return null;
}
