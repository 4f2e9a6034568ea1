/** Expands a short reply to a question of the assistant ("Where do you live?" "Porto Alegre."). */
import { hasVerb } from "../clauses/clauses.ts";
import { expand } from "../clauses/normalize.ts";
import { type Sentence, sentences } from "./sentences.ts";

/**
 * Questions, each with the start of the statement that a reply makes. `$1` is a group of the
 * question.
 */
const QUESTIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^where (?:do|are) you (?:\p{L}+ )??(?:live|living|based|located)\b/iu, "I live in "],
  [
    /^where (?:are you|do you come) (?:originally )?from\b|^where (?:did you grow up|were you born)/i,
    "I am from ",
  ],
  [/^(?:where|who) do you work(?: for| at)?\b/i, "I work at "],
  [
    /^what do you do(?: for (?:a living|work))?$|^what is your (?:job|profession|occupation)\b/i,
    "I work as ",
  ],
  [/^how old are you\b/i, "I am "],
  [
    /^(?:do you have )?(?:any )?(?:food )?allergies\b|^what are you allergic to\b|^are you allergic to any/i,
    "I am allergic to ",
  ],
  [/^do you have (?:any )?(?:pets|animals|kids|children|siblings|brothers|sisters)\b/i, "I have "],
  [/^when is your birthday\b|^when were you born\b/i, "my birthday is "],
  [
    /^(?:what|which) (?:is|are) (?:the name of )?your ([\p{L} ]+?)(?: called| named|'s name)$/iu,
    "my $1 is called ",
  ],
  [
    /^(?:what|which|when|who) (?:is|are) your (?!(?:question|answer|guess|choice|order|request|budget|point|problem|issue|opinion|verdict|advice|take)\b)([\p{L} -]+)/iu,
    "my $1 is ",
  ],
  [
    /^(?:what|which) (?:[\p{L} ]+ )?do you (?:usually |mostly )?(use|prefer|speak|study|play|like|drive|own|love|hate|avoid)\b/iu,
    "I $1 ",
  ],
];
/** "In Porto", "It's teal", "A nurse at St. Vincent's": words before the value. */
const BEFORE =
  /^(?:(?:it|that|they|those) (?:is|are|would be) |(?:in|at|to|on|from|near|around|outside|close to|called|mostly|mainly|only|just) |an? )+/i;
/** Replies without a value. */
const NOTHING =
  /^(?:no|none|nope|nah|nothing|not|yes|yep|sure|maybe|why|what|dunno|idk|same|here|there|everywhere|nowhere|never|all|any|both|you|it depends|depends|guess|good question|thanks|ok|okay)\b/i;
/** "On Mars, haha": a joke. */
const LAUGHS = /\b(?:ha(?:ha)+|lol|kidding|joking|jk)\b/i;
/** Max words of a short reply. */
const MAX_ANSWER_WORDS = 8;

/**
 * Returns the start of the statement that a reply to a text's last question makes. Null if the
 * question isn't about the person asked.
 */
function asked(text: string): string | null {
  const last = sentences(text).findLast((one) => one.question);
  if (!last) return null;
  const question = expand(last.text).replace(/^(?:and|so|but|great|nice|cool|ok(?:ay)?),? /i, "")
    .replace(
      /,? (?:by the way|then|again|exactly|currently|these days|right now)$/i,
      "",
    );
  for (const [pattern, states] of QUESTIONS) {
    const m = pattern.exec(question);
    if (m) return states.replace("$1", m[1] ?? "");
  }
  return null;
}

/**
 * Returns the sentences of a reply. The first is expanded if it's only the value that `question`
 * asked for.
 */
export function answered(told: readonly Sentence[], question: string | null): readonly Sentence[] {
  const [first, ...rest] = told;
  if (!first || first.question || question === null || !question.includes("?")) return told;
  const short = expand(first.text);
  if (short.split(/\s+/).length > MAX_ANSWER_WORDS || /^(?:I|my|we|our)\b/i.test(short)) {
    return told;
  }
  const named = short.replace(BEFORE, "").replace(
    /, (?:always|since|and|but|though|it|as)\b.*$/,
    "",
  );
  if (NOTHING.test(named) || LAUGHS.test(named) || hasVerb(named)) return told;
  const states = asked(question);
  if (states === null) return told;
  const article = states === "I have " ? /^an? /i.exec(short)?.[0] ?? "" : "";
  return [{ ...first, text: `${states}${article}${named}` }, ...rest];
}
