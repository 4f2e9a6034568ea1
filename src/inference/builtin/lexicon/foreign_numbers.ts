/** Numbers up to 99 and days of the year, in the languages that only the tagger reads. */

import { isDayOfMonth } from "../../../kernel/dates/calendar.ts";

/** Forms of the numbers from 1 to 19 by language, separated by blanks; `/` separates variants. */
const BELOW_TWENTY = [
  "ein/eins/eine/einen/einem/einer zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn " +
  "vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
  "un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince " +
  "dieciséis diecisiete dieciocho diecinueve",
  "un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize " +
  "dix_sept dix_huit dix_neuf",
  "um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze " +
  "quinze dezasseis/dezesseis dezassete/dezessete dezoito dezanove/dezenove",
  "un/uno/una due tre/tré quattro cinque sei sette otto nove dieci undici dodici tredici " +
  "quattordici quindici sedici diciassette diciotto diciannove",
].map(forms);

/** The same of the tens from 20 to 90. */
const TENS = [
  "zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
  "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  "vingt trente quarante cinquante soixante soixante_dix/septante quatre_vingts/quatre_vingt " +
  "quatre_vingt_dix/nonante",
  "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
  "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
].map(forms);

function forms(line: string): readonly (readonly string[])[] {
  return line.split(" ").map((variants) => variants.replaceAll("_", " ").split("/"));
}

/** Returns the ways to write a unit after a ten: "achtundfünfzig", "treinta y uno", "ventuno". */
function together(ten: string, unit: string): readonly string[] {
  const apart = ["y", "e", "et"].map((and) => `${ten} ${and} ${unit}`);
  const joined = [`${unit}und${ten}`, `${ten} ${unit}`, `${ten}${unit}`, ten.slice(0, -1) + unit];
  return [...apart, ...joined, ...(ten === "veinte" ? [`veinti${unit}`] : [])];
}

const NUMBERS: ReadonlyMap<string, number> = (() => {
  const numbers = new Map([["veintidós", 22], ["veintitrés", 23], ["veintiséis", 26]]);
  const add = (words: readonly string[], n: number) => {
    for (const word of words) if (word !== "" && !numbers.has(word)) numbers.set(word, n);
  };
  for (const [language, ones] of BELOW_TWENTY.entries()) {
    for (const [i, words] of ones.entries()) add(words, i + 1);
    for (const [i, tens] of TENS[language]!.entries()) {
      add(tens, 10 * (i + 2));
      // "Soixante-douze" and "quatre-vingt-douze" count on from ten.
      for (const [j, units] of ones.entries()) {
        if (j >= 9 && !(language === 2 && (i === 4 || i === 6))) break;
        for (const ten of tens) {
          for (const unit of units) add(together(ten, unit), 10 * (i + 2) + j + 1);
        }
      }
    }
  }
  return numbers;
})();

const MAX_NUMBER_WORDS = 4;

/** Returns the number that a text begins with, or null if it begins with another word. */
export function foreignNumber(text: string): number | null {
  const words = text.toLowerCase().replace(/[^\p{L}\s-]/gu, " ").split(/[\s-]+/)
    .filter((word) => word !== "");
  for (let length = Math.min(MAX_NUMBER_WORDS, words.length); length > 0; length--) {
    const number = NUMBERS.get(words.slice(0, length).join(" "));
    if (number !== undefined) return number;
  }
  return null;
}

/** Beginnings of the months' names. */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen)/u,
  /^(?:feb|fév|fev)/u,
  /^(?:mär|mar)/u,
  /^(?:abr|apr|avr)/u,
  /^ma[iyg]/u,
  /^(?:jun|juin|giu)/u,
  /^(?:jul|juil|lug)/u,
  /^(?:aug|ago|aoû)/u,
  /^(?:sep|set)/u,
  /^(?:okt|oct|out|ott)/u,
  /^nov/u,
  /^(?:dez|dic|déc)/u,
];

/** Day and month: "4. August", "17 de abril", "1er mai". */
const DAY = /(?<!\d)(\d{1,2})(?:\.|er|º|°)?\s+(?:de\s+)?(\p{L}{3,})/u;

/** Returns a day of the year as `MM-DD`, or null if the text has none that exists. */
export function foreignDay(text: string): string | null {
  const [, day, name] = DAY.exec(text.toLowerCase()) ?? [];
  if (day === undefined || name === undefined) return null;
  const month = MONTHS.findIndex((start) => start.test(name));
  if (month < 0 || !isDayOfMonth(month, Number(day))) return null;
  return `${String(month + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
