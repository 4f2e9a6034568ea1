/** Schools, subjects and degrees. */
import { value } from "../values.ts";
import { tidyValue } from "../../vocabulary.ts";
import { claim, claims, type Draft, EMPTY, type Rule } from "./rule.ts";
import { list } from "../values.ts";
import { languages } from "./language.ts";
import { pattern } from "../lexicon/lines.ts";

const DEGREE =
  "(?:(?:bachelor|master|associate|doctoral|doctor)(?:'?s)?(?: degree)?|ph\\.?d\\.?|doctorate|mba|b\\.?sc\\.?|m\\.?sc\\.?|b\\.?a\\.?|m\\.?a\\.?|bs|ms|beng|meng|llm|llb|md|m\\.?phil|diploma|associate degree|law degree|(?:\\p{Ll}+ )?degree|minor|certificate|double major|undergraduate degree|postgraduate degree|honours degree)";
/** Words of a school's name. Without one, "in Coimbra" is a place and not an institution. */
const SCHOOL =
  /\b(?:univ\p{L}*|uni|college|school|institut\p{L}*|academy|polytechnic|conservato\p{L}+|faculty|high|elementary|prep|lyc[ée]e|gymnasium|oxford|cambridge|harvard|yale|mit|eth)\b/iu;
const institution = (text: string): Draft[] => {
  const name = value(text);
  return /\p{Lu}/u.test(name) ? claim("studies_at", name) : [];
};
const past = (text: string): Draft[] => {
  const name = value(text.replace(/ (?:and|then) (?:then )?\p{Ll}+ at .*$/u, ""));
  return /\p{Lu}/u.test(name) ? claim("studied_at", name) : [];
};
const degree = (text: string): string =>
  tidyValue(value(text).replace(/ (?:at|from) (?:the )?\p{Lu}.*$/u, ""));

/**
 * "I'm learning a ton", "learning another language is tough": without a subject that is learned.
 */
const NO_SUBJECT =
  /^(?:with|all|another|ton|tons|more|many|much|how|what|that|from|by)\b| (?:is|are|was) /i;

/**
 * Returns claims of the languages in a text, else of all of it without the place. `known` requires
 * a language.
 */
const learning = (text: string, known: boolean): Draft[] => {
  const found = languages(text);
  return found.length || known ? claims("learning", found) : claims(
    "learning",
    list(text.replace(/ (?:on|with|via|using|through|from|at) (?:the )?\p{Lu}.*$/u, ""))
      .filter((one) => !EMPTY.test(one) && !NO_SUBJECT.test(one)),
  );
};

/** When classes take place: "on Mondays", "in the evening", "on weekends". */
const TIME =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays?|mornings?|afternoons?|evenings?|nights?|spring|summer|autumn|winter|week|month)\b/i;

/** Checks whether classes in or on something teach it. A name after "in" can be a place or a month. */
const isSubject = (text: string, preposition: string): boolean =>
  !TIME.test(text) &&
  (preposition === "on" || !/^\p{Lu}/u.test(text) || languages(text).length > 0);

/** Returns the main subject of "Economics with a minor in French". */
const major = (text: string): string => text.replace(/,? (?:with|and) an? minor\b.*$/i, "");

/** "I study Arabic on Duolingo": a language that is learned, not a field of studies. */
const WITH_HELP =
  /^I (?:am )?study(?:ing)? (\p{Lu}\p{L}+) (?:on|with|via|using) (?:an? |the |my )?\p{L}/u;

/** Rules of this group. */
export const STUDY: readonly Rule[] = [
  {
    example: "I'm studying law in Coimbra.",
    counterexample: "I'm studying to become a vet.",
    when:
      /^I (?:am )?(?:study|studying|read|reading|majoring in|major in|doing a degree in|take classes in) (?!at\b|for\b|towards?\b|abroad\b|hard\b|here\b|there\b|to\b|with\b|books?\b|a lot\b|the\b|about\b|every\b|in\b|novels?\b|a\b)(.+?) (?:at|in) (?!(?:the )?(?:evenings?|mornings?|home|night|moment)\b)((?:the )?\p{Lu}.+)/u,
    then: (m) =>
      /^(?:read|reading)/.test(m[0].slice(2).replace(/^am /, "")) &&
        !(/ at /.test(m[0]) && !/^(?:books?|poetry|novels?|comics)\b/i.test(m[1]!)) &&
        !/\b(?:univ|college|oxford|cambridge|durham|school|institute)/i.test(m[2]!)
        ? []
        : [
          ...claim("studies", value(major(m[1]!))),
          ...(/ in (?:the )?\p{Lu}/u.test(m[0]) && !SCHOOL.test(m[2]!) ? [] : institution(m[2]!)),
        ],
  },
  {
    example: "I study at the University of Warsaw.",
    counterexample: "I dropped out of university in 2009.",
    when: /^I (?:am )?(?:study|studying) (?:at|in) ((?:the )?\p{Lu}.+)/u,
    then: (m) => / in /.test(m[0]) && !SCHOOL.test(m[1]!) ? [] : institution(m[1]!),
  },
  {
    example: "I study Arabic on Duolingo.",
    counterexample: "I study Korean literature in Seoul.",
    when: WITH_HELP,
    then: (m) => learning(m[1]!, true),
  },
  {
    example: "I'm majoring in philosophy.",
    counterexample: "I'm studying to become a vet.",
    when: pattern("i")`
      ^I (?:am )?(?:study|studying|majoring in|major in|minoring in|doing a degree in|
      doing a (?:bachelor|master)'?s(?: degree)? in|reading for a degree in|
      pursuing a (?:degree|bachelor'?s|master'?s)(?: degree)? in|doing (?:my|a) (?:bachelor|
      master)'?s in) (?!at\b|people\b|faces\b|my\b|his\b|her\b|this\b|that\b|
      for\b(?! an? \w+ in )|abroad\b|hard\b|here\b|there\b|to\b|with\b|every\b|in\b|a lot\b|
      full\b|part\b)(.+)
    `,
    then: (m) => {
      if (WITH_HELP.test(m[0])) return [];
      const main = major(m[1]!).replace(
        /^(?:towards?|for) (?:an?|my) (?:\p{Ll}+ )?(?:degree|diploma|bachelor'?s|master'?s|PhD) in /u,
        "",
      );
      const at = /^(.+?) at ((?:the )?\p{Lu}.*)$/u.exec(main);
      return at
        ? [...claim("studies", value(at[1]!)), ...institution(at[2]!)]
        : claim("studies", value(main));
    },
  },
  {
    example: "I'm a student at Kyoto University.",
    counterexample: "I'm a bit of a mess.",
    when:
      /^I am (?:an? )?(?:\p{Ll}+[- ]year |first-year |final-year |graduate |grad |[Pp]h[Dd] |undergraduate |undergrad |postgraduate |exchange |full-time )?(?:(\p{Ll}[\p{L} ]*?) )?(?:student|undergrad|undergraduate|freshman|sophomore|junior|senior) at (?:the )?(.+)/u,
    then: (m) => institution(m[2]!),
  },
  {
    example: "My twins attend Park Lane Primary School.",
    counterexample: "My eldest, Noah, is at university.",
    when: pattern("u")`
      ^I (?:go to|attend|am (?:enrolled|registered|at university|at uni|at college|at school|
      doing my degree|doing my PhD|doing my master'?s|currently enrolled) (?:at|in)|am at|
      am attending|started at|got into|was accepted (?:at|into|to)|started university at|
      started college at) ((?:the )?(?:\p{Lu}[\p{L}'.-]* |of |the |for )*(?:University|
      College|School|Institute|Academy|Uni|Polytechnic|MIT|ETH|Hochschule|Universit\p{L}+|
      Conservatory|Conservatoire|[\p{Lu}\d][\p{L}']* (?:primary|secondary|high|middle|
      elementary|grammar|nursery|boarding) school|kindergarten|primary school|
      secondary school|high school)\b.*)
    `,
    then: (m) => /got into|accepted/.test(m[0]) ? [] : institution(m[1]!),
  },
  {
    example: "I have an MBA.",
    counterexample: "I have two degrees.",
    when: new RegExp(
      `^I (?:have|hold|got|earned|received|completed|finished|did|obtained|was awarded|graduated with|am (?:a )?holder of|came out with|have just finished|have earned|have completed|got recently|defended)(?: (?:just|recently|finally))* (?:an?|my|two|the) ((?:${DEGREE})(?: degree)?(?: (?:in|of|from|at) .+)?)$`,
      "iu",
    ),
    then: (m) => {
      const d = degree(m[1]!);
      const at = / (?:at|from) ((?:the )?\p{Lu}.+)$/u.exec(m[1]!);
      return [
        ...(/^(?:degree|diploma|certificate|minor|master|bachelor)$/i.test(d)
          ? []
          : claim("degree", d)),
        ...(at ? past(at[1]!) : []),
      ];
    },
  },
  {
    example: "My degree is in geology.",
    counterexample: "My daughter is 6 and my son is 9.",
    when: new RegExp(`^my ((?:${DEGREE}) is in .+)`, "iu"),
    then: (m) => claim("degree", degree(m[1]!.replace(/ is in /, " in "))),
  },
  {
    example: "After I graduated from MIT I joined IBM.",
    counterexample: "After eight years at SAP I joined a small studio called Bramble.",
    when:
      /^I (?:have )?(?:graduated|am a graduate|have a degree|got my degree|got my diploma|am an alum(?:nus|na|ni)?) (?:from|of|at) ((?:the )?\p{Lu}.+?)(?: with (?:an? )?(.+))?$/u,
    then: (m) => [...past(m[1]!), ...(m[2] ? claim("degree", degree(m[2])) : [])],
  },
  {
    example: "I did my undergrad at McGill.",
    counterexample: "I never finished college.",
    when:
      /^I (?:have )?(?:studied|went to (?:university|college|school|uni)|did my (?:degree|[Pp][Hh][Dd]|doctorate|MBA|undergrad|bachelor'?s|[Bb]achelors?|master'?s|[Mm]asters?|studies)|went) (?:at|in|to) ((?:the )?\p{Lu}.+)/u,
    then: (m) =>
      /^I went to (?!(?:university|college|school|uni)\b)/.test(m[0]) &&
        !/(?:University|College|Institute|School|Academy|MIT)\b/.test(m[1]!)
        ? []
        : past(m[1]!),
  },
  {
    example: "I stopped learning French.",
    counterexample: "I stopped playing tennis.",
    when:
      /^I (?:am )?(?:learning|trying to learn|teaching myself|self-teaching|taking up|picking up|brushing up(?: on)?|getting into learning|have started learning|started learning|began learning|started to learn|learn|have been learning|decided to learn|study) (?!(?:to|how|that|about|a lot|from|more|every|so|new|the hard|by|as|at|for|in)\b)(.+)/i,
    then: (m) => /^I (?:study|decided)/.test(m[0]) ? [] : learning(m[1]!, /picking up/.test(m[0])),
  },
  {
    example: "I'm taking Japanese classes on Mondays.",
    counterexample: "I'm taking the offer from Shell.",
    when:
      /^I (?:am )?(?:take|taking|have(?! (?:booked|enrolled|signed|started|begun)\b)|(?:have )?(?:started|begun|began|signed up for) (?:taking|attending)|(?:have )?(?:started|signed up for|booked|enrolled in)|attend|attending|am doing|do|doing|book|go to|am in) (?:an? )?(?:(?:weekly|private|online|evening|beginner'?s?|intensive|regular|some) )*(.+?) (?:lessons|classes|courses?|tuition|tutoring|bootcamp)\b(?! in \p{Ll}{4,}(?<!the))/iu,
    then: (m) =>
      /^(?:the|my|this|that|for|remember|miss|like|love|enjoy|recall|want|need|those|these)\b/i
          .test(m[1]!)
        ? []
        : claims("learning", list(m[1]!).filter((one) => !EMPTY.test(one) && one !== "a")),
  },
  {
    example: "I'm taking evening classes in bookkeeping.",
    counterexample: "I'm taking the offer from Shell.",
    when:
      /^I (?:am )?(?:take|taking|attend|attending|doing|do) (?:[\p{Ll}-]+ ){0,2}(?:lessons|classes|courses?) (in|on) (.+)/iu,
    then: (m) => claims("learning", list(m[2]!).filter((one) => isSubject(one, m[1]!))),
  },
  {
    example: "I'm learning to play the guitar.",
    counterexample: "I'm learning the hard way.",
    when: /^I (?:am learning|learn|am teaching myself) (?:how )?to (.+)/i,
    then: (m) => claim("learning", value(m[1]!)),
  },
];
