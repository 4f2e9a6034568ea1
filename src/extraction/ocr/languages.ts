/**
 * Languages that OCR reads, and how to detect them. A first pass in the wrong language loses
 * umlauts and accents, but most of the short words below survive it.
 */

/** Frequent words by language. The keys are the names of the languages' data files. */
const FREQUENT_WORDS = {
  eng:
    "the of and to in is that for with as are was this be by at from it not or have which an you",
  deu:
    "der die und den das ist nicht mit von auf dem ein eine zu im sich auch wird sind bei nach oder wir",
  fra: "le la les des et est une du pour dans que qui sur avec pas au par nous vous sont ce aux il",
  ita:
    "il di che della per un una con del non sono gli dei alla si da nel anche come le al delle ed",
  nld:
    "de het een van en dat op te voor met niet zijn aan door bij ook naar wordt uit wij om deze als",
  pol:
    "nie na do jest to jak od przez dla oraz ale czy po za jego tym przy ze sie tego lub ich pod",
  por: "de que os do da em um para com uma dos na no das ao mais por como mas pelo se foi pela aos",
  spa: "el los las que del en por con para una se es al como su no sus este esta pero la y lo fue",
} as const satisfies Record<string, string>;

/** A language, by the name of its data file. */
export type OcrLanguage = keyof typeof FREQUENT_WORDS;

/** Every language that OCR reads. */
export const OCR_LANGUAGES = Object.keys(FREQUENT_WORDS) as OcrLanguage[];

const WORD_SETS = OCR_LANGUAGES.map((language) =>
  [language, new Set<string>(FREQUENT_WORDS[language].split(" "))] as const
);

/** Minimum number of words needed to detect a language. */
const MIN_WORDS = 12;
/** Minimum fraction of words that must be frequent ones. In prose, it's a quarter to a half. */
const MIN_SHARE = 0.1;
/** Minimum ratio to the next best language. */
const MIN_LEAD = 1.2;

/** Returns the language that words are in, or undefined if it isn't clear. */
export function detectLanguage(words: readonly string[]): OcrLanguage | undefined {
  const letters = words.map((word) => word.toLowerCase().replace(/[^\p{L}]/gu, ""))
    .filter((word) => word.length > 1);
  if (letters.length < MIN_WORDS) return undefined;
  const [best, second] = WORD_SETS
    .map(([language, set]) => ({
      language,
      count: letters.filter((word) => set.has(word)).length,
    }))
    .sort((a, b) => b.count - a.count);
  const isClear = best!.count >= MIN_SHARE * letters.length &&
    best!.count >= MIN_LEAD * second!.count;
  return isClear ? best!.language : undefined;
}
