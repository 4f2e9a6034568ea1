/** Languages that people speak. */
import { LANGUAGES } from "../lexicon/culture.ts";
import { claim, claims, type Rule } from "./rule.ts";

/** Returns the names of languages in a text, as they were written. */
export function languages(text: string): readonly string[] {
  const found: string[] = [];
  for (
    const m of text.matchAll(
      /(?:(?:Mandarin|Cantonese|Brazilian|Swiss|European|Latin American|Canadian|Egyptian|Scottish|Sign|Old|Ancient|Modern) )?\p{L}+(?: Sign Language)?/gu,
    )
  ) {
    const word = m[0].split(" ").at(-1)!.toLowerCase();
    const first = m[0].split(" ")[0]!.toLowerCase();
    if (
      LANGUAGES.has(m[0].toLowerCase()) || LANGUAGES.has(word) || / Sign Language$/.test(m[0]) ||
      (first !== word && LANGUAGES.has(first) && /^\p{Lu}/u.test(m[0].split(" ")[1]!))
    ) found.push(m[0]);
    else if (LANGUAGES.has(first)) found.push(m[0].split(" ")[0]!);
  }
  if (/\bsign language\b/i.test(text) && !found.some((one) => /sign/i.test(one))) {
    found.push("sign language");
  }
  return found;
}
const untilDoubt = (text: string) =>
  text.split(
    /\b(?:but (?:not|no|my)|except|apart from|(?<=(?:every|all) (?:the )?languages? )but|not\b|although|because|with my|learning|since)/i,
  )[0] ??
    "";

/** Rules of this group. */
export const LANGUAGE: readonly Rule[] = [
  {
    example: "I speak fluent Farsi.",
    counterexample: "I speak my mind.",
    when:
      /^I (?:can |am able to |also )?(?:both )?(?:speak|converse in|read and write|get by in|know|talk)(?: (?:in|both|some|fluent|basic|conversational|decent|a (?:bit|little)(?: of)?|good|pretty good|only|enough))* (.+)/i,
    then: (m) =>
      /^I (?:know|talk)/.test(m[0]) &&
        languages(m[1]!.split(/\s/).slice(0, 2).join(" ")).length === 0
        ? []
        : claims("speaks", languages(untilDoubt(m[1]!))),
  },
  {
    example: "I'm bilingual: English and Welsh.",
    counterexample: "I'm learning Dutch with my wife.",
    when:
      /^I am (?:also |completely |near-?|almost |conversationally |semi-?|pretty |totally )*(?:fluent|conversational|proficient|bilingual|trilingual|native|at home|conversant)(?: in|,|:| \()? (.+)/i,
    then: (m) => claims("speaks", languages(m[1]!)),
  },
  {
    example: "My native tongue is Wolof.",
    counterexample: "My mother tongue is dying out.",
    when:
      /^(?:[Mm]y )?(?:[Nn]ative|[Ff]irst|[Mm]other|[Hh]ome|[Hh]eritage)(?: (?:language|tongue))s? (?:is|was) (\p{L}+(?: \p{Lu}\p{L}+)?)/u,
    then: (m) => claim("native_language", languages(m[1]!)[0] ?? m[1]),
  },
  {
    example: "I grew up speaking Catalan.",
    counterexample: "I grew up fast.",
    when:
      /^I (?:grew up speaking|was raised speaking|am a native(?: speaker of)?|am a native speaker of|speak) (\p{Lu}\p{L}+)(?: natively| as my (?:first|native) language| at home as a (?:child|kid)| speaker)?(?:$|[ ,])/u,
    then: (m) =>
      /^I speak/.test(m[0]) && !/natively|first|native/.test(m[0])
        ? []
        : LANGUAGES.has(m[1]!.toLowerCase())
        ? [...claim("native_language", m[1]), ...claim("speaks", m[1])]
        : [],
  },
  {
    example: "My German is rusty.",
    counterexample: "My French is terrible.",
    when:
      /^my (\p{Lu}\p{L}+) is (?:pretty |quite |very |fairly )?(?:good|better|fluent|decent|excellent|ok|okay|passable|rusty|not bad|basic|conversational|native)/u,
    then: (m) => claims("speaks", languages(m[1]!)),
  },
];
