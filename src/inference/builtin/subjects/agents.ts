/** Rewrites an agent's statements about "the user" in the first person. */
import { expand } from "../clauses/normalize.ts";
import { firstPerson, isModal, isPastVerb, thirdPerson, VERBS } from "../lexicon/verbs.ts";
import { pattern } from "../lexicon/lines.ts";

/** "The user prefers …" of an agent reads as if the user had said "I prefer …". */
const AGENT = /^(?:the )?user(?='s\b|\b)/i;

/** Checks whether a sentence of an agent is about the user. */
export const isAboutUser = (text: string): boolean => AGENT.test(text);

/** "The user mentioned that they are vegan": the reported statement counts. */
const REPORTED =
  /^(?:the )?user (?:has )?(?:also )?(?:mentioned|said|stated|noted|confirmed|reported|indicated|shared|explained|told \w+|revealed|says|clarified|disclosed)(?: that)? (?:they|he|she) (.+)$/i;
/** Acts of the conversation itself, and guesses of an agent. They aren't stored. */
const OF_THE_TALK = pattern("i")`
  ^(?:the )?user (?:(?:is|has|was|just|also) )*(?:(?:asks?|asked|asking|requests?|
  requested|requesting|inquir\w+|thank(?:s|ed)|greet\w*|want(?:s|ed) (?:me|to know)|
  seems?|appears?|sounds|may|might|could|would like (?:me|to know))\b|(?:probably|maybe|
  perhaps|possibly|likely|presumably|apparently|supposedly|potentially)\b)|
  ^(?:the )?user's (?:requests?|questions?|query|queries|messages?|prompts?|inputs?|code|
  issue|problem|error|account|session|intent|tone)\b
`;
/** "And they work as a plumber", after a clause about the user. */
const THEY = /\b(and|but) they (?=\p{Ll})/giu;
const OF_THEM =
  /^(?:the )?user(?:'s (?:favou?rite|name|job|birthday|age|hometown|nickname)\b|(?!'s) )/i;

function ofAgent(text: string): string | null {
  if (!AGENT.test(text) || OF_THE_TALK.test(text)) return null;
  const reported = REPORTED.exec(text);
  if (reported) {
    const said = expand(reported[1]!).replace(/\btheir\b/gi, "my");
    return `User ${
      said.replace(/^\p{Ll}+/u, (verb) => VERBS.has(verb) ? thirdPerson(verb) : verb)
    }`;
  }
  const said = OF_THEM.test(text) ? text.replace(THEY, "$1 I ") : text;
  return expand(said).replace(/\bI are\b/, "I am").replace(/^(?:the )?user's\b/i, "my")
    .replace(/^(?:the )?user\b/i, "User").replace(/\btheir\b/gi, "my")
    .replace(/\b(?:the )?user's\b/gi, "my");
}

/** Checks whether a word after "the user" is a verb, unlike in "the user settings". */
const isPredicate = (verb: string): boolean =>
  verb === "and" || isModal(verb) || isPastVerb(verb) ||
  /s$/.test(verb) &&
    !/^(?:settings|rights|groups|accounts|stories|details|data|sessions)$/.test(verb);

/**
 * Returns the first-person form of an agent's statement about the user. Null if it has no simple
 * predicate.
 */
export function firstPersonOfAgent(text: string): string | null {
  const own = ofAgent(text);
  if (!own) return null;
  if (own.startsWith("my")) return own;
  const m =
    /^User ((?:(?:also|now|just|often|always|never|still|no longer|\p{Ll}+ly)\s)*)([\p{L}']+)(.*)$/u
      .exec(own);
  return m && isPredicate(m[2]!)
    ? `I ${m[1]}${firstPerson(m[2]!) ?? m[2]!}${
      m[3]!.replace(
        ALSO,
        (all, before: string, auxiliary: string | undefined, verb: string) => {
          const base = firstPerson(auxiliary ?? verb);
          return base !== null && VERBS.has(base) ? before + base : all;
        },
      )
    }`
    : null;
}

/** A later verb of the same subject: "… and works as a welder". */
const ALSO =
  /((?:,| and| but) (?:(?:also|now|currently|just|usually|never|always) )?)(?:(is|has|was|does|likes|dislikes|loves|hates|prefers|enjoys|avoids|owns|speaks|wants|lives|eats|drinks)(?= )|(\p{Ll}+s)(?= (?:at|in|as|for|to|the|an?|on|with|from|that|not|no|two|three|\d|\p{Lu}|\p{Ll}+ing)))/gu;
