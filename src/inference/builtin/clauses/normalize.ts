/** Rewrites a sentence in the canonical first person: without contractions, "we" and adverbs. */
import { uncapitalize } from "../../../kernel/text.ts";
import { isPastVerb, VERBS } from "../lexicon/verbs.ts";
import { compile, pattern } from "../lexicon/lines.ts";

const PARTICIPLE_AFTER_S =
  /^(?:(?:just|always|never|already|recently) )?(?:been|got|had|gone|become|lived|worked|moved|started|studied|taken|done|made|finished)\b/i;

/** "It's helped me": a verb with an object. */
const DONE_TO_SOMEBODY = /^(\p{L}+) (?:me|us|my|our|him|her|them|you)\b/u;
/** "He's just finished school". */
const JUST_DONE = /^(?:just|already|recently|finally) (\p{L}+)/u;
const isDone = (after: string): boolean =>
  PARTICIPLE_AFTER_S.test(after) ||
  [DONE_TO_SOMEBODY, JUST_DONE].some((form) => isPastVerb(form.exec(after)?.[1] ?? ""));

/** Contractions written out, one rule a line; the order matters. */
const CONTRACTIONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bcan't\b|\bcannot\b|\bcant\b/gi, "can not"],
  [/\bwon't\b|(?<!\b(?:my|his|her|their|is|are|was) )\bwont\b/gi, "will not"],
  [/\bshan't\b/gi, "shall not"],
  [/\bain't\b/gi, "is not"],
  [/\b(when|where|who|how)'s (?=your\b)/gi, "$1 is "],
  // Spellings of chats.
  [/\bluv\b/g, "love"],
  [/\b(?:tmrw|tmr|tmw|2moro)\b/gi, "tomorrow"],
  [/\b(?:pls|plz)\b/gi, "please"],
  [/\b(?:cuz|coz|cos|bc|cause) (?=[Ii](?:'?(?:m|ve))?\b|my\b|it\b)/g, "because "],
  [/(?<=\p{Ll}) n (?=\p{Ll}|I\b)/gu, " and "],
  [
    /\b(do|does|did|is|are|was|were|have|has|had|would|could|should|must|need|might)n't\b/gi,
    "$1 not",
  ],
  [/\b(do|does|did|is|are|was|were|have|has|had|could|would|should)nt\b/gi, "$1 not"],
  [/\b(s?he)s\b/gi, "$1's"],
  [/\b(they|you)re\b|\b(they|you|we) r\b/gi, "$1$2 are"],
  [/\b(that|there|what)s\b/gi, "$1's"],
  [/\bid (?=(?:like|love|rather|prefer|say)\b)/g, "I would "],
  [/\bi'?m\b(?!\/)/gi, "I am"],
  [/\bi'?ve\b/gi, "I have"],
  [/\bi'll\b/gi, "I will"],
  [/\b(we|you|they)'re\b/gi, "$1 are"],
  [/\b(we|you|they|who)'ve\b/gi, "$1 have"],
  [/\b(we|you|they|he|she|it|that|who|there)'ll\b/gi, "$1 will"],
  [
    /\b(i|we|they|he|she|you|it)'d (?=(?:been|had|gone|done|taken|lived|worked|made|no|an?|the|some|my|his|her|our|their|in|at)\b)/gi,
    "$1 had ",
  ],
  [/\b(i|we|they|he|she|you|it|who|that)'d\b/gi, "$1 would"],
  [/\bgonna\b/gi, "going to"],
  [/\bwanna\b/gi, "want to"],
  [/\b(?:gotta|got to)\b(?= \w)(?! (?:it|this|that|the|my|him|her|them|me|us)\b)/gi, "have to"],
  [/\bhave have to\b/gi, "have to"],
  [
    /\b(have|has) got\b(?! (?:to|\w+ed|married|engaged|divorced|better|used|into|back|over)\b)/gi,
    "$1",
  ],
  [/\blet's\b/gi, "let us"],
  [/\bi\b(?!\.)/g, "I"],
];

function apostrophes(text: string): string {
  return text.replace(
    /\b(?!(?:master|bachelor|doctor)'s)([\p{L}-]+)'s\b(?= (\S+))/giu,
    (all, word: string, next: string, at: number) => {
      const after = text.slice(at + all.length).trimStart();
      // "I love my mother's cooking": a possessive.
      if (
        /\b(?:love|like|enjoy|hate|adore|miss|prefer|admire|of|for|with|about) (?:my|the|his|her|our|their) $/i
          .test(text.slice(Math.max(0, at - 16), at))
      ) return all;
      // "At my aunt's in Nice": the aunt's home.
      if (
        /\b(?:at|to|from|by|above|over|behind) (?:my|the|his|her|our|their|an?) $/i.test(
          text.slice(Math.max(0, at - 13), at),
        )
      ) return all;
      if (/^(?:changed|moved|died|turned|become|left|had|gone|begun)\b/i.test(next)) {
        return `${word} has`;
      }
      if (/^(?:he|she|it|that|who|there|what|here|where|how)$/i.test(word)) {
        return isDone(after) ? `${word} has` : `${word} is`;
      }
      if (
        /^(?:a|an|the|called|named|not|from|in|at|on|off|out|over|too|so|been|got|allergic|vegan|vegetarian|married|retired|single|divorced|pregnant|engaged|diabetic|deaf|blind|vegetarian|left-handed|asthmatic|unemployed|self-employed|fluent|into|getting|going|also|currently|just|turning|\d+|really|very|still|now|my|our)$/i
          .test(next)
      ) {
        return /^(?:been|got)$/i.test(next) || isDone(after) ? `${word} has` : `${word} is`;
      }
      // "My favourite band's drummer is called Tom".
      if (/^\S+ (?:is|are|was|were|has)\b/.test(after)) return all;
      // "My favourite month's January".
      if (/\b(?:favou?rite|fave?) $/i.test(text.slice(0, at)) && /^\p{Lu}/u.test(next)) {
        return `${word} is`;
      }
      if (
        /^(?:name|birthday|email|phone|number|timezone|zone|goal|dream|job|title|employer|address|editor|browser|shell|database|surname|nickname|handle|username|website|blog|colou?r|diet|hometown|tongue|language|discord|band|film|movie|book|food|dish|drink|song|hobby|major)$/i
          .test(word)
      ) {
        return `${word} is`;
      }
      return /^[a-z]+ing$/i.test(next) &&
          !/^(?:building|wedding|evening|morning|clothing|ring|spring|string|king|wing|thing|meeting|training|painting|housing|parking|christening|graduation)$/i
            .test(next)
        ? `${word} is`
        : all;
    },
  );
}

/** The last text and its expansion, since every step for a sentence needs the same one. */
let latest: readonly [text: string, expanded: string] = ["", ""];

/** Writes contractions out. */
export function expand(text: string): string {
  if (text === latest[0]) return latest[1];
  let out = text.replace(/[’‘]/g, "'");
  for (const [pattern, to] of CONTRACTIONS) out = out.replace(pattern, to);
  const expanded = apostrophes(out).replace(/\s+/g, " ").trim();
  latest = [text, expanded];
  return expanded;
}

/** "My six-year-old, Ben, loves trains": a child named by age. */
const BY_AGE =
  /\b((?:[Mm]y|[Oo]ur|have an?) [\p{L}\d]+-(?:year|month|week)s?-old)(?=$|[,.]|'s\b| (?:is|was|has|called|named|who|and|just|loves?|\p{Ll}+s\b|\p{Lu}))/gu;

/** "The dog is called Rolf". */
const THE_PET =
  /\b[Tt]he (dog|puppy|cat|kitten|rabbit|parrot|hamster|tortoise|horse|pony) (?=(?:is|was) (?:called|named) \p{Lu})/gu;

/** "The kids have a concert tomorrow": the speaker's own. */
const THE_KIDS =
  /^[Tt]he (kids|twins)(?= (?:have|are|were|had|start|started|go|went|love|like|hate|both|all|just|still|\p{Ll}+ed)\b)/u;

/** "Uncle Bob runs a farm", "Mum lives in Leeds": relatives without "my". */
const KIN_TITLE =
  /(^|, |\b(?:and|but|so|with|to|for) )(Uncle(?! Sam\b)|Aunt(?:ie|y)?|Grandma|Grandpa|Granny|Grandad|Cousin|Mum|Mom|Dad)(?= \p{Lu}\p{Ll}| (?:is|was|has|had|lives|works|used|loves|likes|hates|just|always|still|never|\p{Ll}{3,}(?:s|ed))\b)/gu;

/** "We're a team of six". */
const OF_A_GROUP =
  /\b[Ww]e are (?=an? (?:\p{L}+ ){0,2}?(?:team|group|crew|band|company|start-?up|studio|club|collective|firm|agency)\b)/gu;

/** "We're six women". */
const ONE_OF_SEVERAL =
  /\b[Ww]e are (?=(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:\p{Ll}+ )?(?:women|men|sisters|brothers|siblings|girls|boys|guys|friends|students|developers|engineers|founders|colleagues|housemates|roommates|flatmates)\b)/gu;

/** Replaces "we" by "I". Rules and texts only use the singular. */
export function singular(text: string): string {
  return text
    .replace(
      /\b[Ww]e are (?:both |all )?(vegan|vegetarian|teacher|nurse|doctor|student|\p{Lu}\p{Ll}+(?:an|ist)|Quaker|Catholic|Muslim|Hindu|Sikh|Jew|Mormon)s\b/gu,
      "I am $1",
    )
    .replace(/^[Ww]e \(([^)]{3,50} and I)\) /, "$1 ")
    .replace(BY_AGE, "$1 child")
    .replace(THE_KIDS, "My $1")
    .replace(THE_PET, "my $1 ")
    .replace(KIN_TITLE, (_all, before: string, kin: string) => `${before}my ${kin.toLowerCase()}`)
    .replace(/\b[Ww]e are (?=\p{Lu}\p{Ll}+(?:ers|ans|ites)\b)/gu, "I am among the ")
    .replace(/\b(?:both|all|the two|the three) of us\b/gi, "I")
    .replace(/\bwe both\b|\bwe all\b/gi, "I")
    .replace(/\b[Ww]e are both\b/g, "I am")
    .replace(OF_A_GROUP, "I am part of ")
    .replace(ONE_OF_SEVERAL, "I am one of ")
    .replace(/\b[Ww]e are\b/g, "I am")
    .replace(/\b[Ww]e were\b/g, "I was")
    .replace(/\bare we\b/g, "am I")
    .replace(/\b[Ww]e\b/g, "I")
    .replace(/\bours\b/gi, "mine")
    .replace(/\bOur\b/g, "My")
    .replace(/\bour\b/g, "my")
    .replace(/\bourselves\b/gi, "myself")
    .replace(/(?<!\b[Ll]et )\bus\b/g, "me");
}

const SOFT =
  "really|just|also|both(?! (?:of|the|my|in|at)\\b)|still|since(?= [a-z]+(?:ed|one|en)\\b)|currently|actually|absolutely|totally|definitely|truly|honestly|mostly|mainly|primarily|basically|simply|" +
  "now|recently|finally|already|generally|typically|normally|proudly|happily|officially|quite|genuinely|personally|particularly|" +
  "especially|fluently|temporarily|permanently|originally|presently|nowadays|lately|usually|always|often|sometimes|kind of|sort of|kinda|obviously|" +
  "certainly|clearly|fully|completely|deeply|strongly|secretly|passionately|only|even|then|newly|ever since|happen to|tend to|do(?= (?:love|like|enjoy|hate|prefer|have|own|use|speak|play|live|work|drink|eat|drive|study|know|want|need)\\b)|" +
  // Any other adverb in -ly, except those that negate the verb.
  "once|(?<!\\b(?:am|is|was|been) )(?!nearly|hardly|barely|scarcely|rarely|supposedly|allegedly|possibly|probably|hopefully|early|daily|weekly|monthly|nightly|yearly|friendly|lovely|lonely|family|italy|july|apply|reply|supply|comply|imply|multiply)\\p{Ll}{3,}ly(?= \\p{Ll})";
const AFTER_SUBJECT = compile(
  `\\b(I|am|is|was|have|has|been|do|does|not|would|can|could|will|got|did|who|and|had) (?:${SOFT})(?: |, )(?=\\S)`,
  "giu",
);

/**
 * Removes adverbs after the subject and the auxiliaries that don't change the meaning, before rules
 * read the text.
 */
export function withoutAdverbs(text: string): string {
  let out = text;
  for (let i = 0; i < 3; i++) {
    const next = out.replace(AFTER_SUBJECT, "$1 ");
    if (next === out) break;
    out = next;
  }
  return out;
}

const FRONT = pattern("u")`
  ^((?:(?:day to day|day-to-day|in|on|at|since|for|after|before|during|last|
  this (?=(?:past |coming |very |last )?(?:morning|afternoon|evening|week|weekend|month|
  year|spring|summer|autumn|fall|winter|time|quarter|term|semester|season|christmas|
  easter|\p{Lu}))|next|every|each|these (?=days|past|last|few)|those days|by|from|until|
  as of|outside|back in|over|nowadays|currently|recently|lately|now|today|yesterday|
  tomorrow|tonight|once|twice|an? (?=(?:day|week|fortnight|month|year|decade)s? (?:ago|
  later))|(?:around|about|roughly|almost|nearly|some|half) (?=[^,]{2,20}? (?:ago|
  later)\b)|the day (?:before yesterday|after tomorrow)|(?:mon|tues|wednes|thurs|fri|
  satur|sun)day (?:last|next) week|two|three|a few|a couple|six|five|four|(?:seven|eight|
  nine)(?= \p{L}+ (?:ago|later)\b)|ten|most|earlier|later|ever since|starting|effective|
  usually|normally|generally|professionally|workwise|work-wise|food-wise|foodwise|
  language-wise|musically|politically|health-wise|originally|right now|as for|
  when it comes to|apart from|besides|one day|some day|someday|online|offline|eventually|
  sooner or later|these past|all my|ever|throughout|once|with)\b(?!(?: of)? (?:my|
  the) (?:favou?rite)))(?:(?!\b(?:I|my(?<!\b(?:in|on|at|for|during|after|before|since|
  with|from|outside|besides) my))\b(?! (?:spare|free|own|time|day|weekends|twenties|teens|
  thirties|job|work|childhood|divorce|wedding|accident|retirement|graduation|return|
  surgery|operation|diagnosis|studies|laptop|phone|computer|desktop|machine|mac|pc|
  tablet)))[^:]){0,70}?)(?:,? (?=(?:I|my(?<!\b(?:in|on|at|for|during|after|before|since|
  with|from|outside|besides) my)(?! (?:spare|free|own|time|day|weekends|twenties|teens|
  thirties|childhood|divorce|wedding|accident|retirement|graduation|return|surgery|
  operation|diagnosis|studies)\b)|she|he|they|you (?:can|will|may)) )|, (?=(?:it|
  [A-Z][\p{L}]+|the) ))
`;

/** The last words of a front that the next ones belong to: "since I was ten", "five of my sisters". */
const HANGING = pattern("iu")`
  (?:^|\s)(?:since|until|till?|after|before|that|whom?|whose|which|where|when|if|as|because|while|
  and|but|or|so|than|of|with|for|to|by|from|on|at|in|the|an?|
  (?:by the|the first|the last|every|each|any) time)$|
  ^(?:one|two|three|a few|a couple|four|five|six|seven|eight|nine|ten)\b(?!.*\b(?:ago|back|later|
  earlier|before|times?|in a row|(?:night|day|week|weekend|month|year|morning|evening|hour)s?)\b)
`;
/** A front that is a clause of its own: "at work everyone has a Mac, I use Linux". */
const IS_CLAUSE =
  /^(?!(?:after|since|ever since|before|until|once|as)\b)(?!.*\b(?:that|which|who|whose|where|when)\b).*\s(?:am|is|are|was|were|has|have|had|does|did|can|could|will|would|must|should)\b/i;

/** A verb before "my", which is then its object: "since he sold my bike". */
const isVerb = (word: string): boolean => isPastVerb(word) || VERBS.has(word);

/** Splits a leading adverbial ("In my spare time, …") from the clause that it belongs to. */
export function splitFront(clause: string): { front: string; body: string } {
  const lowered = /^I\b/.test(clause) ? clause : uncapitalize(clause);
  const m = FRONT.exec(lowered);
  if (!m?.[1]) return { front: "", body: clause };
  const body = clause.slice(m[0].length);
  const comma = m[0].trimEnd().endsWith(",");
  const subject = /^(?:I|my|My|she|he|they|you) /.test(body);
  if (!subject && !comma) return { front: "", body: clause };
  const isCut = !comma &&
    (HANGING.test(m[1]) || /^my /.test(body) && isVerb(m[1].split(" ").at(-1)!));
  if (isCut || IS_CLAUSE.test(m[1])) return { front: "", body: clause };
  return { front: clause.slice(0, m[1].length), body };
}
