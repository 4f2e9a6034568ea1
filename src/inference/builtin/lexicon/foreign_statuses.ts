/** Words for statuses and diets in the languages that only the tagger reads. */

import { type InEachLanguage, type Language, LANGUAGES } from "./languages.ts";
import { compile } from "./lines.ts";

/** Expressions for the words of each value, by attribute. One covers all languages. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  marital_status: {
    married: "verheiratete?|casad[oa]s?|mariée?s?|sposat[oaie]",
    engaged: "verlobt|prometid[oa]s?|fiancée?s?|noiv[oa]s?|fidanzat[oaie]",
    separated: "getrennt|separad[oa]s?|séparée?s?|separat[oaie]",
    divorced: "geschiedene?|divorciad[oa]s?|divorcée?s?|divorziat[oaie]",
    widowed: "verwitwet|witwer?|viud[oa]s?|veuves?|veufs?|viúv[oa]s?|vedov[oaie]",
    single: "single|ledig|solter[oa]s?|célibataires?|solteir[oa]s?|celibe|nubile",
  },
  employment: {
    retired: "rentner(?:in)?|rente|ruhestand|pensioniert|jubilad[oa]s?|retraitée?s?|" +
      "retraite|aposentad[oa]s?|reformad[oa]s?|pensionat[oaie]|pensione",
    unemployed: "arbeitslose?|erwerbslos|desemplead[oa]s?|(?<!no )paro|chômage|" +
      "desempregad[oa]s?|disoccupat[oaie]",
    "self-employed": "selbst(?:st)?ändig|à mon compte",
  },
  diet: {
    vegetarian: "vegetari\\p{L}+|végétari\\p{L}+",
    vegan: "vegan\\p{L}*|végan\\p{L}*|végétalien(?:ne)?",
    pescatarian: "pes[ck]\\p{L}*tari\\p{L}+",
  },
};

const WORDS = Object.entries(STATUSES).map(([attribute, values]) =>
  [
    attribute,
    Object.entries(values).map(([value, words]) =>
      [value, compile(`(?<!\\p{L})(?:${words})(?!\\p{L})`, "iu")] as const
    ),
  ] as const
);

/** Returns the value of an attribute that a text names. Null if it names none, or more than one. */
export function foreignStatus(attribute: string, text: string): string | null {
  const named = WORDS.filter(([name]) => name === attribute)
    .flatMap(([, values]) => values.filter(([, words]) => words.test(text)));
  return named.length === 1 ? named[0]![0] : null;
}

/** Attributes whose values are statuses. */
export const isStatus = (attribute: string): boolean => Object.hasOwn(STATUSES, attribute);

/** Words for the values in memories. Claims have them in English. */
const WRITTEN: Readonly<Record<string, InEachLanguage>> = {
  vegetarian: ["vegetarisch", "vegetariana", "végétarien", "vegetariana", "vegetariana"],
  vegan: ["vegan", "vegana", "végétalien", "vegana", "vegana"],
  pescatarian: ["pescetarisch", "pescetariana", "pescétarien", "pescetariana", "pescetariana"],
  single: ["ledig", "soltero o soltera", "célibataire", "solteiro ou solteira", "celibe o nubile"],
  engaged: [
    "verlobt",
    "prometido o prometida",
    "fiancé ou fiancée",
    "noivo ou noiva",
    "fidanzato o fidanzata",
  ],
  married: [
    "verheiratet",
    "casado o casada",
    "marié ou mariée",
    "casado ou casada",
    "sposato o sposata",
  ],
  separated: [
    "getrennt",
    "separado o separada",
    "séparé ou séparée",
    "separado ou separada",
    "separato o separata",
  ],
  divorced: [
    "geschieden",
    "divorciado o divorciada",
    "divorcé ou divorcée",
    "divorciado ou divorciada",
    "divorziato o divorziata",
  ],
  widowed: ["verwitwet", "viudo o viuda", "veuf ou veuve", "viúvo ou viúva", "vedovo o vedova"],
  employed: ["angestellt", "con empleo", "en emploi", "com emprego", "con un impiego"],
  unemployed: ["arbeitslos", "en paro", "au chômage", "sem emprego", "senza lavoro"],
  "self-employed": [
    "selbstständig",
    "por cuenta propia",
    "à son compte",
    "por conta própria",
    "in proprio",
  ],
  freelance: ["freiberuflich", "freelance", "en freelance", "freelance", "freelance"],
  retired: ["im Ruhestand", "en jubilación", "à la retraite", "na reforma", "in pensione"],
  student: ["im Studium", "en estudios", "aux études", "nos estudos", "negli studi"],
  "parental leave": [
    "in Elternzeit",
    "en permiso parental",
    "en congé parental",
    "em licença parental",
    "in congedo parentale",
  ],
};

/** Returns the words of a language for a status, or the status if there are none. */
export const statusWords = (status: string, language: Language): string =>
  Object.hasOwn(WRITTEN, status) ? WRITTEN[status]![LANGUAGES.indexOf(language)]! : status;
