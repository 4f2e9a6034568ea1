/** Pets the speaker has, with their kind and breed. */
import { ANIMAL_WORDS, BREED_WORDS, GROWN } from "../lexicon/people.ts";
import { tidyValue } from "../../vocabulary.ts";
import { NAME, NAMES } from "../values.ts";
import { names } from "./family.ts";
import { claim, type Draft, ends, type Rule } from "./rule.ts";

const KIND = `(${ANIMAL_WORDS}|${BREED_WORDS})`;
const GETS =
  "(?:have|own|adopted|have adopted|rescued|have rescued|bought|got|keep|look after|just adopted|picked up|took in|have taken in|welcomed|brought home|got myself|share my home with|live with|am living with|have had)";
/** Words before the kind, none of which makes it someone else's ("my sister's dog"). */
const BEFORE = "(?:(?:(?!\\p{L}+'s |(?:for|about|like|than) )[\\p{Ll}\\d][\\p{L}'-]*,? )*?)";

/** Returns the kind of animal in the singular, of any age: "dog" for "puppies". */
export function species(word: string): string {
  const low = word.toLowerCase();
  const one = low.replace(/(?:ies)$/, "y").replace(/([^s])s$/, "$1").replace(
    /^(?:mice|mouse)$/,
    "mouse",
  );
  return GROWN.get(one) ?? (/fish$/.test(low) ? low : one);
}

/** Returns claims for the kind and breed of a pet that has a name. */
export function kindOf(word: string, name: string): Draft[] {
  const subject = name.toLowerCase();
  return new RegExp(`^(?:${BREED_WORDS})$`, "i").test(word) &&
      !new RegExp(`^(?:${ANIMAL_WORDS})s?$`, "i").test(word)
    ? claim("breed", word.toLowerCase(), { subject })
    : claim("species", species(word), { subject });
}

function pets(word: string, named: string): Draft[] {
  return names(named).flatMap((name) => [...claim("pet", name), ...kindOf(word, name)]);
}

/** Rules of this group. */
export const PETS: readonly Rule[] = [
  {
    example: "We have a parrot named Captain.",
    counterexample: "We have a problem.",
    when: new RegExp(
      `^I ${GETS} (?:an?|one|two|three|four|my|\\d+) ${BEFORE}${KIND}(?:s|es)?(?:,? (?:\\p{Ll}+ )?(?:called|named|that I named|and (?:named|called) (?:him|her|it|them)|who is (?:called|named)|whose names? (?:is|are)|who goes by|who answers to|and (?:his|her|its|their) names? (?:is|are)|I named|by the name of|that goes by|which I call)|,|:| -)? (${NAMES})`,
      "iu",
    ),
    then: (m) => /^\p{Lu}/u.test(m[2]!) ? pets(m[1]!, m[2]!) : [],
  },
  {
    example: "I've got a cat.",
    counterexample: "I've got a headache today.",
    when: new RegExp(
      `^I ${GETS} ((?:an?|one|two|three|four|five|six|seven|eight|\\d+) ${BEFORE}${KIND}(?:s|es)?)(?=$|[ ,.])(?! (?:${ANIMAL_WORDS}|food|toys?|house|allergy|allergies|cage|sitter|person|bed|shop|collar|tank|sweater|painting))(?!,? (?:called|named))`,
      "iu",
    ),
    then: (m) =>
      /\ballerg/i.test(m[0]) ? [] : claim(
        "pet",
        tidyValue(
          m[1]!.replace(/^(?:an?|one) /i, "").replace(
            /^(?:new|little|old|small|big|cute|lovely|adorable|tiny|rescue) /i,
            "",
          ),
        ),
      ),
  },
  {
    example: "We have ducks.",
    counterexample: "We have a problem.",
    when: new RegExp(
      `^I (?:have|keep|own|raise|breed) (?:\\p{Ll}+ and )?(?:(?:a few|some|several) )?((?:${ANIMAL_WORDS})s)(?=$|[,.]| (?:and|in|on|at|for|as|now|too)\\b)`,
      "iu",
    ),
    then: (m) => claim("pet", m[1]),
  },
  {
    example: "Pixel is my dog.",
    counterexample: "My friend Lotte's dog is called Bas.",
    when: new RegExp(`^(${NAMES}) (?:is|are) my ${BEFORE}${KIND}(?:s|es)?(?:$|[ ,])`, "u"),
    then: (m) => pets(m[2]!, m[1]!),
  },
  {
    example: "I lost my dog Rusty last spring.",
    counterexample: "I lost my job at Shell.",
    when: new RegExp(
      `^I (?:have )?(?:had to (?:put down|say goodbye to|put|rehome|let go of|give up|give away)|said goodbye to|put down|buried|rehomed|lost|gave away|gave up|had(?= .* put (?:down|to sleep)\\b)|put(?= .* (?:down|to sleep)(?! (?:for (?:an?|the|his|her|their)|with|every|early|(?:on|in|at|by) (?:an?|my|his|her|their|the (?!\\d)))\\b))) my (?:\\p{Ll}+ )*?${KIND},? (${NAME})`,
      "u",
    ),
    then: (m) => ends("pet", m[2]!),
  },
];
