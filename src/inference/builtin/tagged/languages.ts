/** Recognizes the languages that the multilingual tagger reads. */

/** Languages with templates for memories. */
export const LANGUAGES = ["de", "es", "fr", "pt", "it"] as const;

export type Language = typeof LANGUAGES[number];

/** Frequent short words of each language, chosen to be rare in the other ones. */
const FUNCTION_WORDS: Readonly<Record<Language | "en", ReadonlySet<string>>> = {
  en: words(
    "i the my is am are in at of to and for on with was we our it have has that this you he she " +
      "they but from not do be as by or so her his an i'm i've we're don't",
  ),
  de: words(
    "ich und der die das ein eine einen einem einer bin ist habe hab haben nicht mit mein meine " +
      "meinen meinem meiner wir uns unser unsere seit beim bei auf für von zu zum zur im am als " +
      "auch noch schon jetzt nur aber wohne arbeite heiße mag mich mir dass sind war werde wird " +
      "du er sie es den dem des oder wenn weil mal ja kein keine",
  ),
  es: words(
    "yo el los las una uno mi mis con que soy es estoy está tengo tiene en y no me gusta vivo " +
      "trabajo desde para por del al se su sus lo muy pero ya también como hace años hay nos " +
      "nuestra nuestro son fue era ser cuando porque más este esta llamo sin ha he hemos",
  ),
  fr: words(
    "je j le la les des un une mon ma mes avec que qui suis est ai a ne pas dans et nous notre " +
      "nos c'est j'ai d'un d'une depuis pour chez sur au aux du ce cette ça mais aussi plus tout " +
      "très il elle on se sont était sommes parce quand comme chuis l'an bien",
  ),
  pt: words(
    "eu o os uma um meu minha meus minhas com que sou é estou está tenho tem em no na nos nas do " +
      "da dos das e não me gosto moro trabalho desde para por se seu sua muito mas já também como " +
      "há anos são foi era ser quando porque mais este esta isso pra num numa ao à gente",
  ),
  it: words(
    "io il lo la gli un una uno mio mia miei mie con che sono è ho ha in e non mi piace vivo " +
      "abito lavoro da dal dalla per del della dei delle al alla si suo sua molto ma già anche " +
      "come anni fa ci nostra nostro siamo era essere quando perché più questo questa di nel nella",
  ),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/**
 * Returns the language with most of a text's words among its function words. Null if that is
 * English, or if there are none.
 */
export function languageOf(text: string): Language | null {
  const found = text.toLowerCase().replaceAll("’", "'").match(/[\p{L}']+/gu) ?? [];
  const score = (language: Language | "en") =>
    found.reduce((sum, word) =>
      sum + (FUNCTION_WORDS[language].has(word) ? 1 : 0) +
      // "J'habite", "l'hiver", "dell'anno": the article is part of the word.
      (language === "fr" && /^(?:j|l|d|c|n|s|m|qu)'/.test(word) ? 1 : 0) +
      (language === "it" && /^(?:l|d|c|un|dell|nell|all|quest)'/.test(word) ? 1 : 0), 0);
  let best: Language | null = null;
  let most = score("en");
  for (const language of LANGUAGES) {
    const own = score(language);
    if (own > most) [best, most] = [language, own];
  }
  return best;
}
