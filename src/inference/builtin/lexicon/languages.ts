/** The languages, other than English, that the multilingual tagger reads. */

/** Languages with templates for memories, by their ISO 639-1 codes. */
export const LANGUAGES = ["de", "es", "fr", "pt", "it"] as const;

export type Language = typeof LANGUAGES[number];
