/** Words for the people and animals of a user, in the languages that only the tagger reads. */

import type { Language } from "../tagged/languages.ts";

/** Singular words by attribute. */
const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  de: {
    spouse: "ehefrau ehemann gatte gattin",
    child: "sohn tochter älteste ältester jüngste jüngster",
    sibling: "schwester bruder zwillingsschwester zwillingsbruder",
    parent: "mutter vater mama papa mutti vati",
    grandparent: "oma opa großmutter großvater omi opi",
    relative: "tante onkel cousin cousine nichte neffe schwägerin schwager schwiegermutter " +
      "schwiegervater enkel enkelin enkeltochter schwiegertochter schwiegersohn patenkind",
    friend: "kumpel",
    colleague: "kollege kollegin chef chefin",
  },
  es: {
    spouse: "esposo esposa marido",
    partner: "novio novia",
    child: "hijo hija",
    sibling: "hermano hermana",
    parent: "madre padre mamá papá",
    grandparent: "abuelo abuela",
    relative: "tío tía primo prima sobrino sobrina cuñado cuñada suegro suegra nieto nieta yerno " +
      "nuera",
    friend: "amigo amiga",
    colleague: "colega jefe jefa",
  },
  fr: {
    spouse: "mari épouse époux",
    partner: "copine copain chum compagne compagnon",
    child: "fils fille",
    sibling: "sœur soeur frère frangin frangine",
    parent: "mère père maman papa",
    grandparent: "grand-mère grand-père mamie papi papy mémé pépé",
    relative: "oncle tante cousin cousine neveu nièce belle-mère beau-père belle-sœur beau-frère " +
      "petit-fils petite-fille gendre",
    friend: "ami amie pote",
    colleague: "collègue patron patronne",
  },
  pt: {
    spouse: "marido esposa esposo",
    partner: "namorado namorada",
    child: "filho filha",
    sibling: "irmão irmã",
    parent: "mãe pai mamãe papai",
    grandparent: "avó avô vovó vovô",
    relative: "tio tia primo prima sobrinho sobrinha cunhado cunhada sogro sogra neto neta genro " +
      "nora",
    friend: "amigo amiga",
    colleague: "colega chefe",
  },
  it: {
    spouse: "marito moglie",
    partner: "fidanzato fidanzata",
    child: "figlio figlia",
    sibling: "fratello sorella",
    parent: "madre padre mamma papà babbo",
    grandparent: "nonno nonna",
    relative: "zio zia cugino cugina nipote cognato cognata suocero suocera genero nuora",
    friend: "amico amica",
    colleague: "collega capo",
  },
};

/** The same of words that mean others, too, without "my": "Frau Berg", "el señor". */
const WITH_MY: typeof WORDS = {
  de: { spouse: "frau mann", partner: "freundin freund" },
  es: { spouse: "mujer señora", partner: "pareja", colleague: "compañero compañera" },
  fr: { spouse: "femme", partner: "blonde" },
  pt: { spouse: "mulher" },
  it: { partner: "ragazzo ragazza compagno compagna" },
};

/** Attributes of words by language. */
type Attributes = Readonly<Record<Language, ReadonlyMap<string, string>>>;

const ATTRIBUTES = attributesOf(WORDS);
const ATTRIBUTES_WITH_MY = attributesOf(WITH_MY);

function attributesOf({ de, es, fr, pt, it }: typeof WORDS): Attributes {
  const byWord = (words: Readonly<Record<string, string>>) =>
    new Map(
      Object.entries(words).flatMap(([attribute, list]) =>
        list.split(" ").map((word) => [word, attribute] as const)
      ),
    );
  return { de: byWord(de), es: byWord(es), fr: byWord(fr), pt: byWord(pt), it: byWord(it) };
}

/**
 * Returns the attribute for a relation, or null if the word isn't one of that language.
 *
 * @param isMine whether it has "my" before it
 */
export function foreignRelation(word: string, language: Language, isMine: boolean): string | null {
  const known = word.toLowerCase();
  return ATTRIBUTES[language].get(known) ??
    (isMine ? ATTRIBUTES_WITH_MY[language].get(known) ?? null : null);
}

/** Relation words of a language. */
export const foreignRelationWords = (language: Language): readonly string[] => [
  ...ATTRIBUTES[language].keys(),
];
