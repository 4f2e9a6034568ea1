/** Writes the words that the tagger marked as the value of a claim. */

import { CLOSED_VALUES, type SentenceTags, type TaggedSpan } from "../../tagger/mod.ts";
import { type AttributeValue, normalized } from "../claim_values.ts";
import { foreignStatus } from "../lexicon/foreign_statuses.ts";
import { favorite } from "../rules/taste.ts";

/** Attributes whose value runs to the next blank, over any other characters. */
const UNBROKEN = new Set(["email", "phone", "website", "handle", "pronouns"]);

/** A name with a domain, unlike "i.e". */
const HOST = /[\p{L}\p{N}]{2,}\.\p{L}{2,}/u;

/** "The youngest of seven" has six siblings. */
const IS_ONE_OF =
  /\b(?:(?:one|eldest|oldest|youngest|middle|first|last)(?: one)? of (?:us )?|(?<!\p{L})we(?: are|['’]re) )$/iu;

/** Numbers, unlike "several". */
const EXACT = /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i;

/** Labels below this say nothing about a marked word. */
const MIN_CLOSED = 0.3;

/** Jobs by what someone teaches or drives: "I teach chemistry" is said by a chemistry teacher. */
const WORKERS: readonly (readonly [before: RegExp, worker: string])[] = [
  [/\b(?:teach(?:es|ing)?|taught) (?:the )?$/i, "teacher"],
  [/\b(?:driv(?:es?|ing)|drove) (?:an? |the )$/i, "driver"],
];

/** "I teach as an assistant teacher": a job already. */
const IS_WORKER = /(?:teacher|tutor|instructor|lecturer|professor|driver|assistant|coach)$/i;

/** Returns the attribute and value of a marked span, or null if its words can't be one. */
export function valueOf(
  sentence: string,
  span: TaggedSpan,
  tags: SentenceTags,
): AttributeValue | null {
  const { attribute } = span;
  const words = UNBROKEN.has(attribute) ? unbroken(sentence, span) : whole(sentence, span);
  if (Object.hasOwn(CLOSED_VALUES, attribute)) return closedValue(words, span, tags);
  const found = normalized(attribute, words);
  if (found === null) return null;
  if (attribute === "website" && !HOST.test(found.value)) return null;
  if (attribute === "siblings" && IS_ONE_OF.test(sentence.slice(0, span.start))) {
    // "The youngest of several sisters" doesn't say how many there are.
    const others = EXACT.test(words) ? Number(found.value) - 1 : 0;
    return others > 0 ? { attribute, value: String(others) } : null;
  }
  if (attribute === "job_title") {
    const worker = WORKERS.find(([before]) => before.test(sentence.slice(0, span.start)))?.[1];
    return worker === undefined || IS_WORKER.test(found.value)
      ? found
      : { attribute, value: `${found.value} ${worker}` };
  }
  if (attribute === "favorite") return favoriteOf(sentence, span, found.value);
  if (attribute === "decision") {
    return { attribute: decisionTopic(sentence, span), value: found.value };
  }
  return found;
}

/** Extends a span to the blanks around it. */
function unbroken(sentence: string, { start, end }: TaggedSpan): string {
  const before = /[^\s(<"“:]*$/.exec(sentence.slice(0, start))![0];
  const after = /^[^\s)>"”,!?;]*/.exec(sentence.slice(end))![0];
  return (before + sentence.slice(start, end) + after).replace(/[.:]+$/, "");
}

/**
 * Returns the words of a span, with the rest of a word that it's part of ("dog" of "dog-eared").
 */
function whole(sentence: string, { start, end }: TaggedSpan): string {
  const before = /(?:[\p{L}\p{N}]+[-&+]|[.#@/])*$/u.exec(sentence.slice(0, start))![0];
  const after = /^(?:[-&/.'’][\p{L}\p{N}]+(?<!['’]s))*[+#]*/u.exec(sentence.slice(end))![0];
  return before + sentence.slice(start, end) + after;
}

/** Returns a closed value, from its own words or else from the whole sentence. */
function closedValue(
  words: string,
  { attribute, state }: TaggedSpan,
  { labels }: SentenceTags,
): AttributeValue | null {
  const found = normalized(attribute, words);
  if (found !== null && CLOSED_VALUES[attribute]!.includes(found.value)) return found;
  const named = foreignStatus(attribute, words);
  if (named !== null) return { attribute, value: named };
  const ended = state === "ended";
  const best = labels
    .filter((label) => label.attribute === attribute && label.ended === ended)
    .sort((a, b) => b.confidence - a.confidence)[0];
  return best !== undefined && best.confidence >= MIN_CLOSED
    ? { attribute, value: best.value }
    : found;
}

const FAVORITE_OF =
  /\b(?:favou?rite|fave?|go-to|best|top|number (?:one|1))\s+((?:\p{L}+ )?\p{L}+?)(?:\s+(?:is|are|has|was|in|of|to|for|at|by|ever|these|right|now|has|remains|will|would|above|out|by|hands|full|no|around|on|since|here|that|which|i|you|we|money|gotta|got|must|still)\b|['’]s\b|[,.:;!?]|$)/iu;

/** The same in the other languages: "mon film préféré", "il mio piatto preferito", "Lieblingsfarbe". */
const FAVORITE_OF_FOREIGN =
  /\blieblings(\p{L}+)|(\p{L}+) (?:préférée?|favorit[oae]|favori|preferid[oa]|preferit[oa])\b/iu;

/** English words for topics, since state compares attributes. Other topics keep their own word. */
const TOPICS: ReadonlyMap<string, string> = new Map([
  ["farbe", "color"],
  ["couleur", "color"],
  ["cor", "color"],
  ["colore", "color"],
  ["buch", "book"],
  ["livre", "book"],
  ["libro", "book"],
  ["livro", "book"],
  ["essen", "food"],
  ["comida", "food"],
  ["plat", "dish"],
  ["plato", "dish"],
  ["prato", "dish"],
  ["piatto", "dish"],
  ["filme", "film"],
  ["película", "film"],
]);

/** Kinds of things that people have a favorite of, unless they're where something is. */
const KIND =
  /(?<!\b(?:at|on|in|of|for|from|to|with|by) (?:(?:the|my|our|this|that|an?) )?)\b(film|movie|book|song|band|singer|food|dish|drink|colou?r|team|player|city|season|animal|sport|game|show|series|author|album|flower|tree|holiday|meal|pizza|dessert|snack|beer|wine|cheese|fruit|artist|restaurant|month|subject|podcast)\b/i;

function favoriteTopic(text: string): string | undefined {
  const english = FAVORITE_OF.exec(text)?.[1];
  if (english !== undefined) return english;
  const kind = KIND.exec(text)?.[1];
  if (kind !== undefined) return kind;
  const foreign = FAVORITE_OF_FOREIGN.exec(text);
  const word = (foreign?.[1] ?? foreign?.[2])?.toLowerCase();
  return word === undefined ? undefined : TOPICS.get(word) ?? word;
}

/** The topic of a favorite is next to it ("my favorite color is teal"). Without one, it's liked. */
function favoriteOf(
  sentence: string,
  { start, end }: TaggedSpan,
  value: string,
): AttributeValue {
  const rest = sentence.slice(0, start) + sentence.slice(end);
  const topic = favoriteTopic(rest);
  return { attribute: topic === undefined ? "likes" : favorite(topic), value };
}

const FOR_TOPIC =
  /\b(?:for|as) (?:(?:the|our|my|a|an|all|new) )*((?:\p{L}+[ -])?\p{L}+)(?=[,.;:!?]|$| (?:and|but|because|since|from|now|instead|after|which)\b)/iu;

/** Returns `decision:TOPIC` if the sentence has a topic, else `decision`. */
function decisionTopic(sentence: string, { start, end }: TaggedSpan): string {
  const topic = FOR_TOPIC.exec(sentence.slice(end))?.[1] ??
    /^(?:for|as) (?:(?:the|our|my|a|an) )?(\p{L}+(?: \p{L}+)?),? /iu.exec(sentence.slice(0, start))
      ?.[1];
  return topic === undefined
    ? "decision"
    : `decision:${topic.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_")}`;
}
