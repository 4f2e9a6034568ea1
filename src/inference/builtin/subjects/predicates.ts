/** Predicates of others in the first person, in which all rules are written. */
import { firstPerson, VERBS } from "../lexicon/verbs.ts";

const FIRST_VERB =
  /^,?\s*((?:(?:also|just|really|now|still|always|usually|currently|recently|both|all|never|often|absolutely|only|sometimes|no longer)\s+)*)(\p{L}+)(.*)$/u;

/** Returns a predicate in the first person singular: "works at Ikea" → "I work at Ikea". */
export function inFirstPerson(predicate: string): string | null {
  const m = FIRST_VERB.exec(predicate.trim());
  if (!m) return null;
  const verb = m[2]!;
  const base = /^(?:am|have|do|used)$/.test(verb) ||
      VERBS.has(verb) && !/^(?:is|are|was|were|has|does)$/.test(verb)
    ? verb
    : firstPerson(verb);
  if (!base || /^\p{Lu}/u.test(verb)) return null;
  if (/^(?:s)$/.test(verb)) return null;
  return `I ${m[1]}${base}${m[3]}`;
}
