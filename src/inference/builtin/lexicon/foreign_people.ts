/** Words for the people in a user's life, in the languages that only the tagger reads. */

import { capitalize } from "../../../kernel/text.ts";
import {
  type ByLanguage,
  byLanguage,
  type InEachLanguage,
  type Language,
  LANGUAGES,
} from "./languages.ts";
import { relationAttribute } from "./people.ts";

/**
 * Singular words for a relation, by its English word, in the order of `LANGUAGES`. Those of the two
 * genders are separated by a slash if English has one word for both.
 */
type Words = Readonly<Record<string, InEachLanguage>>;

const RELATIONS: Words = {
  wife: ["ehefrau gattin", "esposa", "épouse", "esposa", "moglie"],
  husband: ["ehemann gatte", "marido esposo", "mari époux", "marido esposo", "marito"],
  girlfriend: ["", "novia", "copine petite-amie", "namorada", "fidanzata"],
  boyfriend: ["", "novio", "copain chum petit-ami", "namorado", "fidanzato"],
  fiancée: ["verlobte", "prometida", "fiancée", "noiva", ""],
  fiancé: ["verlobter", "prometido", "fiancé", "noivo", ""],
  partner: [
    "lebensgefährte/lebensgefährtin",
    "",
    "compagnon/compagne conjoint/conjointe",
    "companheiro/companheira",
    "",
  ],
  son: ["sohn", "hijo", "fils", "filho", "figlio"],
  daughter: ["tochter", "hija", "fille", "filha", "figlia"],
  eldest: ["älteste/ältester", "", "", "", ""],
  youngest: ["jüngste/jüngster", "", "", "", ""],
  brother: ["bruder", "hermano", "frère frangin", "irmão", "fratello"],
  sister: ["schwester", "hermana", "sœur soeur frangine", "irmã", "sorella"],
  "twin brother": ["zwillingsbruder", "", "", "", ""],
  "twin sister": ["zwillingsschwester", "", "", "", ""],
  mother: ["mutter mama mutti", "madre mamá", "mère maman", "mãe mamãe mamã", "madre mamma"],
  father: ["vater papa vati", "padre papá", "père papa", "pai papai", "padre papà babbo"],
  stepmother: ["stiefmutter", "madrastra", "", "madrasta", "matrigna"],
  stepfather: ["stiefvater", "padrastro", "", "padrasto", "patrigno"],
  grandmother: ["oma großmutter omi", "abuela", "grand-mère mamie mémé", "avó vovó", "nonna"],
  grandfather: ["opa großvater opi", "abuelo", "grand-père papi papy pépé", "avô vovô", "nonno"],
  aunt: ["tante", "tía", "tante", "tia", "zia"],
  uncle: ["onkel", "tío", "oncle", "tio", "zio"],
  cousin: ["cousin/cousine", "primo/prima", "cousin/cousine", "primo/prima", "cugino/cugina"],
  niece: ["nichte", "sobrina", "nièce", "sobrinha", ""],
  nephew: ["neffe", "sobrino", "neveu", "sobrinho", ""],
  "sister-in-law": ["schwägerin", "cuñada", "belle-sœur belle-soeur", "cunhada", "cognata"],
  "brother-in-law": ["schwager", "cuñado", "beau-frère", "cunhado", "cognato"],
  "mother-in-law": ["schwiegermutter", "suegra", "", "sogra", "suocera"],
  "father-in-law": ["schwiegervater", "suegro", "", "sogro", "suocero"],
  "daughter-in-law": ["schwiegertochter", "nuera", "", "nora", "nuora"],
  "son-in-law": ["schwiegersohn", "yerno", "gendre", "genro", "genero"],
  grandson: ["enkel", "nieto", "petit-fils", "neto", ""],
  granddaughter: ["enkelin enkeltochter", "nieta", "petite-fille", "neta", ""],
  // Words for several relations ("belle-mère": a mother-in-law or a stepmother).
  relative: ["patenkind", "", "belle-mère/beau-père belle-fille/beau-fils", "", "nipote"],
  friend: ["freund/freundin kumpel", "amigo/amiga", "ami/amie pote", "amigo/amiga", "amico/amica"],
  colleague: ["kollege/kollegin", "colega", "collègue", "colega", "collega"],
  boss: ["chef/chefin", "jefe/jefa", "patron/patronne", "chefe", "capo"],
};

/** What words name right after "my" ("meine Frau", not "Frau Berg"). */
const AFTER_MY: Words = {
  wife: ["frau", "mujer señora", "femme", "mulher", ""],
  husband: ["mann", "", "", "", ""],
  girlfriend: ["freundin", "", "blonde", "", "ragazza"],
  boyfriend: ["freund", "", "", "", "ragazzo"],
  partner: ["partner/partnerin", "pareja", "", "", "compagno/compagna"],
  colleague: ["", "compañero/compañera", "", "", ""],
};

/** Expressions for "my" and "our" before a singular word. */
export const MY: ByLanguage<string> = {
  de: "(?:mein|unser)(?:e[mnrs]?)?",
  es: "(?:mi|nuestr[oa])",
  fr: "(?:mon|ma|notre)",
  pt: "(?:meu|minha|noss[oa])",
  it: "(?:mi[oa]|nostr[oa])",
};

/** English words for the relation words of each language. */
const ENGLISH = byLanguage((_, index) => englishOf(RELATIONS, index));
const ENGLISH_AFTER_MY = byLanguage((_, index) => englishOf(AFTER_MY, index));

function englishOf(words: Words, index: number): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([english, foreign]) =>
      foreign[index]!.split(/[ /]/).filter((word) => word !== "").map((word) => [word, english])
    ),
  );
}

/**
 * Returns the English word for a relation, or null if the word isn't one of that language. A word
 * for several relations is "relative".
 *
 * @param isAfterMy whether "my" is right before it, without an adjective
 */
export function foreignRelation(
  word: string,
  language: Language,
  isAfterMy: boolean,
): string | null {
  const known = word.toLowerCase().replace(/^(petite?) (?=amie?$)/, "$1-");
  const afterMy = isAfterMy ? ENGLISH_AFTER_MY[language].get(known) : undefined;
  return afterMy ?? ENGLISH[language].get(known) ?? null;
}

/** Returns the attribute that holds the name of someone, by the English word for the relation. */
export const foreignAttribute = (relation: string): string =>
  relationAttribute(relation) ?? "relative";

const OR: ByLanguage<string> = { de: "oder", es: "o", fr: "ou", pt: "ou", it: "o" };

/**
 * Returns a language's words for a relation ("primo o prima"), by its English word. Null if there are
 * none.
 */
export function foreignWords(relation: string, language: Language): string | null {
  const index = LANGUAGES.indexOf(language);
  const words = [RELATIONS, AFTER_MY]
    .map((all) => Object.hasOwn(all, relation) ? all[relation]![index]! : "")
    .find((known) => known !== "");
  if (words === undefined) return null;
  const [first = "", ...others] = words.split(" ");
  // Several relations of a language are "relative", and the first word is right for one of them.
  if (relation === "relative" && others.length > 0) return null;
  const genders = first.split("/");
  return genders.map((word) => language === "de" ? capitalize(word) : word)
    .join(` ${OR[language]} `);
}

/** Relation words of a language. */
export const foreignRelationWords = (language: Language): readonly string[] => [
  ...ENGLISH[language].keys(),
];
