/**
 * Adds topics to statements. A word or two with a question mark are one ("Olives? I can't stand
 * them.").
 */
import { hasVerb } from "../clauses/clauses.ts";
import { withSubject } from "../clauses/ellipsis.ts";
import { expand } from "../clauses/normalize.ts";
import { LANGUAGES } from "../lexicon/culture.ts";
import { isJob } from "../lexicon/jobs.ts";
import { NO_NAME, pluralOf, RELATION_WORDS } from "../lexicon/people.ts";
import { isKnownPlace } from "../lexicon/places.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import type { Sentence } from "./sentences.ts";
import { compile } from "../lexicon/lines.ts";
import { articleOf } from "../values.ts";

const TOPIC =
  /^(?:and |so |as for |what about |(?:my |the )(?=\p{L}))?([\p{L}][\p{L}'-]*(?: [\p{L}'-]+){0,3})$/iu;
/** One-word questions that don't name a topic. */
const ASIDE =
  /^(?:really|seriously|what|huh|oh|ok|okay|right|you|me|us|anyone|anybody|sure|why|who|where|when|how|which|pardon|sorry|eh|wait|no|yes|so|and|then|else|ready|done|help|thoughts|ideas|any|got|hello|hi|true|fair|deal)\b/i;
/** "Blue cheese? Absolutely not, I loathe it." */
const ANSWERS =
  /^(?:(?:absolutely|definitely|certainly) (?:not|yes)|not for me|never|no way|no chance|always|of course(?: not)?|no thanks?),? (?=I\b)/i;

/** Statements about the speaker in "My X? Y." and "X: Y". */
const OWN =
  "(?:(?:full |real |first )?name|age|birthday|pronouns|e-?mail|phone(?: number)?|time ?zone|nickname|address|home(?: ?town)?|handle|job|occupation|diet|mother tongue|native language|(?:favou?rite|fave?)(?: (?!(?:is|are|was|were|has|will|would)\\b)\\p{L}+)+)";
const OWN_TOPIC = compile(`^${OWN}$`, "iu");
const OWN_COLON = compile(`^(?:my )?(${OWN}) ?: (?=\\S)`, "iu");
const NAMES = "\\p{Lu}[\\p{L}'-]+(?:(?:, | and | & )\\p{Lu}[\\p{L}'-]+){0,9}";
/** "Wife: Clara", "Kids: Tom and Eli": people in a line of a list. */
const NAMED = compile(
  `^(?:[Mm]y |[Oo]ur )?(?!(?:[Gg]irl|[Bb]oy|[Bb]aby|[Tt]win|[Ll]ead|[Pp]artner)s?\\b)(\\p{L}[\\p{Ll} -]+) ?: (${NAMES})$`,
  "u",
);
const NAMEABLE = compile(
  `^(?:${RELATION_WORDS}|(?:dog|cat|pupp(?:y|ie)|kitten|rabbit|hamster|parrot|budgie|tortoise|horse|pony)s?)$`,
  "i",
);
/** "Work: nurse at St Thomas". */
const WORK = /^(?:my )?work ?: (?!(?:I|we)\b)(?:an? )?(?=([^,;]+?)(?: (?:at|for|in)\b|[,;]|$))/i;
/** A verb of taste or use with a pronoun, which means the topic. */
const MEANS_TOPIC =
  /^(I\b.*\b(?:love|like|enjoy|adore|hate|detest|loathe|despise|stand|dislike|avoid|eat|drink|use|own|have|prefer|tried|miss|speak|know|play)) (?:it|them|that|those)(?: (?:\p{L}+ly|well|a lot|too|every day|daily))?$/iu;

const own = (topic: string, said: string): string =>
  `my ${topic.toLowerCase().replace(/^fave?\b/, "favourite")} ${
    /pronouns$/i.test(topic) ? "are" : "is"
  } ${said}`;

/**
 * Checks whether a topic is a name, and not just capitalized as the first word ("New York?",
 * "Netflix?").
 */
const isNamed = (topic: string): boolean =>
  /^.\P{Ll}|\s\p{Lu}/u.test(topic) || LANGUAGES.has(topic.toLowerCase()) ||
  isKnownPlace(topic) || toolAttribute(topic) !== null;

/** Combines a topic and the statement after it. Null if they don't belong together. */
function about(topic: string, said: string): string | null {
  if (OWN_TOPIC.test(topic)) return hasVerb(said) ? null : own(topic, said);
  const thing = isNamed(topic) ? topic : topic.charAt(0).toLowerCase() + topic.slice(1);
  if (/^I am (?:[\p{L}]+ )*allergic$/iu.test(said)) return `${said} to ${thing}`;
  const means = MEANS_TOPIC.exec(withSubject(said));
  return means ? `${means[1]} ${thing}` : null;
}

/** Returns the statement of a line of a list. Other sentences are returned unchanged. */
function fromLine(text: string): string {
  const [, word = "", names = ""] = NAMED.exec(text) ?? [];
  if (NAMEABLE.test(word) && !NO_NAME.test(names)) {
    const whose = word.toLowerCase();
    return / and | & |, /.test(names)
      ? `my ${pluralOf(whose)} are ${names}`
      : `my ${whose} is ${names}`;
  }
  const job = WORK.exec(text)?.[1];
  if (job && isJob(job)) return text.replace(WORK, `I am ${articleOf(job)} `);
  return text.replace(OWN_COLON, (_all, name: string) => own(name, ""));
}

/** Returns the sentences of a text, combined with the topics before them. */
export function withTopics(sentences: readonly Sentence[]): readonly Sentence[] {
  const out: Sentence[] = [];
  for (const sentence of sentences) {
    const text = fromLine(sentence.text);
    const before = out.at(-1);
    const topic = before?.question && !ASIDE.test(before.text) && !hasVerb(before.text)
      ? TOPIC.exec(before.text)?.[1]
      : undefined;
    const one = topic && !sentence.question
      ? about(topic, expand(text).replace(ANSWERS, ""))
      : null;
    if (one === null) out.push({ ...sentence, text });
    else out.splice(-1, 1, { ...sentence, text: one });
  }
  return out;
}
