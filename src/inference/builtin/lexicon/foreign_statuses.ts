/** Words for statuses and diets in the languages that only the tagger reads. */

import { compile } from "./lines.ts";

/** Expressions for the words of each value, by attribute. They are those of all the languages. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  marital_status: {
    married: "verheiratet|casad[oa]s?|mariée?s?|sposat[oaie]",
    engaged: "verlobt|prometid[oa]s?|fiancée?s?|noiv[oa]s?|fidanzat[oaie]",
    separated: "getrennt|separad[oa]s?|séparée?s?|separat[oaie]",
    divorced: "geschieden|divorciad[oa]s?|divorcée?s?|divorziat[oaie]",
    widowed: "verwitwet|witwer?|viud[oa]|veuve|veuf|viúv[oa]|vedov[oa]",
    single: "single|ledig|solter[oa]|célibataire|solteir[oa]|celibe|nubile",
  },
  employment: {
    retired: "rentner(?:in)?|in rente|pensioniert|jubilad[oa]|retraitée?|à la retraite|" +
      "aposentad[oa]|reformad[oa]|pensionat[oa]|in pensione",
    unemployed: "arbeitslos|desemplead[oa]|en paro|au chômage|desempregad[oa]|disoccupat[oa]",
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

/** Returns the value of an attribute that a text's words name, or null if they name none or several. */
export function foreignStatus(attribute: string, text: string): string | null {
  const named = WORDS.filter(([name]) => name === attribute)
    .flatMap(([, values]) => values.filter(([, words]) => words.test(text)));
  return named.length === 1 ? named[0]![0] : null;
}
