/** Recognizes the languages that the multilingual tagger reads. */

import { foreignRelationWords } from "../lexicon/foreign_people.ts";
import { type Language, LANGUAGES } from "../lexicon/languages.ts";

/**
 * Frequent short words of each language, and what people say of themselves. A word of several
 * languages counts for a part in each.
 */
const FUNCTION_WORDS: Readonly<Record<Language | "en", readonly string[]>> = {
  en: words(
    "i the a an no on in my me is am are at of to and for with was we our it have has had that " +
      "this you your he she they but from not do be as by or so if when her his as more i'm i've " +
      "we're don't can't it's im u who what how us will man over before per son one two than " +
      "live also em chef cousin mama papa tante die",
  ),
  de: words(
    "ich und der die das ein eine einen einem einer bin ist habe hab haben hat nicht nich mit " +
      "mein meine meinen meinem meiner wir uns unser unsere seit beim bei auf für von zu zum zur " +
      "im in am an als auch noch schon jetzt nur aber wohne wohnt arbeite heiße heißt mag mich " +
      "mir dass sind war waren werde wird wurde du er sie es den dem des oder wenn weil mal ja " +
      "kein keine keinen man wie nach aus um so vor vom bis über gegen ohne immer nie nichts " +
      "mehr alles alle sonst dann also gern gerne hier da geht gibt kommt komme muss kann soll " +
      "will möchte bitte schreib antworte benutze nehme esse trinke spreche lerne zwei drei vier " +
      "fünf spiele lese koche laufe fahre studiere besitze brauche kaufe leide liebe hasse " +
      "stamme trage besuche finde schlafe reise",
  ),
  es: words(
    "yo el la los las un una uno mi mis con que qué soy es estoy está tengo tiene tenemos en y " +
      "e o no me te se gusta gustan vivo vive trabajo trabaja desde para por del al de a su sus " +
      "lo le muy pero ya también como cómo hace hago años año hay nos nuestra nuestro son somos " +
      "fue fui era ser estar cuando cuándo porque más este esta esto eso llamo llama sin ha he " +
      "hemos sé si sí ni antes ahora hoy siempre nunca quiero hablo bebo como uso estudio odio " +
      "dejé soy voy va vamos hasta según dicen encanta gracias favorita favorito donde dónde " +
      "otro todos todas cada mucho dos tres cuatro cinco " +
      "toco juego cocino corro nací compré nado crecí vengo vine prefiero necesito cumplo cumplí " +
      "duermo viajo salgo nació",
  ),
  fr: words(
    "je j le la les des un une mon ma mes avec que qui suis es est ai as a ne pas dans en et " +
      "nous notre nos c'est j'ai d'un d'une de du depuis pour par chez sur au aux ce cette ces " +
      "ça ca mais aussi plus tout tous toute très il elle on se son sa ses sont était étais " +
      "sommes parce quand comme chuis l'an bien à y moi toi te me m'a m'appelle où ou si fait " +
      "fais faut vais va sans sous donc toujours jamais avant après habite travaille mange bois " +
      "parle prends veux voudrais aime j'aime déteste réponds écris deux trois quatre cinq ans " +
      "joue lis cours dors",
  ),
  pt: words(
    "eu o a os as um uma meu minha meus minhas com que sou é estou está tô tenho tem temos em " +
      "no na nos nas do da dos das de e ou não nao me te se gosto moro mora vivo trabalho " +
      "trabalha desde para por pelo pela sua seu muito mas já também como há anos ano são foi " +
      "fui era ser estar quando porque mais este esta isto isso pra num numa ao à às aos gente " +
      "só sem até agora ainda sempre nunca hoje quero adoro deixei vendi comprei estudei prefiro " +
      "virei falo bebo como uso estudo odeio faço vou vai chamo chama dia antes onde todos todas " +
      "cada ele ela duas dois três quatro cinco " +
      "toco jogo leio cozinho corro nasci nado cresci venho preciso durmo viajo",
  ),
  it: words(
    "io il lo la i gli le un una uno mio mia miei mie con che chi sono è ho hai hanno ha " +
      "abbiamo in e o ed non mi ti si ci vi piace vivo vive abito abita lavoro lavora da dal " +
      "dalla dai per del dello della dei degli delle di al allo alla ai alle a sul sulla suo sua " +
      "molto ma già anche come anni anno fa ci nostra nostro siamo ero era essere quando perché " +
      "più questo questa nel nella nei col se su sto sta faccio vado va devo vorrei voglio " +
      "prendo bevo mangio parlo uso studio adoro odio preferisco grazie sempre mai adesso ora " +
      "oggi ogni tutti tutte senza prima dopo poi due tre quattro cinque " +
      "suono gioco leggo cucino corro nuoto dipingo possiedo chiamo vengo insegno dormo viaggio " +
      "nato nata cresciuto cresciuta soffro",
  ),
};

/** Articles that are part of the next word: "j'habite", "l'hiver", "dell'anno". */
const ELIDED: readonly (readonly [Language, RegExp])[] = [
  ["fr", /^(?:j|d|c|n|s|m|qu)'/],
  ["it", /^(?:d|c|un|dell|nell|all|dall|sull|quest)'/],
];

/** Letters and endings that hardly any of the other languages have. */
const SPELLINGS: readonly (readonly [Language, RegExp])[] = [
  ["de", /ß|[äöü]|(?:ung|keit|schaft|lich)$/u],
  ["es", /ñ|(?:ción|miento)$/u],
  ["fr", /[èêùœ]|(?:eux|euse|eau)$/u],
  ["pt", /[ãõ]|(?:ção|ções|ês)$/u],
  ["it", /[òì]|(?:zione|zioni|aggio)$/u],
];

/** Minimum score of a language: one word of its own, or several that it shares. */
const MIN_SCORE = 0.6;

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** What each word says about the language of a text. */
const WEIGHTS: ReadonlyMap<string, ReadonlyMap<Language | "en", number>> = (() => {
  const languages = new Map<string, Set<Language | "en">>();
  for (const language of [...LANGUAGES, "en"] as const) {
    const people = language === "en" ? [] : foreignRelationWords(language);
    for (const word of [...FUNCTION_WORDS[language], ...people]) {
      languages.set(word, (languages.get(word) ?? new Set()).add(language));
    }
  }
  return new Map([...languages].map(([word, known]) => [
    word,
    // English is the default: its words speak for it if other languages have them, too.
    new Map([...known].map((language) => [
      language,
      language === "en" ? Math.max(1 / known.size, 0.34) : 1 / known.size,
    ])),
  ]));
})();

/**
 * Returns the language that a text's words speak for. Null if that is English, or if they say too
 * little.
 */
export function languageOf(text: string): Language | null {
  const scores: Record<Language | "en", number> = { en: 0, de: 0, es: 0, fr: 0, pt: 0, it: 0 };
  for (const word of text.toLowerCase().replaceAll("’", "'").match(/[\p{L}']+/gu) ?? []) {
    for (const [language, weight] of WEIGHTS.get(word) ?? []) scores[language] += weight;
    for (const [language, form] of ELIDED) if (form.test(word)) scores[language] += 0.6;
    for (const [language, form] of SPELLINGS) if (form.test(word)) scores[language] += 0.5;
  }
  if (/[¿¡]/.test(text)) scores.es++;
  let best: Language | null = null;
  let most = Math.max(scores.en, MIN_SCORE);
  for (const language of LANGUAGES) {
    if (scores[language] > most) [best, most] = [language, scores[language]];
  }
  return best;
}
