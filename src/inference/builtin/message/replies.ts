/** A short answer to what the assistant asked is said in full ("Where do you live?" "Porto Alegre."). */
import { hasVerb } from "../clauses/clauses.ts";
import { expand } from "../clauses/normalize.ts";
import { type Sentence, sentences } from "./sentences.ts";

/** What an answer to a question states; `$1` and on are of the question, the answer follows. */
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
/** "In Porto", "It's teal", "A nurse at St. Vincent's": words before the answer proper. */
const BEFORE =
  /^(?:(?:it|that|they|those) (?:is|are|would be) |(?:in|at|to|on|from|near|around|outside|close to|called|mostly|mainly|only|just) |an? )+/i;
/** Answers that name nothing. */
const NOTHING =
  /^(?:no|none|nope|nah|nothing|not|yes|yep|sure|maybe|why|what|dunno|idk|same|here|there|everywhere|nowhere|never|all|any|both|you|it depends|depends|guess|good question|thanks|ok|okay)\b/i;
/** "On Mars, haha" is no answer. */
const LAUGHS = /\b(?:ha(?:ha)+|lol|kidding|joking|jk)\b/i;
/** More words than this are no short answer. */
const MAX_ANSWER_WORDS = 8;

/** What the last question of a text leaves to be said, null when it has none that is about the one asked. */
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

/** The sentences of an answer, the first in full when it only names what `question` asked for. */
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
