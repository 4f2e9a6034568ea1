/** The languages, other than English, that the multilingual tagger reads. */

/** Languages with templates for memories, by their ISO 639-1 codes. */
export const LANGUAGES = ["de", "es", "fr", "pt", "it"] as const;

export type Language = typeof LANGUAGES[number];

/** Words, one for each language in the order of `LANGUAGES`. */
export type InEachLanguage = readonly [string, string, string, string, string];

export type ByLanguage<T> = Readonly<Record<Language, T>>;

/** Makes something for each language. `index` is the position in `LANGUAGES`. */
export function byLanguage<T>(make: (language: Language, index: number) => T): ByLanguage<T> {
  const [de, es, fr, pt, it] = LANGUAGES.map(make);
  return { de: de!, es: es!, fr: fr!, pt: pt!, it: it! };
}
