/**
 * In conversations, a sentence may depend on the one before it, or a reply on its question. A
 * memory has to be understood by itself, so it includes both.
 */
import { uncapitalize } from "../../../kernel/text.ts";
import type { ExtractedFact } from "../../extractor.ts";
import { MAX_MEMORY_CHARACTERS } from "../../vocabulary.ts";
import { isVerbForm } from "./clauses.ts";
import { pattern } from "../lexicon/lines.ts";

const PRONOUN =
  /^(?:(?:and|but|so|plus|also),? )?(?:(?:it|they|she|he)\b|(?:its|their|his|her) \p{L}|(?:this|that|these|those) (?:is|was|were|are|has|have|had|will|would|can|really|always|just|also|still|definitely|\p{L}+(?:ed|es|[^su]s)|made|gave|kept|brought|meant|taught|got) )/iu;

/** Checks whether a sentence can't be understood without the one before it. */
export function leans(sentence: string): boolean {
  return PRONOUN.test(sentence);
}

/** Max words of two facts joined into one. */
const MAX_JOINED_WORDS = 36;

/**
 * Joins a fact and the one that depends on it. Null if the result would be too long, if they
 * happened on different days, or if the second has claims of its own. `undated` is the date of
 * facts that name none.
 */
export function joined(
  before: ExtractedFact,
  after: ExtractedFact,
  speaker: string,
  undated: string | null,
): ExtractedFact | null {
  if (after.claims.length > 0) return null;
  const [first, second] = [before, after].map(({ event_date }) =>
    event_date === undated ? null : event_date
  );
  if (first && second && first !== second) return null;
  const continuation = after.memory.startsWith(speaker) ? after.memory : uncapitalize(after.memory);
  const memory = `${before.memory}; ${continuation}`;
  if (memory.length > MAX_MEMORY_CHARACTERS || memory.split(" ").length > MAX_JOINED_WORDS) {
    return null;
  }
  return {
    ...before,
    memory,
    event_date: first ?? second ?? undated,
    importance: Math.max(before.importance, after.importance),
  };
}

const ASKING = pattern("i")`
  ^(?:(?:so|and|but|well|wow|oh|hey|also|any|got|(?:what|how|where|who|it|that|
  there)(?:'s|'d|'re)?|when|why|which|do|does|did|is|are|was|were|have|has|had|can|could|
  would|will|should|may|you|your|you've|you're|they|this|those|these|the|an?|some|kinds?|
  sort|type|of|about|others?|else|ever|been|going|gonna|wanna|to|for|with|in|on|at|from|
  up|think|feel|like|mean|tell|show|me|more|want|plan|planning|make|made|gets?|into|
  inspired|anything|anyone|anywhere|something|someone|special|new|lately|recently|
  usually|still|really|if|or|not|one|most|much|many|long|often|far|things?|stuff|by|as|be|
  being)(?: |$))+
`;
/** End of the noun phrase of a question: its clause, or an adverbial. */
const PHRASE_END =
  / (?:do|did|does|are|is|was|were|have|has|had|would|will|can|could|should|you|your|they|it|that|which|who|when|while|so|because|if|or|been|since|(?:for|with|in|to) your?|as well|like|lately|recently|sometime|so far|right now|at all|coming up|going on|by any chance)(?:\b.*)?$|[,;:–—(].*$| - .*$/i;
const EDGE =
  /^(?:to|for|of|on|in|with|from|at|by|about|any|an?|the|some|your|their|his|her|so|now|up|out|away|off|then|too|just|only|it|them|him|me|us|you|and|or|good|new|others?|ways?|i|we|he|she|they|since|[-–—&]+)$/i;
const NO_TOPIC =
  /^(?:guess(?: what)?|also|look|happen|holding|doing|happening|busy|afterwards?|recent|sure|true|ready|excited|life|\p{L}*'\p{L}+)$|\b(?:I|me|I'm|it's|we|she|he)\b/iu;

/** Max words of a topic. */
const MAX_TOPIC_WORDS = 6;

/** Returns the last question of a text, without its question mark. Null if there isn't one. */
function lastQuestion(text: string): string | null {
  const isEnd = (at: number) => at >= 0 && /[.!?]/.test(text[at]!);
  let end = text.lastIndexOf("?");
  while (end > 0 && isEnd(end - 1)) end = text.lastIndexOf("?", end - 1);
  if (end <= 0) return null;
  let start = end;
  while (start > 0 && !isEnd(start - 1)) start--;
  return text.slice(start, end);
}

/** Returns the noun phrase that the last question of a text is about. Null if there isn't one. */
export function topicOf(text: string): string | null {
  const question = lastQuestion(text)?.replace(/["“”]+/g, "").trim();
  if (!question) return null;
  const words = question.replace(ASKING, "").replace(PHRASE_END, "").split(/\s+/).filter(Boolean);
  const isVerb = (word: string) => !word.endsWith("ing") && isVerbForm(word);
  while (words[0] && (EDGE.test(words[0]) || isVerb(words[0]))) words.shift();
  while (
    words.length && (EDGE.test(words.at(-1)!) || (words.length > 1 && isVerb(words.at(-1)!)))
  ) {
    words.pop();
  }
  const topic = words.join(" ");
  const named = words.length <= MAX_TOPIC_WORDS && /\p{L}{4}/u.test(topic) && !NO_TOPIC.test(topic);
  return named ? topic : null;
}

/** Adds the topic of a question to the fact that replies to it, unless the fact has it already. */
export function answering(fact: ExtractedFact, topic: string): ExtractedFact {
  const said = fact.memory.toLowerCase();
  // Forms of a word share its first letters ("painting", "paintings", "painted").
  if (topic.toLowerCase().split(" ").every((word) => said.includes(word.slice(0, 5)))) return fact;
  const memory = `${fact.memory} (about ${topic})`;
  return memory.length > MAX_MEMORY_CHARACTERS ? fact : { ...fact, memory };
}
