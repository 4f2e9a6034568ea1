/** Names, nicknames, pronouns and birthdays. */
import { DEMONYMS, LANGUAGES, RELIGIONS } from "../lexicon/culture.ts";
import { isKnownPlace } from "../lexicon/places.ts";
import { toolAttribute } from "../lexicon/tools.ts";
import { datePhrases } from "../../../kernel/dates/phrases.ts";
import {
  isDayOfMonth,
  iso,
  monthOf,
  ORDINAL_WORDS,
  ordinalOf,
  realDate,
} from "../../../kernel/dates/calendar.ts";
import { NAME } from "../values.ts";
import { claim, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const NO_NAME = pattern("")`
  ^(?:I|At|In|On|From|With|For|By|To|As|Near|Yes|No|Ok|Okay|Sorry|Mr|Mrs|God|Team|Gen|
  Mars|English|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|
  March|April|June|July|August|September|October|November|December|Type|Type O|O|A|B|AB|
  Covid|Always|Same|Looky|And|But|Still|Nothing|Nobody|Everyone|Everything|Right|Over|
  Back|Not|Also|Only|Love|Happy|Glad|Deaf|Gay|Queer|Trans|Nurse|Doctor|AFK|OOO|WFH|BRB|
  Done|New|Good|All|Busy|Female|Male|Woman|Man|Guy|Single|Married|Divorced|Retired|Mother|
  Father|Parent|Ready|Lost|Late|Anyone|Still|Stuck|Batman|Superman|Spartacus|Groot|Legion|
  CEO|CTO|PM|HR|QA|UX|IT)\b
`;

/** Checks whether a capitalized text can be a person's name in "I'm X". */
export function isPersonName(text: string): boolean {
  if (!new RegExp(`^${NAME}$`, "u").test(text) || NO_NAME.test(text)) return false;
  const low = text.toLowerCase();
  return !DEMONYMS.has(low) && !RELIGIONS.has(low) && !LANGUAGES.has(low) &&
    toolAttribute(text) === null &&
    !/(?:ian|ese|ish)$/.test(low) && !/^[A-Z]{2,}$/.test(text);
}

const pad = (n: number) => String(n).padStart(2, "0");

/** "The fourth of July", "July the fourth". */
const DAY_IN_WORDS = new RegExp(`\\b${ORDINAL_WORDS}\\b`, "i");

/** Returns `MM-DD` or `YYYY-MM-DD` of a date in words. Null if it has no day. */
export function birthday(words: string): string | null {
  const text = words.replace(DAY_IN_WORDS, (day) => String(ordinalOf(day)));
  const isoDate = /\b((?:19|20)\d{2})-(\d{2})-(\d{2})\b/.exec(text);
  if (isoDate) {
    const [year, month, day] = isoDate.slice(1).map(Number);
    return Number.isNaN(realDate(year!, month! - 1, day!)) ? null : isoDate[0];
  }
  const slashed = /\b(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d{2})\b/.exec(text);
  if (slashed) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])];
    const [day, month] = second > 12 ? [second, first] : [first, second];
    return Number.isNaN(realDate(Number(slashed[3]), month - 1, day))
      ? null
      : `${slashed[3]}-${pad(month)}-${pad(day)}`;
  }
  const yearFirst = /^\D{0,12}((?:19|20)\d{2}),? (on (?:the )?.*\d.*)$/i.exec(text);
  if (yearFirst) {
    const day = birthday(yearFirst[2]!);
    return day === null || day.length > 5 ? day : `${yearFirst[1]}-${day}`;
  }
  const m =
    /\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (\p{L}{3,9})\.?(?:,? (?:of )?((?:19|20)\d{2}))?/u.exec(
      text,
    ) ??
      /\b(\p{L}{3,9})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:,? (?:of )?((?:19|20)\d{2}))?/u.exec(
        text,
      );
  if (!m) {
    // "The day before Christmas", "around Halloween": another day.
    if (
      /\b(?:before|after|around|near|close|until|to|week) .*(?:christmas|valentine|halloween)/i
        .test(text)
    ) {
      return null;
    }
    return /christmas(?: day)?\b(?! eve)/i.test(text)
      ? "12-25"
      : /valentine/i.test(text)
      ? "02-14"
      : /halloween/i.test(text)
      ? "10-31"
      : null;
  }
  const [day, name] = /^\d/.test(m[1]!) ? [m[1]!, m[2]!] : [m[2]!, m[1]!];
  const month = monthOf(name);
  if (
    month < 0 || !isDayOfMonth(month, Number(day)) ||
    (m[3] && Number.isNaN(realDate(Number(m[3]), month, Number(day))))
  ) return null;
  return `${m[3] ? m[3] + "-" : ""}${pad(month + 1)}-${pad(Number(day))}`;
}

/**
 * Returns `MM-DD` of "tomorrow" or "on Friday", relative to the anchor. Null if the text isn't a
 * single day.
 */
function dayFrom(text: string, anchor: number): string | null {
  const phrase = datePhrases(text, anchor, "future")[0];
  return phrase && /\b(?:today|tomorrow|\w+day|days?)\b/i.test(phrase.text)
    ? iso(phrase.at).slice(5, 10)
    : null;
}

const nameOrNickname = (about: { said: string }) =>
  /\b(?:name|introduc)/i.test(about.said.replace(/nickname/i, "")) ? "name" : "nickname";

/** Rules of this group. */
export const NAMING: readonly Rule[] = [
  {
    example: "Name's Bo.",
    when: new RegExp(
      `^(?:my (?:full |real |first |given |actual |legal |birth |preferred |chosen |new |last |family |christian )?name|the name) (?:is|was|would be) (?:actually |really |spelled |spelt |written )?(${NAME})`,
      "u",
    ),
    then: (m, a) =>
      /last|family|surname/.test(m[0]) || /\bname was\b.*\b(?:before|until|till)\b/.test(a.said) ||
        /^\p{Lu}(?:-\p{Lu})+$/u.test(m[1]!)
        ? []
        : claim("name", m[1]?.replace(/[.]+$/, "")),
  },
  {
    example: "I'm called Bettina.",
    counterexample: "I'm not Spanish, I'm Catalan.",
    when: new RegExp(`^I am (?:called|named|christened|baptised) (${NAME})`, "u"),
    then: (m) => claim("name", m[1]),
  },
  {
    example: "My parents named me Wilhelmina.",
    counterexample: "My name's not Sandra.",
    when: new RegExp(`^I (?:was|have been) (?:named|called|baptised|christened) (${NAME})`, "u"),
    then: (m, a) =>
      /\b(?:before|until|till|back then|as a (?:kid|child|boy|girl|baby)|in those days)\b/i.test(
          a.said,
        )
        ? []
        : claim("name", m[1]),
  },
  {
    example: "You can just call me Ros.",
    counterexample: "You can call me on 020 7946 0101.",
    when: new RegExp(
      `^(?:please |just |you can |you may |feel free to |do )*(?:just )?call me (?:by my (?:first |full )?name,? )?(${NAME})(?![\\p{L}'’.-]| is\\b)`,
      "iu",
    ),
    then: (m, a) => /^\p{Lu}/u.test(m[1]!) ? claim(nameOrNickname(a), m[1]) : [],
    text: (m) => `I am called ${m[1]}`,
  },
  {
    example: "Morning, it's Rowena from Truro.",
    when: new RegExp(
      `^(?:[Tt]his is|[Ii]t is) (${NAME})(?: (?:speaking|here|writing|again|calling)(?:,? .*)?| from (?:the )?[\\p{L} -]+|,? (?:with|spelled|spelt|like) .*)?$`,
      "u",
    ),
    then: (m) => isPersonName(m[1]!) && !isKnownPlace(m[1]!) ? claim("name", m[1]) : [],
    text: (m) => `my name is ${m[1]}`,
  },
  {
    example: "Hi! Ludo here.",
    counterexample: "New here.",
    when: new RegExp(
      `^(${NAME}) (?:here|speaking|is my (?:real |full |first |given )?name|is what I am called|is the name(?! of))(?:$|[ ,])`,
      "u",
    ),
    then: (m) => isPersonName(m[1]!) ? claim("name", m[1]) : [],
    text: (m) => `my name is ${m[1]}`,
  },
  {
    example: "First off, I'm Henrike.",
    counterexample: "I'm not Spanish, I'm Catalan.",
    when: new RegExp(`^I am (${NAME})(?:(?= from )|(?= by name)|,.*)?$`, "u"),
    then: (m, a) => a.speaker && isPersonName(m[1]!) ? claim("name", m[1]) : [],
  },
  {
    example: "Mates call me Gaz.",
    counterexample: "Please don't call me Jenny.",
    when: new RegExp(
      `^people call me (?:the )?(?!(?:both|either|that|it|this|names|whatever|anything|many|several|all|something|later|back|when|if|for|about|on|in|at|crazy|lazy|weird)\\b)(${NAME}|[\\p{L}-]+)(?![\\p{L}]*\\/)(?:,? short for (${NAME}))?`,
      "u",
    ),
    then: (m) => [...claim("nickname", m[1])],
    text: (m) => `I go by ${m[1]}${m[2] ? `, short for ${m[2]}` : ""}`,
  },
  {
    example: "My family nickname is Pumpkin.",
    counterexample: "My family is Hindu.",
    when: new RegExp(
      `^(?:my )?(?:\\p{Ll}+ )?nickname(?: at \\w+| among \\w+)? (?:is|was) (?:the )?(${NAME}|\\p{Ll}+)`,
      "u",
    ),
    then: (m) => claim("nickname", m[1]),
  },
  {
    example: "I go by xe/xem.",
    counterexample: "I go by the rules.",
    when:
      /^(?:my (?:preferred )?pronouns are|I (?:use|go by|prefer|am|answer to)|people (?:call me|use))(?: the)?(?: pronouns?)? ?((?:he|she|they|ze|xe|it|any|fae)\s?\/\s?\w+(?:\s?\/\s?\w+)?)/i,
    then: (m) => claim("pronouns", m[1]?.replace(/\s/g, "")),
  },
  {
    example: "My pronouns are she and her.",
    counterexample: "My daughter is 6 and my son is 9.",
    when: /^my pronouns are (\w+) and (\w+)/i,
    then: (m) => claim("pronouns", `${m[1]}/${m[2]}`),
  },
  {
    example: "I was born 3/25/1987.",
    counterexample: "I was born to run.",
    when:
      /^(?:my (?:birthday|birth date|birthdate|date of birth|bday|b-day) (?:is|falls|lands|comes)(?: on)?|I (?:was born|am born|came into (?:this|the) world|celebrate my birthday|have my birthday|share my birthday with [^,]{2,40},|turn a year older)(?: on)?|my birthday:?) (.+)/i,
    then: (m, a) => claim("birthday", birthday(m[1]!) ?? dayFrom(m[1]!, a.anchor)),
  },
  {
    example: "Born in 1985, so I'm 40 now.",
    counterexample: "I'm in my thirties.",
    when: /^I was born (?:in|on) .*?(?<!\d)((?:19|20)\d{2})(?!\d)/i,
    then: (m) => birthday(m[0]) ? [] : claim("birth_year", m[1]),
  },
];
