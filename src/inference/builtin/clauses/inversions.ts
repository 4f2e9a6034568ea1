/** Rewrites inverted sentences in the order that the rules expect. */
import { ANIMAL_WORDS, BREED_WORDS, RELATION_WORDS } from "../lexicon/people.ts";
import { NAME } from "../values.ts";
import { compile } from "../lexicon/lines.ts";

const KIN = `(?:\\p{Ll}[\\p{L}-]* )*?(?:${RELATION_WORDS}|${ANIMAL_WORDS}|${BREED_WORDS})s?`;
/** A former home, job or course of studies, mentioned in passing with "when". */
const LASTED = "I (?:lived|worked|studied) (?:in|at|for) ";

const INVERSIONS: ReadonlyArray<readonly [RegExp, string]> = [
  // "Call me Ishmael, that's my actual name".
  [
    compile(
      `^(?:(?:[Pp]lease )?[Cc]all me|I go by(?: the name(?: of)?)?) (${NAME})(?:,| -| –)? (?:that|it) is my (?:\\p{Ll}+ )?name$`,
      "u",
    ),
    "my name is $1",
  ],
  [/^[Ii]t is (?:urgent|important|crucial|essential|vital) that I (?=\p{Ll})/u, "I must "],
  // "I no longer go by Kathy, it's Kat now".
  [
    compile(`^(I no longer go by ${NAME}),? (?:it is|but)(?: just)? (${NAME})(?: now)?$`, "u"),
    "people call me $2; $1",
  ],
  // "Hello from Bergen, where I've lived since 2011".
  [
    /^(.*?\b(?:in|from|to|at|near) (?:\p{Ll}+ )?)(\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*), where I (?:now |currently )?(?:live|have lived|have been living|am living|am based)\b/u,
    "$1$2; I live in $2",
  ],
  // "I've given up Chrome, it's Firefox for me now".
  [/^(I .+?), it is (?:all |just )?(\p{Lu}\p{L}+) for me(?: now)?$/u, "$1; I use $2"],
  // "His name is Otto, he's my grandfather", "She's my aunt, her name is Vera".
  [
    compile(
      `^(?:his|her|their) name is (${NAME})(?:[,;]| and) (?:(?:he|she|they) (?:is|are) )?my (${KIN})$`,
      "iu",
    ),
    "my $2 is called $1",
  ],

  // "When it comes to fruit, mango is my favourite".
  [
    /^(?:when it comes to|as for|in terms of|among|(?:out )?of all(?: the)?) ([\p{L} ]{3,25}?), ([^,]{2,50}?) (?:is|are) my (favou?rite)s?$/iu,
    "my $3 $1 is $2",
  ],
  [
    compile(
      `^[Mm]y (?:parents|mother|father|mum|mom|dad|grandfather|grandmother) (?:named|christened) me (${NAME})(?: after .*)?$`,
      "u",
    ),
    "I was named $1",
  ],
  // "It was my 61st birthday on Sunday", "Tomorrow is my thirtieth birthday".
  [/^[Ii]t was my (\S+ birthday) /, "I celebrated my $1 "],
  [/^[Tt]his (\p{Lu}\p{Ll}+day) is (my|the) (\p{Ll}[^,;]{2,40})$/u, "$2 $3 is this $1"],
  // "I'm allergic to: nuts, soy": a list with its colon.
  [/^(I\b[^:]{0,30}\b(?:to|like|love|enjoy|hate|speak|use|own|avoid|prefer|play)): /, "$1 "],
  // "My name used to be Karen but it's Kit now": only the current value counts.
  [
    /^[Mm]y ([\p{L} -]{2,30}?) (?:used to be|was) [^,;]{1,40}?,? (?:but|and|until|before)(?: now)? (?:it is|is|I (?:have )?changed it to)(?: now)? (.+?)(?: now| these days)?$/u,
    "my $1 is $2",
  ],
  // "Back when I lived in Nagoya I biked everywhere": two facts.
  [compile(`^(?:back )?when (${LASTED}[^,]+?),? (?=I\\b)`, "iu"), "$1; "],
  [compile(`^(.+?),? (?:back )?when (${LASTED}.+)$`, "u"), "$1; $2"],
  [/^(.{10,}?),? (?:that|it) is (?:decided|settled|final)$/u, "I decided that $1"],
  [
    /^[Mm]y divorce (?:came through|went through|is final|was finali[sz]ed|has come through|got finali[sz]ed)\b/u,
    "I got divorced",
  ],
];

/** Returns a sentence in plain order. */
export function plainOrder(sentence: string): string {
  for (const [pattern, to] of INVERSIONS) {
    const plain = sentence.replace(pattern, to);
    if (plain !== sentence) return plain;
  }
  return sentence;
}
