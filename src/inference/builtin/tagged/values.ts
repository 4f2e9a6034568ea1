/** Writes the words that the tagger marked as the value of a claim. */

import { birthday } from "../rules/naming.ts";
import { favorite } from "../rules/taste.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import { CLOSED_VALUES, type SentenceTags, type TaggedSpan } from "../../tagger/mod.ts";
import { tidyValue } from "../../vocabulary.ts";
import { digits } from "../values.ts";

/** Leading words that don't belong to a value, in the languages that the taggers read. */
const DETERMINER =
  /^(?:the|an?|my|our|some|der|die|das|den|dem|ein(?:e|en|em|er)?|mein(?:e|en|em|er)?|le|la|les|un|une|mon|ma|mes|el|los|las|una|mi|mis|o|os|as|um|uma|meu|minha|il|lo|gli|uno|mio|mia)\s+/iu;

/** Words between quotes or brackets, and punctuation around a value. */
const EDGES = /^[\s,;:!?"“”'‘’()\[\]{}…–—-]+|[\s,;:!?"“”'‘’()\[\]{}…–—-]+$/gu;

/** Attributes whose value runs to the next blank, whatever characters it has. */
const UNBROKEN = new Set(["email", "phone", "website", "handle", "pronouns"]);

/** Attributes with a number as their value. */
const NUMBERS = new Set(["age", "children", "siblings"]);

/** Attributes that name a person or pet. */
const NAMES = new Set(
  "name nickname spouse partner child sibling parent grandparent relative friend colleague".split(
    " ",
  ),
);

/** No name: pronouns, relations and other words that stand where a name could. */
const NO_NAME =
  /^(?:i|me|you|he|she|it|they|we|him|her|them|this|that|one|someone|everyone|mum|mom|dad|baby|kids?|son|daughter|sister|brother|wife|husband|partner|friend|boss|girl|boy|man|woman|guys?|babe|honey|love|dear|mate|dude|sir|madam|there|here|both|all)$/i;

/** Labels below this say nothing about a marked word. */
const MIN_CLOSED = 0.3;

/** The attribute and value of a marked span, or null if its words can't be one. */
export function valueOf(
  sentence: string,
  span: TaggedSpan,
  tags: SentenceTags,
): { readonly attribute: string; readonly value: string } | null {
  const { attribute } = span;
  const words = UNBROKEN.has(attribute)
    ? unbroken(sentence, span)
    : sentence.slice(span.start, span.end);
  const value = tidyValue(words.replace(EDGES, "")).replace(DETERMINER, "");
  if (!/[\p{L}\p{N}]/u.test(value)) return null;
  if (NUMBERS.has(attribute)) {
    const number = digits(value) ?? /\d+/.exec(value)?.[0];
    return number === undefined || number === null ? null : { attribute, value: number };
  }
  if (attribute === "birthday") {
    const day = birthday(value);
    return day === null ? null : { attribute, value: day };
  }
  if (NAMES.has(attribute)) {
    return NO_NAME.test(value) || value.split(" ").length > 4 ? null : { attribute, value };
  }
  if (attribute in CLOSED_VALUES) return closedValue(attribute, value, span, tags);
  if (attribute === "favorite") return favoriteOf(sentence, span, value);
  if (attribute === "decision") return { attribute: decisionTopic(sentence, span), value };
  if (attribute === "uses") return { attribute: toolAttribute(value) ?? attribute, value };
  return { attribute, value };
}

/** Extends a span to the blanks around it. */
function unbroken(sentence: string, { start, end }: TaggedSpan): string {
  const before = /[^\s(<"“:]*$/.exec(sentence.slice(0, start))![0];
  const after = /^[^\s)>"”,!?;]*/.exec(sentence.slice(end))![0];
  return (before + sentence.slice(start, end) + after).replace(/[.:]+$/, "");
}

function closedValue(
  attribute: string,
  value: string,
  { state }: TaggedSpan,
  { labels }: SentenceTags,
): { attribute: string; value: string } | null {
  const known = CLOSED_VALUES[attribute]!.find((one) => value.toLowerCase() === one);
  if (known !== undefined) return { attribute, value: known };
  const ended = state === "ended";
  const best = labels
    .filter((label) => label.attribute === attribute && label.ended === ended)
    .sort((a, b) => b.confidence - a.confidence)[0];
  if (best !== undefined && best.confidence >= MIN_CLOSED) return { attribute, value: best.value };
  // Diets are an open list; the other two have no values beyond the ones listed.
  return attribute === "diet" ? { attribute, value: value.toLowerCase() } : null;
}

const FAVORITE_OF =
  /\b(?:favou?rite|fave?|go-to|best|top|number one)\s+((?:\p{L}+ )?\p{L}+?)(?:\s+(?:is|are|has|was|in|of|to|for|at|by|ever|these|right|now|has|remains|will|would)\b|['’]s\b|[,.:;!?]|$)/iu;

/** The topic of a favorite stands beside it ("my favorite color is teal"). Without one, it's liked. */
function favoriteOf(
  sentence: string,
  { start, end }: TaggedSpan,
  value: string,
): { attribute: string; value: string } {
  const rest = sentence.slice(0, start) + sentence.slice(end);
  const topic = FAVORITE_OF.exec(rest)?.[1];
  return { attribute: topic === undefined ? "likes" : favorite(topic), value };
}

const FOR_TOPIC =
  /\b(?:for|as) (?:(?:the|our|my|a|an|all|new) )*((?:\p{L}+[ -])?\p{L}+)(?=[,.;:!?]|$| (?:and|but|because|since|from|now|instead|after|which)\b)/iu;

/** `decision:TOPIC` when the sentence says what was decided for, else `decision`. */
function decisionTopic(sentence: string, { start, end }: TaggedSpan): string {
  const topic = FOR_TOPIC.exec(sentence.slice(end))?.[1] ??
    /^(?:for|as) (?:(?:the|our|my|a|an) )?(\p{L}+(?: \p{L}+)?),? /iu.exec(sentence.slice(0, start))
      ?.[1];
  return topic === undefined
    ? "decision"
    : `decision:${topic.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_")}`;
}
