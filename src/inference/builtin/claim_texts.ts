/** Writes claims as English sentences, for memories whose own words don't make one. */

import { capitalize, uncapitalize } from "../../kernel/text.ts";
import type { Claim } from "../extractor.ts";
import type { Speaker } from "./subjects/subjects.ts";
import { withoutFirstPerson } from "./subjects/third_person.ts";
import { VERBS } from "./lexicon/verbs.ts";
import { articleOf } from "./values.ts";
import { PEOPLE } from "./tagged/people.ts";

/** Predicates of attributes. All others are written as "{s}'s ATTRIBUTE is {v}". */
const PREDICATES: Readonly<Record<string, string>> = {
  age: "is {v} years old",
  from: "is from {v}",
  identity: "identifies as {v}",
  lives_in: "lives in {v}",
  lived_in: "lived in {v}",
  works_at: "works at {v}",
  worked_at: "worked at {v}",
  studies_at: "studies at {v}",
  studies: "studies {v}",
  studied_at: "studied at {v}",
  children: "has {v} children",
  siblings: "has {v} siblings",
  pet: "has {v} as a pet",
  speaks: "speaks {v}",
  learning: "is learning {v}",
  allergic_to: "is allergic to {v}",
  avoids: "avoids {v}",
  likes: "likes {v}",
  dislikes: "dislikes {v}",
  prefers: "prefers {v}",
  uses: "uses {v}",
  framework: "uses the framework {v}",
  database: "uses the database {v}",
  programming_language: "programs in {v}",
  medication: "takes {v}",
  habit: "has a habit: {v}",
};

const NOUNS: Readonly<Record<string, string>> = {
  condition: "health condition",
  job_title: "job",
  os: "operating system",
};

/** Predicates of values that begin with a verb. */
const INFINITIVES: Readonly<Record<string, string>> = {
  goal: "wants to {v}",
  plan: "plans to {v}",
  todo: "has to {v}",
};

/**
 * Returns the sentence of claims with the same subject, attribute and op.
 *
 * @param said the words that the claims are from: names are spelled as they are there
 */
export function claimsText(claims: readonly Claim[], said: string, who: Speaker): string {
  const { subject, attribute, op } = claims[0]!;
  const value = claims.map(({ value }) => withoutFirstPerson(value, who)).join(" and ");
  const name = subject === who.subject
    ? who.display
    : subject.replace(/^user's /, `${who.display}'s `);
  const own = said.toLowerCase().indexOf(name.toLowerCase());
  const spelled = own < 0 ? name : said.slice(own, own + name.length);
  const text = predicate(attribute, value, claims.length > 1);
  const ended = op === "end"
    ? text.replace(/ (is|are)\b/, " $1 no longer").replace(/^ (?!.* no longer )/, " no longer ")
    : text;
  return capitalize(`${spelled}${ended}`);
}

/** What follows the subject, with the blank or "'s" in front. */
function predicate(attribute: string, value: string, areSeveral: boolean): string {
  const infinitive = INFINITIVES[attribute];
  if (infinitive !== undefined) {
    return isInfinitive(value)
      ? ` ${infinitive.replace("{v}", () => value)}`
      : `'s ${attribute} is: ${value}`;
  }
  if (attribute === "prefers" && IMPERATIVE.test(value)) {
    return ` prefers the assistant ${
      `to ${uncapitalize(value)}`.replace(/^to (?:do not|don'?t) /, "not to ")
    }`;
  }
  if (attribute === "owns") return ` owns ${withArticle(value)}`;
  if (attribute === "pet" && /^\p{Ll}/u.test(value)) return ` has ${withArticle(value)} as a pet`;
  const verb = PREDICATES[attribute];
  if (verb !== undefined) {
    const counted = value === "1"
      ? verb.replace(/children$/, "child").replace(/siblings$/, "sibling")
      : verb;
    return ` ${counted.replace("{v}", () => value)}`;
  }
  if (attribute === "species" || attribute === "breed") return ` is ${withArticle(value)}`;
  const [noun = "", topic] = (NOUNS[attribute] ?? attribute).split(":");
  const of = topic === undefined ? noun : `${noun} for ${topic}`;
  if (areSeveral && PEOPLE.has(attribute)) {
    return `'s ${of === "child" ? "children" : `${of}s`} are ${value}`;
  }
  return `'s ${of.replaceAll("_", " ")} ${attribute === "pronouns" ? "are" : "is"} ${value}`;
}

/** "Be blunt", "never explain": how to respond. */
const IMPERATIVE =
  /^(?:always |never |just )*(?:do not|don'?t|be|answer|reply|respond|explain|keep|stop|skip|give|send|write|ask|tell|(?:call|show)(?= me\b)) \S/i;

/** "Two bikes", "20 sheep", "shares", "his car": without an article. */
const NO_ARTICLE =
  /[^s]s$|^(?:\d|(?:an?|the|his|her|their|some|no|my|both|any|lots|several|many|one|two|three|four|five|six)\b)| and /i;

const withArticle = (value: string): string =>
  NO_ARTICLE.test(value) ? value : `${articleOf(value)} ${value}`;

/** "Rewire the kitchen", "put up a shelf": a verb by what follows, if not a known one. */
const VERB_BY_OBJECT =
  /^(?!(?:an?|the|my|our|no|all)\b)\p{Ll}+(?<!ing|[^aeg]in) (?:an?|the|my|our|their|his|her|it|some|off|up|out|back|down|away)\b/u;

const isInfinitive = (value: string) =>
  VERBS.has(value.split(" ")[0]!) || VERB_BY_OBJECT.test(value);
