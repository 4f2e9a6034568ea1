/**
 * Endings and negations: something that used to be true ends a value, a plain negation asserts
 * none.
 */
import { fromGerund } from "./lexicon/verbs.ts";
import { claim, type Draft, ends } from "./rules/rule.ts";
import { NAME, value } from "./values.ts";
import { compile } from "./lexicon/lines.ts";

const ANY_MORE = /,? (?:any ?more|any longer|no more|these days any more)\b/i;

/**
 * Returns the positive form of an ending ("I no longer drink coffee" → "I drink coffee"), or null.
 */
export function ended(key: string): string | null {
  let m = /^I am no longer (?:with|at|employed (?:by|at)|working (?:at|for|with)) (\p{Lu}.+)/u
    .exec(key);
  if (m) return `I work at ${m[1]}`;
  m = /^I (?:am )?no longer (.+)/i.exec(key);
  if (m) return /^I am no/i.test(key) ? `I am ${m[1]}` : `I ${m[1]}`;
  if (ANY_MORE.test(key)) {
    m = /^I am not (?:with|at) (\p{Lu}.+)/u.exec(key);
    if (m) return `I work at ${m[1]!.replace(ANY_MORE, "")}`;
    m = /^I (am|have|can|will) not (.+)/i.exec(key);
    if (m) return `I ${m[1]} ${m[2]!.replace(ANY_MORE, "")}`;
    m = /^I do not (.+)/i.exec(key);
    if (m) return `I ${m[1]!.replace(ANY_MORE, "")}`;
  }
  m =
    /^I (?:have )?(?:(?:recently|just|finally) )?(?:stopped|quit|gave up|given up|ceased|am done|have finished|got out of|dropped|am through with) (?!my (?:job|position)\b)(?:with )?(\p{L}+ing)\b(.*)/iu
      .exec(key);
  if (m) return `I ${/^(?:being)$/i.test(m[1]!) ? "am" : fromGerund(m[1]!)}${m[2]}`;
  m = /^I (?:have )?(?:stopped|quit) (?:being )(.+)/i.exec(key);
  if (m) return `I am ${m[1]}`;
  m = /^I used to be (.+)/i.exec(key);
  if (m) return `I am ${m[1]}`;
  m = /^I used to (?!live\b|work\b|be employed\b)(.+)/i.exec(key);
  if (m) return `I ${m[1]}`;
  return null;
}

const OWNED =
  /^I (?:(?:have )?(?:sold|gave away|given away|got rid of|donated|scrapped|traded in|parted with)|no longer (?:have|own)) (?:my|the|our) (.+)/i;
const BROKE_UP = compile(
  `^(?:I|(${NAME}) and I) (?:have )?(?:broke up|broken up|split up|split|parted ways|separated|divorced|got divorced|am divorced)(?: from| with)?(?: my (?:\\p{Ll}+ )*)?(?: ?(${NAME}))?`,
  "u",
);

/** Returns the claims of endings that have their own wording. */
export function endings(key: string): Draft[] {
  const sold = OWNED.exec(key);
  if (sold) return ends("owns", value(sold[1]!.replace(/ (?:to|for|on|at) .*$/, "")));
  const apart = BROKE_UP.exec(key);
  const name = apart?.[1] ?? apart?.[2];
  if (!name) return [];
  return /divorce/.test(key)
    ? [...claim("marital_status", "divorced"), ...ends("spouse", name)]
    : ends("partner", name);
}

/** Attributes for former values. */
const PAST_FORM: Readonly<Record<string, string>> = {
  works_at: "worked_at",
  lives_in: "lived_in",
  studies_at: "studied_at",
};
const NO_END = new Set([
  "goal",
  "plan",
  "todo",
  "decision",
  "age",
  "name",
  "birthday",
  "from",
  "children",
  "siblings",
]);

/**
 * Returns the claims of an ended clause: each assertion ends its value, and a job or home becomes a
 * former one.
 */
export function closed(drafts: readonly Draft[]): Draft[] {
  return drafts.flatMap((draft): Draft[] => {
    if (
      draft.op === "end" || NO_END.has(draft.attribute) || draft.attribute.startsWith("decision")
    ) return [];
    const history = PAST_FORM[draft.attribute];
    return [{ ...draft, op: "end" }, ...(history ? [{ ...draft, attribute: history }] : [])];
  });
}

const NEGATED =
  /^(?:I|my [\p{L} -]+?) (?:(?:am|do|did|have|was|will|can|could|would|should|is|are|has|does) (?:really |actually |just |also |still |even |currently )?(?:not|never)|never|have no|hardly|barely|neither|have none)\b/iu;
const STAYS = new Set(["avoids", "dislikes", "allergic_to", "todo", "habit"]);

/** Checks whether a clause is negated, which limits what it can assert. */
export const isNegated = (key: string): boolean => NEGATED.test(key);
/** Returns the claims that a negated clause can make: things avoided or disliked, and todos. */
export const ofNegation = (drafts: readonly Draft[]): Draft[] =>
  drafts.filter((draft) => STAYS.has(draft.attribute));
