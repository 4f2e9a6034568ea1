/**
 * Rates how much a sentence without a claim is worth keeping: a hand-set logistic score of its
 * words.
 */

import { stopWords } from "../../../kernel/stop_words.ts";
import { pattern } from "../lexicon/lines.ts";

/**
 * Weights set by hand and measured on annotated conversations: they reach what two thousand trained
 * weights reach there (F 0.465 against 0.467), so nothing was trained.
 */
const WEIGHTS = {
  bias: -1.2,
  speaker: 0.9,
  possessive: 0.5,
  rule: 0.8,
  time: 0.8,
  digit: 0.4,
  capital: 0.3,
  long: 0.8,
  medium: 0.5,
  empty: -1.2,
  short: -0.8,
  reaction: -0.9,
  addressed: -0.6,
  praise: -0.4,
  general: -0.5,
} as const;

/** Words that don't count as content of a sentence. */
export const MESSAGE_STOP_WORDS: ReadonlySet<string> = stopWords(
  "articles",
  "auxiliaries",
  "participles",
  "modals",
  "otherModals",
  "negations",
  "contractions",
  "thirdPersonPronouns",
  "pronouns",
  "mine",
  "demonstratives",
  "pluralDemonstratives",
  "relativePronouns",
  "questionWords",
  "conjunctions",
  "otherConjunctions",
  "prepositions",
  "particles",
  "otherPrepositions",
  "quantifiers",
  "vagueNouns",
  "adverbs",
  "placeAdverbs",
  "emphasis",
  "interjections",
  "vagueVerbs",
);
const TIME =
  /\b(?:yesterday|today|tomorrow|tonight|last|next|ago|week(?:end)?s?|month|year|years|since|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|recently|soon|every|morning|evening|summer|winter|spring|(?:19|20)\d\d)\b/i;

const REACTION = pattern("i")`
  ^(?:you|that|it's|it is|what|sounds|so glad|glad|hope|hopefully|thanks|this|no wonder|
  (?:I )?can (?:not wait|imagine|relate)|(?:do not|no need to) worry|let (?:me|us)|keep|
  stay|take care|feel free|check out|look at|here (?:is|are)|long time|
  I (?:totally |really |definitely )?(?:agree|hope|bet|get|see|understand|appreciate)|
  I will (?:definitely |be sure to |make sure to |keep |let |never |always )?(?:check|
  keep|let|give|try|forget|remember|be)|I (?:am|was) (?:(?:so|really|super|very|just|
  pretty) )*(?:glad|sure|happy|sorry|stoked|lucky|grateful|thankful|here for))\b
`;

/** The first person, a name or a number. Without any, a sentence is a saying ("Reading is fun"). */
const PARTICULAR = /\b(?:I|me|my|mine|we|us|our)\b|(?<=\s)\p{Lu}\p{L}|\d/u;

/** Returns a score like a probability. `rule` is true if any rule matched the sentence. */
export function salience(text: string, rule: boolean): number {
  const tokens = text.split(/\s+/);
  const content =
    tokens.map((token) => token.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")).filter((token) =>
      token && !MESSAGE_STOP_WORDS.has(token)
    ).length;
  let score: number = WEIGHTS.bias;
  if (/\b(?:I|we)\b/i.test(text)) score += WEIGHTS.speaker;
  if (/\b(?:my|our)\b/i.test(text)) score += WEIGHTS.possessive;
  if (rule) score += WEIGHTS.rule;
  if (TIME.test(text)) score += WEIGHTS.time;
  if (/\d/.test(text)) score += WEIGHTS.digit;
  if (/\s(?!I\b)\p{Lu}\p{L}/u.test(text)) score += WEIGHTS.capital;
  score += content >= 7
    ? WEIGHTS.long
    : content >= 4
    ? WEIGHTS.medium
    : content <= 1
    ? WEIGHTS.empty
    : 0;
  if (tokens.length <= 4) score += WEIGHTS.short;
  if (REACTION.test(text)) {
    score += WEIGHTS.reaction;
  }
  if (/\byou(?:r|'re)?\b/i.test(text)) score += WEIGHTS.addressed;
  if (/\b(?:proud|congrat\w*|awesome|luck)\b/i.test(text)) score += WEIGHTS.praise;
  if (!PARTICULAR.test(text) && !TIME.test(text)) score += WEIGHTS.general;
  return 1 / (1 + Math.exp(-score));
}

/**
 * Min score of a sentence in a conversation between people (measured: below, too many words; above,
 * dates are lost).
 */
export const TRANSCRIPT_THRESHOLD = 0.28;
