/** Words for the people in a user's life, in the languages that only the tagger reads. */

import { type Language, LANGUAGES } from "./languages.ts";
import { relationAttribute } from "./people.ts";

/** Singular words for a relation, by its English word, in the order of `LANGUAGES`. */
type Words = Readonly<Record<string, readonly [string, string, string, string, string]>>;

const RELATIONS: Words = {
  wife: ["ehefrau gattin", "esposa", "épouse", "esposa", "moglie"],
  husband: ["ehemann gatte", "marido esposo", "mari époux", "marido esposo", "marito"],
  girlfriend: ["", "novia", "copine", "namorada", "fidanzata"],
  boyfriend: ["", "novio", "copain chum", "namorado", "fidanzato"],
  partner: ["", "", "compagne compagnon", "", ""],
  son: ["sohn", "hijo", "fils", "filho", "figlio"],
  daughter: ["tochter", "hija", "fille", "filha", "figlia"],
  eldest: ["älteste ältester", "", "", "", ""],
  youngest: ["jüngste jüngster", "", "", "", ""],
  brother: ["bruder", "hermano", "frère frangin", "irmão", "fratello"],
  sister: ["schwester", "hermana", "sœur soeur frangine", "irmã", "sorella"],
  "twin brother": ["zwillingsbruder", "", "", "", ""],
  "twin sister": ["zwillingsschwester", "", "", "", ""],
  mother: ["mutter mama mutti", "madre mamá", "mère maman", "mãe mamãe", "madre mamma"],
  father: ["vater papa vati", "padre papá", "père papa", "pai papai", "padre papà babbo"],
  grandmother: ["oma großmutter omi", "abuela", "grand-mère mamie mémé", "avó vovó", "nonna"],
  grandfather: ["opa großvater opi", "abuelo", "grand-père papi papy pépé", "avô vovô", "nonno"],
  aunt: ["tante", "tía", "tante", "tia", "zia"],
  uncle: ["onkel", "tío", "oncle", "tio", "zio"],
  cousin: ["cousin cousine", "primo prima", "cousin cousine", "primo prima", "cugino cugina"],
  niece: ["nichte", "sobrina", "nièce", "sobrinha", ""],
  nephew: ["neffe", "sobrino", "neveu", "sobrinho", ""],
  "sister-in-law": ["schwägerin", "cuñada", "belle-sœur", "cunhada", "cognata"],
  "brother-in-law": ["schwager", "cuñado", "beau-frère", "cunhado", "cognato"],
  "mother-in-law": ["schwiegermutter", "suegra", "belle-mère", "sogra", "suocera"],
  "father-in-law": ["schwiegervater", "suegro", "beau-père", "sogro", "suocero"],
  "daughter-in-law": ["schwiegertochter", "nuera", "", "nora", "nuora"],
  "son-in-law": ["schwiegersohn", "yerno", "gendre", "genro", "genero"],
  grandson: ["enkel", "nieto", "petit-fils", "neto", ""],
  granddaughter: ["enkelin enkeltochter", "nieta", "petite-fille", "neta", ""],
  relative: ["patenkind", "", "", "", "nipote"],
  friend: ["kumpel", "amigo amiga", "ami amie pote", "amigo amiga", "amico amica"],
  colleague: ["kollege kollegin", "colega", "collègue", "colega", "collega"],
  boss: ["chef chefin", "jefe jefa", "patron patronne", "chefe", "capo"],
};

/** The same of words that mean others, too, without "my": "Frau Berg", "el señor". */
const WITH_MY: Words = {
  wife: ["frau", "mujer señora", "femme", "mulher", ""],
  husband: ["mann", "", "", "", ""],
  girlfriend: ["freundin", "", "blonde", "", "ragazza"],
  boyfriend: ["freund", "", "", "", "ragazzo"],
  partner: ["", "pareja", "", "", "compagno compagna"],
  colleague: ["", "compañero compañera", "", "", ""],
};

type ByLanguage<T> = Readonly<Record<Language, T>>;

/** English words for the relation words of each language. */
const ENGLISH = byLanguage((index) => englishOf(RELATIONS, index));
const ENGLISH_WITH_MY = byLanguage((index) => englishOf(WITH_MY, index));

function byLanguage<T>(make: (index: number) => T): ByLanguage<T> {
  const [de, es, fr, pt, it] = LANGUAGES.map((_, index) => make(index));
  return { de: de!, es: es!, fr: fr!, pt: pt!, it: it! };
}

function englishOf(words: Words, index: number): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([english, foreign]) =>
      foreign[index]!.split(" ").filter((word) => word !== "").map((word) => [word, english])
    ),
  );
}

/**
 * Returns the English word for a relation, or null if the word isn't one of that language.
 *
 * @param isMine whether it has "my" before it
 */
export function foreignRelation(word: string, language: Language, isMine: boolean): string | null {
  const known = word.toLowerCase();
  return ENGLISH[language].get(known) ??
    (isMine ? ENGLISH_WITH_MY[language].get(known) ?? null : null);
}

/** Returns the attribute that holds the name of someone, by the English word for the relation. */
export const foreignAttribute = (relation: string): string =>
  relationAttribute(relation) ?? "relative";

/** Returns the word of a language for a relation, or null if the table has none. */
export function foreignWord(relation: string, language: Language): string | null {
  const index = LANGUAGES.indexOf(language);
  const word = (RELATIONS[relation]?.[index] || WITH_MY[relation]?.[index])?.split(" ")[0];
  return word ?? null;
}

/** Relation words of a language. */
export const foreignRelationWords = (language: Language): readonly string[] => [
  ...ENGLISH[language].keys(),
];
