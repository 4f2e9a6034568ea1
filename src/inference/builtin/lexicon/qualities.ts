/**
 * Words for a quality of something, which don't identify it ("my browser is slow", "my employer is
 * generous").
 */

import { compile, lines } from "./lines.ts";

const WORDS = lines`
  slow|fast|quick|broken|down|up|on|off|out|over|old|new|ancient|dead|weird|odd|strange|
  simple|loud|quiet|noisy|great|good|nice|fine|ok|okay|cool|bad|worse|worst|better|best|
  awful|huge|big|small|tiny|full|empty|hot|cold|dirty|clean|sticky|buggy|clunky|messy|
  heavy|ugly|rubbish|trash|garbage|stuck|frozen|gone|open|closed|free|secure|insecure|
  safe|cheap|expensive|modern|minimal|stable|unstable|private|public|secret|confidential|
  everything|complicated|complex|perfect|ready|done|here|there|late|early|wrong|right|
  different|similar|special|important|essential|boring|annoying|exhausting|demanding|
  coming|dying|hard|difficult|easy|tough|fun|funny|silly|stupid|final|clear|unclear|
  unknown|obvious|irrelevant|lovely|crazy|insane|intense|unusual|common|rare|temporary|
  permanent|the same|a mess|a joke|a secret|a nightmare|a disaster|none of your business
`;

/** Nouns that end as adjectives do. */
const NOUNS =
  "vegetable|table|cable|bible|couscous|houmous|olive|chive|endive|detective|octopus|native";
const QUALITY = compile(
  `^(?:(?:${WORDS})$|(?:hard|easy|difficult|impossible|important|too|so|very|really|quite|pretty|a bit|not) |(?!(?:${NOUNS})$)\\p{Ll}{3,}(?:able|ible|ful|less|ous|ive)$)`,
  "u",
);

/** Checks whether a value is only a quality. Capitalized values are names. */
export const isQuality = (value: string): boolean => QUALITY.test(value);

/** Attributes whose values are qualities. */
const OF_QUALITY = /^(?:marital_status|diet|religion|employment|identity|condition|habit|todo)$/;

const PREDICATE =
  /^my [^,]+? (?:is|are|was|were|has been|have been) (?:(?:always|still|now|also|just|really|very|so|pretty|quite|too|a bit) )*(.+)/i;

/** Checks whether a claim's value is a quality where its attribute needs a name. */
export function tellsHow(attribute: string, value: string, said: string): boolean {
  if (OF_QUALITY.test(attribute) || !isQuality(value)) return false;
  return PREDICATE.exec(said)?.[1]?.startsWith(value) ?? false;
}
