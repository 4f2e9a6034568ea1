/** Languages, nationalities, religions and diets: closed classes that decide what "I'm X" is about. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Languages, in lower case. */
export const LANGUAGES = set(
  "english spanish portuguese french german italian dutch danish swedish norwegian finnish icelandic " +
    "polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian belarusian serbian " +
    "croatian bosnian slovenian macedonian albanian lithuanian latvian estonian irish gaelic welsh scots " +
    "catalan basque galician maltese luxembourgish yiddish hebrew arabic persian farsi dari pashto kurdish " +
    "urdu hindi bengali punjabi gujarati marathi tamil telugu kannada malayalam sinhala nepali burmese thai " +
    "lao khmer vietnamese indonesian malay tagalog filipino cebuano javanese mandarin cantonese chinese " +
    "hokkien japanese korean mongolian tibetan kazakh uzbek georgian armenian azerbaijani swahili amharic " +
    "tigrinya somali oromo hausa yoruba igbo zulu xhosa afrikaans shona kinyarwanda lingala wolof twi malagasy " +
    "maori hawaiian samoan tongan quechua guarani nahuatl esperanto latin asl bsl creole breton occitan flemish",
);

/**
 * Demonyms that aren't languages, in lower case. Languages that double as demonyms are added below.
 */
export const DEMONYMS: ReadonlySet<string> = new Set([
  ...set(
    "american british canadian australian brazilian mexican argentinian argentine chilean colombian peruvian " +
      "venezuelan ecuadorian bolivian uruguayan paraguayan cuban dominican jamaican haitian guatemalan " +
      "honduran salvadoran nicaraguan costarican panamanian puertorican scottish english austrian swiss " +
      "belgian egyptian moroccan algerian tunisian libyan sudanese ethiopian eritrean kenyan ugandan tanzanian " +
      "rwandan nigerian ghanaian senegalese ivorian cameroonian congolese angolan mozambican zimbabwean " +
      "zambian namibian malawian botswanan israeli palestinian lebanese syrian jordanian iraqi iranian saudi " +
      "emirati yemeni kuwaiti qatari omani afghan pakistani indian bangladeshi sri-lankan singaporean " +
      "malaysian taiwanese kiwi czechoslovak cypriot moldovan kosovar montenegrin south-african new-zealander " +
      "kazakhstani cambodian laotian cape-verdean catalonian sicilian bavarian european african asian latina latino",
  ),
  ...[...LANGUAGES].filter((word) =>
    !/^(mandarin|cantonese|farsi|dari|pashto|latin|asl|bsl|esperanto|swahili|hindi|urdu|gaelic|yiddish|hebrew|creole|hokkien)$/
      .test(word)
  ),
]);

/** Religions and world views, as "I'm X" names them. */
export const RELIGIONS = set(
  "buddhist catholic christian muslim hindu jewish sikh atheist agnostic protestant lutheran orthodox " +
    "mormon quaker baptist methodist anglican presbyterian jain taoist shinto pagan wiccan bahai baháʼí " +
    "evangelical sunni shia sufi zoroastrian humanist episcopalian pentecostal adventist calvinist",
);

/** Diets, as "I'm X", "I eat X" and "I keep X" name them. */
export const DIETS =
  "vegetarian|vegan|pescatarian|pescetarian|flexitarian|keto|ketogenic|paleo|halal|kosher|gluten[- ]free|" +
  "dairy[- ]free|lactose[- ]free|low[- ]carb|low[- ]fodmap|plant[- ]based|raw vegan|carnivore|fruitarian|" +
  "mediterranean diet|sugar[- ]free|omnivore|lacto[- ]vegetarian|ovo[- ]vegetarian|veggie";

/** Self-descriptions that are neither job nor nationality ("I'm left-handed"). */
export const IDENTITIES =
  "left[- ]handed|right[- ]handed|ambidextrous|trans(?:gender)?(?: (?:woman|man|girl|guy))?|non[- ]?binary|" +
  "genderfluid|agender|gay|lesbian|bi(?:sexual)?|pansexual|asexual|aromantic|queer|straight|introvert(?:ed)?|" +
  "extrovert(?:ed)?|ambivert|intersex|neurodivergent|autistic|deaf|an only child|only child|" +
  "(?:early bird|night owl|morning person|night person|cat person|dog person|people person|perfectionist|" +
  "feminist|minimalist|pacifist|optimist|pessimist|polyglot|immigrant|refugee|expat|veteran|orphan|twin|female|male|" +
  "adoptee|cis(?:gender)?(?: (?:woman|man))?|woman|man|foodie|bookworm|homebody|adopted|bilingual|trilingual|" +
  "first[- ]generation immigrant|digital nomad|teetotal(?:l?er)?|mum of \\w+|mom of \\w+)";
