/** Words for statuses and diets in the languages that only the tagger reads. */

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
