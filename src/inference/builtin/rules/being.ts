/** Reads "I am X", where a noun phrase may have an age, nationality, diet, job, place and more. */
import { DEMONYMS, DIETS, IDENTITIES, RELIGIONS } from "../lexicon/culture.ts";
import { CONDITION_ADJECTIVES, isCondition } from "../lexicon/health.ts";
import { isJob } from "../lexicon/jobs.ts";
import { addMonths } from "../../../kernel/dates/calendar.ts";
import { datePhrases } from "../../../kernel/dates/phrases.ts";
import { articleOf, digits, list, NAME, place, value } from "../values.ts";
import { isPersonName } from "./naming.ts";
import { claim, claims, type Draft, type Rule } from "./rule.ts";
import { employer } from "./work.ts";
import { pattern } from "../lexicon/lines.ts";

const PLAIN = pattern("i")`
  ^(?:an?|the|just|now|also|proud|happy|busy|young|old|newly|freshly|recently|fully|
  currently|very|really|such an?|quite|pretty|something of an?|kind of|bit of an?|little|
  lucky|experienced|seasoned|passionate|practi[sc]ing|devout|lapsed|non-practi[sc]ing|
  strict|committed|lifelong|life-long|longtime|long-time|born|certified|qualified|
  licensed|chartered|registered|full-time|part-time|total|complete|huge|big|mostly|
  ethnically|half|strictly|secular|reform|cultural|officially|happily|legally|raised|
  severely|mildly|partially|converted|working|native|first-generation|second-generation|
  proudly|what you call an?|openly|still|always|naturally|heavily|red-green|
  permanently)\s+
`;
const MARITAL: Readonly<Record<string, string>> = {
  single: "single",
  married: "married",
  engaged: "engaged",
  divorced: "divorced",
  separated: "separated",
  widowed: "widowed",
  widow: "widowed",
  widower: "widowed",
  bachelor: "single",
  bachelorette: "single",
  unmarried: "single",
  divorcee: "divorced",
  divorcée: "divorced",
  newlywed: "married",
};
const EMPLOYMENT: Readonly<Record<string, string>> = {
  "self-employed": "self-employed",
  "self employed": "self-employed",
  freelance: "freelance",
  freelancing: "freelance",
  freelancer: "freelance",
  retired: "retired",
  unemployed: "unemployed",
  jobless: "unemployed",
  "out of work": "unemployed",
  "between jobs": "unemployed",
  "out of a job": "unemployed",
  retiree: "retired",
  pensioner: "retired",
  student: "student",
  "on parental leave": "parental leave",
  "on maternity leave": "parental leave",
  "on paternity leave": "parental leave",
  "my own boss": "self-employed",
  employed: "employed",
  "a student": "student",
  "stay at home": "unemployed",
};
const alternation = (words: Iterable<string>) =>
  [...words].sort((a, b) => b.length - a.length).join("|");
const at = (words: string) => new RegExp(`^(?:${words})(?=$|[\\s,-])`, "i");
const DIET = at(DIETS), IDENTITY = at(IDENTITIES), CONDITION = at(CONDITION_ADJECTIVES);
const DEMONYM = at(alternation(DEMONYMS)), RELIGION = at(alternation(RELIGIONS));
const MARITAL_AT = at(alternation(Object.keys(MARITAL))),
  EMPLOYMENT_AT = at(alternation(Object.keys(EMPLOYMENT)));
const AGE =
  /^((?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen))(?!(?:, \d{1,2})*,? (?:and|&) \d{1,2}(?=$|,|;| (?:years?|yrs?) old\b| now\b| and\b))(?:(?:[- ](?:years?|yrs?)(?:[- ]old\b(?: now)?| of age)|[- ]?yo\b|[- ]?y\/o)|(?=$|,| and | now| today| this| next| last))/i;

/** One piece of an "I am" phrase: its claims, and its words for a statement of its own. */
interface Piece {
  readonly words: string;
  readonly drafts: readonly Draft[];
}

function modifier(text: string): [string, Piece] | null {
  const take = (
    m: RegExpExecArray,
    drafts: readonly Draft[],
    words = m[0],
  ): [string, Piece] => [text.slice(m[0].length), { words, drafts }];
  const age = AGE.exec(text);
  if (age) {
    const n = digits(age[1]!);
    return n ? take(age, claim("age", n), `${n} years old`) : null;
  }
  const diet = DIET.exec(text);
  if (
    diet && !/^-|^\s+(?:restaurant|food|recipe|chef|cook|society)/i.test(text.slice(diet[0].length))
  ) {
    return take(
      diet,
      claim("diet", diet[0].toLowerCase().replace(/^gluten free/, "gluten-free")),
    );
  }
  const marital = MARITAL_AT.exec(text);
  if (
    marital && !text.slice(marital[0].length).startsWith("-") &&
    !/^\s+(?:to\b|in\b|mum|mom|child|mother|father|dad|parent)/i.test(
      text.slice(marital[0].length),
    )
  ) return take(marital, claim("marital_status", MARITAL[marital[0].toLowerCase()]));
  const employment = EMPLOYMENT_AT.exec(text);
  if (
    employment && !/^employed (?:as|at|by|with|in)\b/i.test(text) &&
    (!/student/i.test(employment[0]) || /^\s*$/.test(text.slice(employment[0].length))) &&
    !(/^retired$/i.test(employment[0]) && /^\s+from\b/.test(text.slice(employment[0].length)))
  ) {
    const leave = /^ from (\p{Lu}.*)$/u.exec(text.slice(employment[0].length));
    if (leave) {
      const drafts = [
        ...claim("employment", EMPLOYMENT[employment[0].toLowerCase()]),
        ...employer(leave[1]!),
      ];
      return ["", { words: text, drafts }];
    }
    return take(employment, claim("employment", EMPLOYMENT[employment[0].toLowerCase()]));
  }
  const condition = CONDITION.exec(text);
  if (condition) return take(condition, claim("condition", condition[0]));
  const identity = IDENTITY.exec(text);
  if (
    identity && !SPEAKS.test(text) &&
    (!/^(?:man|woman|twin|straight|bi|gay|foodie)$/i.test(identity[0]) ||
      /^\s*$/.test(text.slice(identity[0].length)))
  ) return take(identity, claim("identity", identity[0].replace(/^an? /i, "")));
  const demonym = DEMONYM.exec(text);
  if (
    demonym && /^\p{Lu}/u.test(text) &&
    !/^\s+(?:teacher|tutor|literature|major|speaker|language|food|history|studies|professor|citizen)/i
      .test(text.slice(demonym[0].length)) &&
    !/^-/.test(text.slice(demonym[0].length))
  ) return take(demonym, claim("nationality", demonym[0]));
  const religion = RELIGION.exec(text);
  if (religion) return take(religion, claim("religion", religion[0]));
  return null;
}

const POST =
  /\s+(from|in|at|for|with|by|based in|living in|working at|working for|working in|based out of|on|of|who|and|near|specializing in|specialising in|to)\s+/i;

function head(text: string, article: boolean): Piece[] {
  const parts = text.split(POST);
  let noun = (parts[0] ?? "").trim();
  const rest: [string, string][] = [];
  for (let i = 1; i + 1 < parts.length; i += 2) rest.push([parts[i]!.toLowerCase(), parts[i + 1]!]);
  const out: Piece[] = [];
  const children =
    /^(?:single |stay-at-home |working )?(?:mum|mom|mother|dad|father|parent)$/i.test(noun) &&
      rest[0]?.[0] === "of"
      ? digits(value(rest[0][1]))
      : null;
  if (children) {
    return [{ words: `a ${noun} of ${rest[0]![1]}`, drafts: claim("children", children) }];
  }
  while (
    rest[0] && /^(?:of|on|for|in)$/.test(rest[0][0]) &&
    (/^\p{Ll}/u.test(rest[0][1]) ||
      /^of$/.test(rest[0][0]) && /^[A-Z]{2,4}\b/.test(rest[0][1]) &&
        /\b(?:head|chief|director|manager|vp|president|chair)$/i.test(noun)) &&
    !/^(?:an?|the|my)\b/.test(rest[0][1])
  ) {
    noun += ` ${rest[0][0]} ${rest[0][1]}`;
    rest.shift();
  }
  const title = value(noun.replace(/,.*$/, ""));
  // "A nurse at heart": a character, not a job.
  if (rest.some(([, object]) => /^heart\b/i.test(object))) return [];
  const job = title && isJob(title, article);
  const drafts: Draft[] = job ? claim("job_title", title) : [];
  let words = /^(?:an?|the) /i.test(noun) ? noun : `${articleOf(noun)} ${noun}`;
  for (const [preposition, object] of rest) {
    // "I'm calling from Paris": the present location, not the origin.
    if (/^from$/.test(preposition) && /^\p{Ll}+ing\b/u.test(noun)) continue;
    if (/from|based|living/.test(preposition)) {
      const where = place(object);
      if (/^\p{Lu}/u.test(where)) {
        out.push({
          words: `${preposition} ${object}`,
          drafts: claim(preposition === "from" ? "from" : "lives_in", where),
        });
      }
    } else if (
      job &&
      (/^(?:at|for|with|working)/.test(preposition) ||
        (preposition === "of" && / (?:called|named) /.test(object)))
    ) {
      drafts.push(...employer(object));
      words += ` ${preposition} ${object}`;
    } else words += ` ${preposition} ${object}`;
  }
  return drafts.length ? [{ words, drafts }, ...out] : out;
}

/** "Bilingual, Catalan and Spanish": languages, not nationalities. */
const SPEAKS = /^(?:[Bb]i|[Tt]ri|[Mm]ulti)lingual(?: in|,|:| \()? \p{Lu}/u;
/** Predicates with rules of their own, which become statements of their own. */
const OWN_CLAUSE =
  /^(?:(?:also|now|very|severely|deathly|mildly|currently) )*(?:allergic to|married to|engaged to|fluent in|(?:bi|tri|multi)lingual(?:,|:| in)?|based in|living in|working (?:at|for|as)|studying|learning|training for|employed (?:as|at|by)|diagnosed with) /i;
const ARTICLE = /^(?:[\p{L}-]+ ){0,3}?(?:an?|the|one of the|our|my) /iu;

/** Returns the pieces of a text after "I am": modifiers, then the noun with its complements. */
function describe(phrase: string): readonly Piece[] {
  const out: Piece[] = [];
  let text = phrase.trim();
  for (let i = 0; i < 8 && text; i++) {
    text = text.replace(PLAIN, "").replace(/^[\s,]+|^and\s+/i, "");
    const found = modifier(text);
    if (found) {
      out.push(found[1]);
      text = found[0].replace(/^-/, "");
    } else if (!PLAIN.test(text) && !/^(?:and|,)\s/.test(text)) break;
  }
  const rest = text.trim().replace(
    /^[,.;]\s*(?=(?:living|based|working|from|originally from)\b)/i,
    "",
  );
  if (OWN_CLAUSE.test(rest)) return [...out, { words: rest, drafts: [] }];
  return rest && !/^[,.;]/.test(rest)
    ? [
      ...out,
      ...head(
        /^(?:from|in|at|with|by|living in|based in|working at|working for) /i.test(rest)
          ? ` ${rest}`
          : rest,
        ARTICLE.test(phrase),
      ),
    ]
    : out;
}

const BE =
  /^I am ((?!not\b|going\b|(?:re)?training as\b|allergic\b|called\b|named\b|able\b|about\b|trying\b|used\b|looking\b|here\b|happy to\b|glad\b|sure\b)[\p{L}\d].*)$/iu;

/** The start of the next description: an article, or a predicate with rules of its own. */
const CHUNKS =
  /,? and (?=an? )|, (?=an? )|,(?: and)? (?=(?:(?:originally )?from|living|based|working|studying|learning|allergic to|married to) )|,(?: and)? (?:currently|now) (?=\p{Ll}+ing\b)/u;
/** "I'm Lena, 29, a graphic designer": a name, then a description of its bearer. */
const INTRODUCTION = new RegExp(
  `^(${NAME})[,:] (?:and )?((?:an? |the |\\d|\\p{Ll}+(?:[- ]\\p{Ll}+)? years|\\p{Ll}+ty|living |based |working |originally |from |mother |father |\\p{Lu}\\p{Ll}+(?:an|ese|ish|i)\\b).*)$`,
  "u",
);

/** Returns each fact of an "I am" clause as a statement of its own. */
export function splitDescription(clause: string): readonly string[] {
  const m = BE.exec(clause);
  if (!m) return [clause];
  const named = INTRODUCTION.exec(m[1]!);
  if (named && isPersonName(named[1]!)) {
    const rest = splitDescription(`I am ${named[2]}`);
    return [`my name is ${named[1]}`, ...rest];
  }
  const pieces = m[1]!.split(CHUNKS).flatMap(describe);
  return pieces.length > 1 ? pieces.map((piece) => `I am ${piece.words}`) : [clause];
}

/** "I turned 18 in 2010": an age lasts a year. */
const isLongAgo = (said: string, anchor: number): boolean =>
  datePhrases(said, anchor, "past").some(({ at }) => at < addMonths(anchor, -12));

/** Rules of this group. */
export const BEING: readonly Rule[] = [
  {
    example: "I am of Lebanese descent.",
    counterexample: "I am not married.",
    when: /^I am (of [\p{L} ,-]{3,40} (?:descent|origin|heritage|ancestry|extraction))$/u,
    then: (m) => claim("identity", m[1]),
  },
  {
    example: "I'm gay.",
    counterexample: "I'm not angry but disappointed.",
    when: BE,
    then: (m) => m[1]!.split(/,? and (?=an? )/).flatMap(describe).flatMap((piece) => piece.drafts),
  },
  {
    example: "Turned 21 last night!",
    when:
      /^I (?:turned|(?:am turning|turn|will turn)(?!.*\b(?:next|tomorrow|in \w+|on \w+day|soon|this (?:summer|winter|autumn|spring|year))\b)) (\d{1,3}|\w+(?:-\w+)?)(?:$|[ ,])(?!(?!years\b)[a-z]+s\b)/i,
    then: (m, a) =>
      /\bwill\b|^I turn /.test(m[0]) && !/today/.test(a.said) || isLongAgo(a.said, a.anchor)
        ? []
        : claim("age", digits(m[1]!)),
  },
  {
    example: "I recently had my 50th birthday.",
    counterexample: "I recently bought a house.",
    when:
      /^I (?:have )?(?:just )?(?:(?:celebrated|had) my )(\d{1,3}|\w+(?:-\w+)?)(?:st|nd|rd|th) birthday/i,
    then: (m) => claim("age", digits(m[1]!)),
  },
  {
    example: "I hold a Swiss passport.",
    counterexample: "I just got a Siamese kitten!",
    when:
      /^I (?:have|hold|carry|got|was granted|acquired|am a holder of|travel on)(?: both)?(?: an?)? (\p{Lu}\p{L}+)(?: and (?:an? )?(\p{Lu}\p{L}+))? (?:passports?|citizenships?|nationality)(?:,? (?:as well as|and(?: also)?|plus) (?:an? )?(\p{Lu}\p{L}+)(?= (?:one|passport|citizenship)|$))?/u,
    then: (m) => claims("nationality", m.slice(1).filter(Boolean)),
  },
  {
    example: "I have dual citizenship, Irish and Canadian.",
    counterexample: "I have Dutch citizenship.",
    when:
      /^I (?:have|hold) (?:dual|double) (?:citizenship|nationality)(?:,|:| -| –| \()? ?(?:of )?(\p{Lu}\p{L}+)(?:,| and| &|\/) ?(\p{Lu}\p{L}+)/u,
    then: (m) => [...claim("nationality", m[1]), ...claim("nationality", m[2])],
  },
  {
    example: "I'm a dual citizen of Canada and Ireland.",
    counterexample: "I'm a Virgo.",
    when:
      /^(?:my nationality is|I am an? (?:dual |joint )?citizen of(?: both)?|by nationality I am) (.+)/i,
    then: (m) => claims("nationality", list(m[1]!)),
  },
  {
    example: "I converted to Islam in 2010.",
    counterexample: "I don't go to church.",
    when:
      /^(?:[Mm]y (?:religion|faith) is|I (?:practi[sc]e|follow|converted to|believe in|adhere to)) (\p{Lu}\p{L}+(?:ism|anity|am)|Judaism)\b/u,
    then: (m) => claim("religion", m[1]),
  },
  {
    example: "I have eczema.",
    counterexample: "I think I have ADHD.",
    when: /^I (?:have|suffer from|live with) (.+)/i,
    then: (m) => list(m[1]!).flatMap((one) => isCondition(one) ? claim("condition", one) : []),
  },
];
