/** Restores the subject of sentences that leave it out ("Based in Lyon, allergic to cats"). */
import { isJob } from "../lexicon/jobs.ts";
import { DEMONYMS, DIETS, IDENTITIES, RELIGIONS } from "../lexicon/culture.ts";
import { CONDITION_ADJECTIVES } from "../lexicon/health.ts";
import { ANIMAL_WORDS, RELATION_WORDS } from "../lexicon/people.ts";
import { isPastVerb } from "../lexicon/verbs.ts";
import { hasVerb } from "./clauses.ts";
import { isPersonName } from "../rules/naming.ts";
import { numberOf } from "../../../kernel/dates/calendar.ts";
import { uncapitalize } from "../../../kernel/text.ts";
import { compile, pattern } from "../lexicon/lines.ts";

/** Expressions for the start of a sentence, each with the words to put in front of it. */
type Prefixes = readonly (readonly [start: RegExp, prefix: string])[];

const ADJECTIVE = compile(`^(?:${DIETS}|${CONDITION_ADJECTIVES}|${IDENTITIES})\\b`, "i");
const PARTICIPLE = pattern("i")`
  ^(?:(?:currently|originally|now|recently|happily|still|freshly|newly|proudly|mostly|
  fully|severely|deathly|mildly) )?(?:based|born|raised|settled in|living|working|
  studying|learning|training|married|engaged|divorced|single|retired|allergic|fluent|from|
  originally from|saving|self-employed|freelancing|unemployed|employed|teaching|majoring|
  widowed|separated|into|obsessed|mad about|crazy about|fond of|keen on|diagnosed|located|
  lactose|gluten|left-handed|right-handed|pregnant|promoted)\b
`;
const PAST_START =
  /^(?:just |recently |finally |gone |also )?(?:moved|relocated|started|joined|quit|left|got|bought|adopted|finished|graduated|switched|grew|gave|stopped|went|turned|became|retired|accepted|signed|sold|passed|lost|found|met|visited|ran|broke|began|decided|booked|gone)\b(?!\?)/i;
const BASE_START =
  /^(?:(?:really|absolutely|also|mostly|usually|always|currently|totally|just) )*(?:live|work|love(?! and\b)|hate|prefer|speak|own|drive|study|adore|enjoy|detest|dislike|do not (?:eat|drink|like)|can not (?:stand|bear|eat|have|drink|do|live without)|never (?:eat|drink)|need to|have to|want to|would love to|grew|have (?:two|three|a (?:dog|cat|son|daughter|sister|brother|wife|husband)))\b/i;

/** "Two cats", "three kids". */
const HAD = compile(
  `^(?:one|two|three|four|five|\\d) (?:${ANIMAL_WORDS}|kid|child|children|son|daughter|boy|girl|brother|sister)s?$`,
  "i",
);

/** "Two kids, Ida and Per". */
const HAVE_NAMED =
  /^(?:one|two|three|four|five|\d) (?:cats?|dogs?|kids|children|child|sons?|daughters?|boys?|girls?|brothers?|sisters?)(?:,|:| -)? (?:called |named )?\p{Lu}[\p{L}'-]+(?:(?:,| and) \p{Lu}[\p{L}'-]+| and)*(?:,? \p{Lu}[\p{L}'-]+)?$/u;
/** "Wife's name is Ana". */
const OWN_KIN = compile(
  `^(?:${RELATION_WORDS})(?:'s name)? (?:is|are) (?:called |named )?\\p{Lu}`,
  "iu",
);
/** "Dentist on Friday at 10": an appointment. */
const AT_A_TIME =
  /\b(?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|at \d|tomorrow|today|tonight|next week)\b/i;

function fragment(piece: string): string | null {
  const moved =
    /^(originally(?: from)?|from|now(?: (?:settled |living |based )?in)?|currently(?: in)?|based in|living in) (\p{Lu}[\p{L} '-]+)$/u
      .exec(piece.trim());
  if (moved) {
    return /^(?:orig|from)/.test(moved[1]!) ? `I am from ${moved[2]}` : `I live in ${moved[2]}`;
  }
  const bare = piece.trim().replace(/^(?:an?|and|also|plus|proud) /i, "");
  if (
    bare.split(/\s/).length > 7 || OWN_SUBJECT.test(bare) ||
    /^(?:let|do|please|give|make|tell|call|write|no|my|our|being|having)\b/i.test(bare)
  ) return null;
  const years = /^(\w+(?:-\w+)?)(?: years? old| yo| y\/o)?$/i.exec(bare);
  const n = years ? numberOf(years[1]!) : null;
  if (n !== null && n >= 10 && n < 110) return `I am ${n} years old`;
  if (/^(?:mum|mom|mother|dad|father|parent) (?:of|to) /i.test(bare)) return `I am a ${bare}`;
  if (HAD.test(bare)) return `I have ${bare}`;
  const wed = /^(?:husband|wife) (?:of|to) (\p{Lu}[\p{L}'-]+)$/u.exec(bare);
  if (wed) return `I am married to ${wed[1]}`;
  if (
    PARTICIPLE.test(bare) && !NOT_OWN_STATE.test(bare) || ADJECTIVE.test(bare) ||
    DEMONYMS.has(bare.toLowerCase()) ||
    RELIGIONS.has(bare.toLowerCase())
  ) return `I am ${bare}`;
  if (/^(?:since|for|in|at|on|until|after|before)\b/i.test(bare)) return null;
  if (/^(?:as|like|than|with|by)\b/i.test(bare)) return null;
  const job = bare.replace(/ (?:at|in|for|from|by|with) .*$/i, "");
  if (
    isJob(job) && !AT_A_TIME.test(bare) &&
    !/^(?:the|my|his|her|that|this|what|great|good|nice|no|some|most|many|people)\b/i.test(bare)
  ) {
    return `I am a ${uncapitalize(bare)}`;
  }
  return null;
}

/** "From April I'll be …", "Living in Paris must be dear": sentences with a subject. */
const OWN_SUBJECT =
  /^[^,]*? (?:I (?!and\b)\p{Ll}|(?:must|would|could|can|might|is|isn't|was|sounds|seems|feels|looks|means)\b)/u;
/** "Nurse here", "Long-time vegan here, so no cheese": a description of the speaker. */
const HERE = /^(?:(?:fellow|long-?time|new|proud|lifelong) )?([\p{L}-]+) here(?=$|[,;])/iu;
/** "Tabs over spaces, always". */
const RATHER =
  /^(?:give me )?((?!mind\b|give\b)(?:[\p{L}-]+ ){1,3}?)over ([\p{L} -]{2,30}),? (?:always|any ?day(?: of the week)?|any ?time|every time|for me)$/iu;
/** "Currently in Ljubljana, been here since 2022": a stay that long is a residence. */
const IS_HERE =
  /^(?:currently|now|presently) (?:living |based )?in (\p{Lu}[\p{L} '-]+?)(?=,? (?:and )?(?:have )?been here (?:since|for)\b)/iu;
/** "Hoping to get a promotion": a present activity. */
const DOING =
  /^(?:still |also )?(?:going|hoping|planning|trying|saving(?: up)?|aiming|preparing|training|waiting|moving|heading|flying|driving) (?:to|into) \p{L}/iu;
/** "Sugar-free since January, and I feel great". */
const BEFORE_OWN = /^([^,]{4,40}), (?:and |but |so )?((?:I|my) \p{Ll}.*)$/u;
/** "Just celebrated my 30th birthday": an adverb, then a past verb. */
const ADVERB_START =
  /^(?:just|finally|recently|already) (?!wanted|thought|wondered|checked|realised|realized)(\p{Ll}+)\b/iu;

const ATTRIBUTE_IS =
  /^(?:(?:full |real |first |last )?name|birthday|e-?mail|phone(?: number)?|time ?zone|nickname|pronouns|favou?rite [\p{L} ]+|address|hometown|handle|mother tongue|native language) (?:is|are) /iu;

/** Starts of sentences that leave out "my", "I have" or "I am". */
const OMITTED: Prefixes = [
  [ATTRIBUTE_IS, "my"],
  [OWN_KIN, "my"],
  [HAVE_NAMED, "I have"],
  [
    /^been (?!ages|forever|years|quite|too|only|a (?:while|long|minute)|(?:so |super |real(?:ly)? |very |pretty )*(?:busy|hectic|crazy|hard|tough|stressful|having|through))\p{L}/iu,
    "I have",
  ],
  [/^not (?:an? (?!.* (?:is|was|has)\b)|really |into |keen |very |much of |big )/i, "I am"],
];

/** Verbs at the start of a sentence. */
const VERB_FIRST: Prefixes = [
  [/^(?:just |recently |finally |also )?gone\b(?!\?)/i, "I have"],
  [PAST_START, "I"],
  [BASE_START, "I"],
];

/** Sentences that have a subject, or are about what was said before. */
const COMPLETE: readonly RegExp[] = [
  /^(?:I|we|our|the|this|that|it|he|she|they|there|you|your|please)\b/i,
  /^my\b(?!.*\bfavou?rite$)/i,
  /^(?:love|enjoy|hate|got|went|found|turned|left|lost|passed|need|started) (?:it|that|this|them|you|your|the (?:idea|way|look|sound|picture|photo))\b/i,
];

/** A participle that isn't about the speaker's own state ("Working on it"). */
const NOT_OWN_STATE =
  /^(?:from (?:now|then|here|my|the|there|what|.* (?:my|our)|(?:January|February|March|April|May|June|July|August|September|October|November|December|\p{L}+day)\b)|single (?:handedly|player)|working on|living the|into the|engaged in|training the|learning (?:is|about|to)|saving (?:the|a file))\b/iu;

/** Returns a sentence with the subject that it leaves out ("Based in Lyon, allergic to cats."). */
export function withSubject(text: string): string {
  const omitted = prefixed(text, OMITTED);
  if (omitted) return omitted;
  if (/^(?:he|she|they|ze|xe)\/\w+/i.test(text)) return `my pronouns are ${text.toLowerCase()}`;
  const listed = selfListed(text);
  if (listed) return listed;
  if (COMPLETE.some((start) => start.test(text))) return text;
  return stated(text) ?? prefixed(text, VERB_FIRST) ?? participles(text) ?? described(text);
}

/** Returns a text with the prefix of the first expression that matches it. Null if none does. */
function prefixed(text: string, prefixes: Prefixes): string | null {
  const found = prefixes.find(([start]) => start.test(text));
  return found ? `${found[1]} ${uncapitalize(text)}` : null;
}

/** Returns a sentence whose form gives away its subject and verb. Null if it has none of the forms. */
function stated(text: string): string | null {
  const self = HERE.exec(text);
  const who = self && (isJob(self[1]!, false) || !isJob(self[1]!)) ? fragment(self[1]!) : null;
  if (self && who) return `${who}${text.slice(self[0].length)}`;
  const rather = RATHER.exec(text);
  if (rather) return `I prefer ${rather[1]} over ${rather[2]}`;
  const here = IS_HERE.exec(text);
  if (here) return `I live in ${here[1]}${text.slice(here[0].length)}`;
  if (DOING.test(text) && !hasVerb(text)) return `I am ${uncapitalize(text)}`;
  const [, before = "", after = ""] = BEFORE_OWN.exec(text) ?? [];
  const own = before && !/\bnow\b/.test(after) ? fragment(before) : null;
  if (own) return `${own}, ${after}`;
  const past = ADVERB_START.exec(text);
  return past && isPastVerb(past[1]!) ? `I ${uncapitalize(text)}` : null;
}

/** Returns a list that starts with a participle ("Born in Oslo, raised in Rome"), or null. */
function participles(text: string): string | null {
  if (!PARTICIPLE.test(text) || OWN_SUBJECT.test(text) || NOT_OWN_STATE.test(text)) return null;
  const [first = "", ...rest] = text.split(/,\s*(?:and )?/);
  const verb = /^(?:born|raised)\b/i.test(first) ? "was" : "am";
  return [`I ${verb} ${uncapitalize(first)}`, ...rest.map((piece) => fragment(piece) ?? piece)]
    .join(", ");
}

/** Returns a list of descriptions ("40, dad of two, Berlin") as statements, else the text itself. */
function described(text: string): string {
  // A number alone can count anything. As the reply to a question, it has become a sentence.
  if (hasVerb(text) || isNumber(text)) return text;
  const pieces = text.split(/,\s*(?:and )?| and (?=an? )/).map(fragment);
  const readable = pieces.filter((piece): piece is string => piece !== null);
  const [first] = text.split(",");
  if (
    pieces[0] === null && readable.length > 1 && readable.length === pieces.length - 1 &&
    first && isPersonName(first)
  ) return [`my name is ${first}`, ...readable].join(", ");
  if (readable.length === pieces.length) return readable.join(", ");
  // "40, dad of two, software guy, Berlin": some of it can't be read.
  return pieces[0] !== null && readable.length >= 2 ? readable.join(", ") : text;
}

const isNumber = (text: string): boolean =>
  /^\d+$/.test(text) || numberOf(text.toLowerCase()) !== null;

/**
 * Returns "I'm Ines from Porto, 29, software tester, mad about cats" with each item as a statement,
 * or null.
 */
function selfListed(text: string): string | null {
  const [, first = "", list = ""] = /^(I am [^,;]+), ([^;]+)$/.exec(text) ?? [];
  const rest = list.split(/, (?:and )?/).map(fragment);
  return rest.length >= 2 && rest.every((one) => one !== null) ? [first, ...rest].join(", ") : null;
}
