/** Employer, job title and employment status, and how they change. */
import { isJob } from "../lexicon/jobs.ts";
import { datePhrases } from "../../../kernel/dates/phrases.ts";
import { isKnownPlace } from "../lexicon/places.ts";
import { tidyValue } from "../../vocabulary.ts";
import { isOfCalendar, value } from "../values.ts";
import { claim, type Draft, ends, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const NO_EMPLOYER = pattern("i")`
  ^(?:home|myself|night|nights|the (?:moment|office|weekend|same)|least|first|once|all|it|
  this|that|an? (?:new |big |small |large |local |different |another )?(?:company|
  start-?up|agency|place|job|desk|firm|project|office|business|logistics .*|bank|
  consultancy|living|few|couple|while|long)|(?:long|fun|free|money|peanuts|tips|food|
  exposure|love|years|\w+ years)|my(?:self| own)?|(?:various|several|different|many)\b.*|
  the (?:government|city|company|state)|weekends|mornings|remote(?:ly)?|day|evening|
  weekdays)$
`;
const ROLE = /^(.+?) (?:as|in the role of) (?:an?|the|their|its|one of (?:the|their))?\s*(.+)$/i;

/** Returns a claim of the employer in a captured text, or none if it isn't an organization. */
export function employer(text: string): Draft[] {
  const bare = text.replace(
    /^(?:an? |the )?(?:\p{Ll}[\p{L}-]* ){0,4}(?:called|named) (?=\p{Lu})/u,
    "",
  );
  const plain = bare.replace(/(?<=\p{Lu}\S*) to \p{Ll}.*$/u, "");
  const own = /\p{Lu}/u.test(bare)
    ? tidyValue(plain.replace(/^(?:the|an?) (?=\p{Lu})/u, ""))
    : plain;
  const whole = value(own);
  const name = /^\p{Lu}/u.test(whole)
    ? whole.replace(/ in (?:the |its |their )?(?:\p{Lu}|\w+ (?:team|department|office)).*$/u, "")
    : whole;
  if (
    !name || !/\p{L}/u.test(name) || isOfCalendar(name) ||
    (!/\p{Lu}/u.test(name) &&
      /(?:company|start-?up|agency|firm|place|business|corporation|organi[sz]ation|employer|nonprofit|non-profit|charity|multinational)$/i
        .test(name)) ||
    NO_EMPLOYER.test(name) || /^(?:my|his|her|their)\b/i.test(text)
  ) return [];
  return claim("works_at", name);
}

/** "As my sister", "as long as it takes": a comparison, not a role. */
const COMPARES =
  /^(?:my|his|her|your|much|long|soon|well|usual|far|always|possible|hard|often|I|do|does|did|is|are|was)\b/i;

/**
 * Returns a claim of the job title in a captured text. `strict` requires a phrase that ends like a
 * job.
 */
function title(text: string, strict = false): Draft[] {
  if (COMPARES.test(text)) return [];
  const bare = value(
    text.replace(
      / (?:at|for|with|in|on) (?:an?|my|our) (?!row\b|charge\b)\p{Ll}.*$| (?:at|for|with|in|on|from) (?:an? |the |my )?(?=\p{Lu}|company|start-?up|logistics|small|large|big|local|bank|hospital|school|agency|clinic|firm|\p{Ll}+ (?:start-?up|company|agency|firm|hospital|school|clinic)).*$/u,
      "",
    ),
  );
  return bare && (!strict || isJob(bare)) ? claim("job_title", bare) : [];
}
const EMPLOYER_OF = / (?:at|for|with) (.+)$/i;
const titleAndEmployer = (text: string, strict = false): Draft[] => {
  const job = title(text, strict);
  const where = EMPLOYER_OF.exec(text);
  return job.length && where ? [...job, ...employer(where[1]!)] : job;
};
/** Things that people leave, which aren't employers. */
const NO_WORKPLACE =
  /\b(?:party|church|choir|band|club|union|group|chat|team|society|association|gym|orchestra|league|guild|parish|EU)$/i;
const left = (text: string): Draft[] => {
  const moved = /^(\p{Lu}.*?) for (\p{Lu}.+)$/u.exec(value(text));
  if (moved && isKnownPlace(moved[1]!)) {
    return [...claim("lives_in", value(moved[2]!)), ...claim("lived_in", moved[1])];
  }
  if (/ for (?:an? |the )?\p{Lu}/u.test(text)) return [];
  const where = employer(text)[0]?.value;
  if (where && NO_WORKPLACE.test(where)) return [];
  if (where && isKnownPlace(where)) {
    // "I left Rome this morning": a trip.
    if (/\b(?:yesterday|today|tonight|this morning|last night|hours? ago|at \d)/i.test(text)) {
      return [];
    }
    return [...claim("lived_in", where), ...ends("lives_in", where)];
  }
  return where && /\p{Lu}/u.test(where)
    ? [...claim("worked_at", where), ...ends("works_at", where)]
    : [];
};

/** "I'm working at a café today": a place to sit, not an employer. */
const FOR_THE_DAY = /\bworking\b.*\b(?:today|tonight|this (?:morning|afternoon|evening|week))\b/i;

/** Rules of this group. */
export const WORK: readonly Rule[] = [
  {
    example: "I used to work at Tesco.",
    counterexample: "I used to do karate.",
    when:
      /^I used to (?:work|be employed) (?:at|for|with|in) (.+?)(?: (?:before|until|and then) (?:I )?(?:joined|joining|moved to|moving to|went to|switched to|started at) (.+))?$/i,
    then: (
      m,
    ) => [...claim("worked_at", employer(m[1]!)[0]?.value), ...(m[2] ? employer(m[2]) : [])],
  },
  {
    example: "I previously worked at Nestlé.",
    counterexample: "I left the house at seven.",
    when:
      /^I (?:have )?worked (?:at|for) (.+?)(?: (?:before|until|and then) (?:I )?(?:joined|joining|moved to|moving to|went to|switched to|started at) (.+))?$/i,
    then: (
      m,
      a,
    ) => [
      ...(/\bhave worked\b.*\b(?:since|for (?:\p{L}+ ){0,3}(?:\d+|\p{L}+) (?:years?|months?|decades?))\b/iu
          .test(a.said)
        ? employer(m[1]!)
        : claim("worked_at", employer(m[1]!)[0]?.value)),
      ...(m[2] ? employer(m[2]) : []),
    ],
  },
  {
    example: "I've left Vodafone.",
    counterexample: "I've never worked for Google.",
    when:
      /^I (?:left|quit|resigned from|departed|got fired from|was fired from|got laid off (?:from|by)|was laid off (?:from|by)) (?:my (?:job|position|role|post|work) (?:at|with|in|for) )?((?:the )?\p{Lu}.+?)(?: (?:to join|and joined|to work (?:at|for)|to start at) (?:an? (?:job|position|role) at )?(\p{Lu}.+))?$/u,
    then: (m) => [...left(m[1]!), ...(m[2] ? employer(m[2]) : [])],
    type: "fact",
  },
  {
    example: "I changed jobs last month, from Aldi to Spar.",
    counterexample: "I resigned from the council last week.",
    when:
      /^I (?:switched|changed|moved|went|transferred) (?:(?:jobs|companies|employers)(?: [^,]{2,20})?,? |over )?from (\p{Lu}.+?) to (\p{Lu}.+)/u,
    then: (m, a) =>
      /^I (?:moved|went)/.test(m[0])
        ? []
        : /\b(?:job|compan|employer|work)/i.test(a.said)
        ? [...employer(m[2]!), ...left(m[1]!)]
        : [],
  },
  {
    example: "I joined Miele two weeks ago.",
    counterexample: "I work two jobs.",
    when:
      /^I (?:joined|started (?:working )?(?:at|with|for)|began (?:at|with)|work(?:ed)? now at|switched jobs to|changed jobs to|went to work (?:at|for)|was (?:hired|recruited) by|got a job at|landed a job at|start at) (?!the (?:team|gym|call|meeting|club|party)\b|a (?:gym|club|band|choir|team|book|running|new)\b)((?:the )?\p{Lu}.*|an? (?:\p{Ll}[\p{L}-]* ){1,4}(?:called|named) \p{Lu}.*)/u,
    then: (m, a) => {
      if (/^I start at\b/.test(m[0]) && datePhrases(a.said, a.anchor, "future").length) return [];
      const role = ROLE.exec(m[1]!);
      return role ? [...employer(role[1]!), ...title(role[2]!)] : employer(m[1]!);
    },
  },
  {
    example: "Yuki works at Sony.",
    when:
      /^(?!.*\b(?:used to|will|going to|want to)\b)I (?:have )?(?:am )?(?:work(?:ing)?|teach(?:ing)?|lectur(?:e|ing)|employed) (?:(?:remotely|from home|full[- ]time|part[- ]time|mostly|there|freelance|nights|(?:(?:night|day|late|early|split) )?shifts|hard|in (?:\p{Ll}+|[A-Z]{2,4})(?: \p{Ll}+)?) ){0,4}(?:at|for|over at|(?<=employed )(?:by|with)) (.+)/u,
    then: (m, a) => {
      if (FOR_THE_DAY.test(a.said)) return [];
      const role = ROLE.exec(m[1]!);
      return role ? [...employer(role[1]!), ...title(role[2]!)] : employer(m[1]!);
    },
  },
  {
    example: "I run the finance department at Ikea.",
    counterexample: "I run with a club on Tuesdays.",
    when:
      /^I (?:work in|run|lead|manage|head|oversee) (?:the |an? )?(?:[\p{L}\p{N}&\/-]+ ){1,4}(?:at|for|(?<!\b(?:bit|lot|kind|sort) )of) ((?:the )?\p{Lu}.+)/u,
    then: (m) => employer(m[1]!),
  },
  {
    example: "I'm on the design team at Figma.",
    counterexample: "I'm on the train.",
    when:
      /^I am (?:(?:in|on|with|part of|a member of) (?:the |an? )?(?:[\p{L}-]+ ){0,3}(?:team|department|staff|crew|board|division|desk|lab|shift)|in charge of [\p{Ll} -]{3,40}?|responsible for [\p{Ll} -]{3,40}?) (?:at|of) ((?:the )?\p{Lu}.*)/u,
    then: (m) => employer(m[1]!),
  },
  {
    example: "I teach Year 4 at St Mary's.",
    counterexample: "I teach Year 4 at a primary school in Hull.",
    when: /^I teach (?:[\p{L}\d-]+ ){1,4}at ((?:the )?\p{Lu}[^,;]+)/u,
    then: (m) => employer(m[1]!),
  },
  {
    example: "Marta works as a chemist.",
    when: /^I work (?:[^,;]{1,40}? )?as (?:(?:an?|the|one of the|their) )?(.+)/i,
    then: (m) => titleAndEmployer(m[1]!),
  },
  {
    example: "My day job is bus driver.",
    counterexample: "My job is boring.",
    when:
      /^my job is (?!to\b|not\b|(?:very|really|so|quite|pretty|too|great|good|hard|easy|stressful|boring|fun|fine|ok|demanding|remote|killing|at stake|on the line|done|secure|safe|going)\b|\w+ing\b)(?:(?:an?|the) )?(.+)/i,
    then: (m) => titleAndEmployer(m[1]!),
  },
  {
    example: "I've been promoted to director.",
    counterexample: "I've been meaning to learn chess.",
    when:
      /^I (?:got|was|have been|am|just got|got just) (?:promoted|appointed|made|named|elected|hired|chosen|selected|bumped up|upgraded)(?: from (?:an? )?[\p{Ll} -]{3,30}? to| as| to(?: the (?:role|position) of)?)? (?:be )?(?:(?:an?|the|our) )?(?!at\b|in\b|last\b|by\b)(.+)/iu,
    then: (m) => {
      const t = title(m[1]!);
      return t[0] && /\b(?:last|this|next|again|by|at|in|yesterday)\b/.test(t[0].value)
        ? []
        : titleAndEmployer(m[1]!, /(?:made|named|chosen|selected)/.test(m[0]));
    },
  },
  {
    example: "I retired in February.",
    counterexample: "I retire in two years.",
    when:
      /^I (?:have )?(?:retired|(?:took|taken|went into|gone into|entered) (?:early )?retirement|stopped working for good)\b(?! my)/i,
    then: () => claim("employment", "retired"),
  },
  {
    example: "I got fired in May.",
    counterexample: "I got fired up about the match.",
    when:
      /^I (?:(?:have|was|got|am|been|just|recently|currently|had) )*(?:lost my job|laid off|fired(?! up)|sacked|made redundant|let go(?! of)|out of work|out of a job|looking for work|job[- ]hunting|between jobs|unemployed|do not have a job|not working|not employed)\b/i,
    then: () => claim("employment", "unemployed"),
  },
  {
    example: "I went freelance in 2022.",
    counterexample: "I retire in two years.",
    when:
      /^I (?:(?:do )?freelance|work (?:as a )?freelance(?:r)?|am freelancing|do freelance work|went freelance|started freelancing)\b/i,
    then: () => claim("employment", "freelance"),
  },
  {
    example: "I went on parental leave in January.",
    counterexample: "I retire in two years.",
    when: /^I (?:am|went|will be|have gone) on (?:parental|maternity|paternity) leave/i,
    then: (m) => /will/.test(m[0]) ? [] : claim("employment", "parental leave"),
  },
];
