/**
 * Facts that a clause implies about the speaker: "my job at Shell keeps me busy" names their
 * employer.
 */
import { CONDITION_NAMES } from "../lexicon/health.ts";
import { isJob } from "../lexicon/jobs.ts";
import { isKnownPlace } from "../lexicon/places.ts";
import { list, place, value } from "../values.ts";
import { claim, claims, type Draft, EMPTY, type Rule } from "./rule.ts";
import { employer } from "./work.ts";

/** The clause is about an end, the past, or a possible future. */
const NOT_NOW =
  /\b(?:old|former|previous|ex|first|last|next|future|late|dream|new|sublet|subletting|rent out|let out|renting out|quit|left|leave|leaving|lost|losing|gave up|sold|selling|ended|ends?|over|used to|was|were|had|will|would|until|if|interview|application|offer|gone|cured)\b/i;

/** The words before the verb that the mention is the subject of ("my allergy to nuts is getting worse"). */
const VERB =
  /,? (?:is|are|am|has|have|I|it|means?|makes?|keeps?|gets?|comes?|goes|runs?|\p{Ll}+ me|can|no)\b/u;
const mentioned = (text: string): string => text.slice(0, VERB.exec(text)?.index ?? text.length);
const things = (text: string): readonly string[] =>
  list(mentioned(text)).filter((one) => !EMPTY.test(one));

/** Nouns and prepositions ("my NOUN PREPOSITION …"), with the claims that they introduce. */
const MENTIONS: ReadonlyArray<readonly [RegExp, (text: string) => readonly Draft[]]> = [
  [
    /^(?:job|work|role|position|colleagues|boss|team) (?:at|with)$/,
    (text) => /^(?:the )?\p{Lu}/u.test(text) ? employer(mentioned(text)) : [],
  ],
  [
    /^(?:flat|apartment|house|place|studio|home) in$/,
    (text) => isKnownPlace(place(text)) ? claim("lives_in", place(text)) : [],
  ],
  [/^(?:work|job|life|career|role) as$/, (text) => {
    const job = value(mentioned(text));
    return isJob(job) ? claim("job_title", job) : [];
  }],
  [/^allerg(?:y|ies) to$/, (text) => claims("allergic_to", things(text))],
  [
    /^(?:love|fondness|passion|weakness|soft spot) (?:of|for)$/,
    (text) => claims("likes", things(text)),
  ],
  [/^(?:hatred|dislike|loathing) (?:of|for)$/, (text) => claims("dislikes", things(text))],
];
const MENTION =
  /\bmy (?:\p{Ll}+(?<!s) )?((?:job|work(?= as)|role|position|colleagues|boss|team|flat|apartment|house|place|studio|home|life|career|allergy|allergies|love|fondness|passion|weakness|soft spot|hatred|dislike|loathing) (?:at|with|in|as|to|of|for)) (?:an? )?(.+)/u;

/** Rules of this group. They come last, since explicit statements take precedence. */
export const PRESUPPOSED: readonly Rule[] = [
  {
    example: "My allergy to kiwi is getting worse.",
    counterexample: "My sister's allergy to nuts is severe.",
    when: MENTION,
    then: (m, about) =>
      about.speaker && !NOT_NOW.test(about.said)
        ? MENTIONS.find(([kind]) => kind.test(m[1]!))?.[1](m[2]!) ?? []
        : [],
  },
  {
    example: "My migraines are getting worse.",
    counterexample: "My two kids are both coeliac.",
    when: new RegExp(`\\bmy (${CONDITION_NAMES})(?![\\p{L}-])`, "iu"),
    then: (m, about) => about.speaker && !NOT_NOW.test(about.said) ? claim("condition", m[1]) : [],
  },
];
