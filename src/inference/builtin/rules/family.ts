/** Family, friends and marital status, as the speaker has them ("I have two kids, Leo and Nina"). */
import { RELATION_WORDS, relationAttribute } from "../lexicon/people.ts";
import { digits, NAME, NAMES } from "../values.ts";
import { claim, claims, type Draft, type Rule } from "./rule.ts";

const COUNT =
  "(an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d+|twin|triplet|no|both|my|the)";
const ADJECTIVES =
  "(?:(?:older|younger|little|big|elder|twin|best|good|great|lovely|beautiful|wonderful|grown-up|grown|adult|teenage|small|young|old|close|baby|half|step|new|newborn|dear|identical|adopted|foster|amazing|\\w+[- ]year[- ]old|\\w+[- ]month[- ]old|school-age|other) )*";

/** Returns the names in a list: "Rui, Ana and Marta". */
export const names = (text: string): readonly string[] =>
  text.split(/, and |, | and | & /).map((name) => name.trim().replace(/'s$/, "")).filter(Boolean);

const COUNTED: Readonly<Record<string, string>> = { child: "children", sibling: "siblings" };

function relatives(count: string, relation: string, named: string | undefined): Draft[] {
  const attribute = relationAttribute(relation) ?? relationAttribute(relation.replace(/s$/, ""));
  if (!attribute) return [];
  const list = named ? names(named) : [];
  const n = /^(?:an?|my|the|both|no)$/i.test(count)
    ? null
    : /twin/i.test(count)
    ? "2"
    : digits(count);
  const total = COUNTED[attribute];
  const mixed = /^(?:sons?|daughters?|boys?|girls?|brothers?|sisters?)$/i.test(relation) &&
    n === "1";
  return [
    ...claims(attribute, list),
    ...(total && n && !mixed && !/^(?:stepson|step)/i.test(relation) ? claim(total, n) : []),
  ];
}

/** Returns the sum of two counts: three for "two boys and a girl". */
function sum(one: string, other: string): string | null {
  const [a, b] = [one, other].map((n) => digits(n.replace(/^an?$/i, "one")));
  return a && b ? String(Number(a) + Number(b)) : null;
}

/** Rules of this group. */
export const FAMILY: readonly Rule[] = [
  {
    example: "I've got two boys and a girl.",
    counterexample: "I've got three grandchildren.",
    when:
      /^I have (\w+) (sons?|daughters?|boys?|girls?) and (\w+) (sons?|daughters?|boys?|girls?)/i,
    then: (m) => claim("children", sum(m[1]!, m[3]!)),
  },
  {
    example: "I have a brother and two sisters.",
    counterexample: "I have a wife, two kids and a dog.",
    when: /^I have (\w+) (brothers?|sisters?) and (\w+) (brothers?|sisters?)/i,
    then: (m) => claim("siblings", sum(m[1]!, m[3]!)),
  },
  {
    example: "We have four children.",
    counterexample: "We have a problem.",
    when: new RegExp(
      `^I (?:have|am (?:an? )?(?:proud )?(?:mum|mom|mother|dad|father|parent) (?:of|to)|have been blessed with|got) ${COUNT} ${ADJECTIVES}(${RELATION_WORDS})s?\\b(?:,? (?:called|named|who (?:is|are) (?:called|named)|whose names? (?:is|are)|and (?:his|her|their) names? (?:is|are)))?(?:,|:| -| \\()? ?(?=(${NAMES})?)`,
      "iu",
    ),
    then: (m) => relatives(m[1]!, m[2]!, m[3]),
  },
  {
    example: "I'm 45, married to Sven, and we live in Malmö.",
    counterexample: "I'm married to my job.",
    when: new RegExp(`^I am married to (?:my (?:wife|husband) )?(${NAME})`, "u"),
    then: (m) => [...claim("spouse", m[1]), ...claim("marital_status", "married")],
  },
  {
    example: "My brother got married last Saturday.",
    counterexample: "My brother plays the drums.",
    when: new RegExp(
      `^I (?:(?:have )?(?:just )?got|got|will have been|have just been) married(?: to (${NAME}))?`,
      "u",
    ),
    then: (m) => [...claim("marital_status", "married"), ...claim("spouse", m[1])],
  },
  {
    example: "I'm engaged.",
    counterexample: "I'm engaged in a lawsuit.",
    when: new RegExp(
      `^I (?:am|got|have just got|just got|have got|recently got) engaged(?! (?:in|with)\\b)(?: to (?:my (?:girlfriend|boyfriend|partner) )?(${NAME}))?`,
      "u",
    ),
    then: (m) => [...claim("marital_status", "engaged"), ...claim("partner", m[1])],
  },
  {
    example: "been seeing Ayo for a while now",
    when: new RegExp(
      `^I (?:am|have been)? ?(?:dating|seeing|going out with|in a relationship with|together with|living with my (?:girlfriend|boyfriend|partner)|partnered with) (${NAME})`,
      "u",
    ),
    then: (m) => claim("partner", m[1]),
  },
  {
    example: "I got divorced in 2020.",
    counterexample: "I got promoted at work.",
    when:
      /^I (?:(?:have )?(?:got|am getting|went through a|finalized my|finalised my|am|have been) ?)(?:divorced?|a divorce)\b/i,
    then: (m) => /getting/.test(m[0]) ? [] : claim("marital_status", "divorced"),
  },
  {
    example: "I'm an only child.",
    counterexample: "I'm an atheist.",
    when: /^I am (?:an? )?only child\b/i,
    then: () => claim("siblings", "0"),
  },
];
