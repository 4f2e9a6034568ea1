/** Habits: repeated activities, as a clause without its subject. */
import { tidyValue } from "../../vocabulary.ts";
import { claim, type Rule } from "./rule.ts";
import { pattern } from "../lexicon/lines.ts";

const AGAIN = pattern("i")`
  \b(?:every|each) (?:single |other |second )?(?:day|night|morning|evening|afternoon|week|
  weekend|weekday|month|year|summer|winter|spring|autumn|fall|christmas|(?:mon|tues|
  wednes|thurs|fri|satur|sun)day)|\b(?:usually|always|often|regularly|normally|typically|
  tend to|generally|daily|weekly|nightly|rarely|seldom|most (?:days|mornings|evenings|
  nights|weekends)|once a|twice a|(?:\w+|\d+) times a|once every|
  on (?:most )?(?:week(?:day|end)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|
  on weekday|(?:in|during) the (?:mornings?|evenings?)|before (?:bed|breakfast|work)|
  after (?:noon|dinner|lunch|work)|(?:at|on) weekends|a (?:day|week|month) (?:for|to)|
  per (?:week|day|month)|never)\b
`;
const NO_HABIT =
  /^I (?:have been|have never|was|had|went|got|did|used|will|would|am (?!usually|always|often|in\b|at\b|up\b)|want|need|hope|plan|love|like|hate|prefer|enjoy|can|could|have always|have (?:an?|two|three)|never (?:been|had|went|got|said|thought|knew|learned|saw|tried|met|forget)|always (?:wanted|been|thought|loved|liked|hated|knew))\b/i;

/** Rules of this group. */
export const HABIT: readonly Rule[] = [
  {
    example: "I floss daily.",
    counterexample: "I don't smoke.",
    when: /^I (.+)/i,
    then: (m, about) => {
      if (
        !AGAIN.test(about.said) || NO_HABIT.test(about.said) ||
        /^(?:never )?\w+ed\b/.test(m[1]!)
      ) return [];
      const body = about.said.replace(/^I /, "");
      return claim(
        "habit",
        tidyValue(
          body.replace(/,? (?:because|since|so that|but|which|as I)\b.*$/i, "").replace(
            /\bmy\b/g,
            "their",
          ),
        ),
      );
    },
  },
];
