/** Calendar arithmetic in UTC on instants: every period is written as its first instant. */

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** Months by name and usual abbreviation, from 0. */
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Week days by their first three letters, Monday first, since weeks start on Monday. */
const WEEKDAYS = "mon tue wed thu fri sat sun".split(" ");
/** First month of each season on the northern half of the globe. */
const SEASONS: Readonly<Record<string, number>> = {
  spring: 2,
  summer: 5,
  autumn: 8,
  fall: 8,
  winter: 11,
};

const NUMBERS =
  ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen " +
    "sixteen seventeen eighteen nineteen").split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** How many, from one on, in words or digits, as an alternation of what `numberOf` reads. */
export const QUANTITY = [
  "\\d+",
  ...TENS.map((ten) => `${ten}(?:[- ](?:${NUMBERS.slice(1, 10).join("|")}))?`),
  ...NUMBERS.slice(1),
  "an?|a couple(?: of)?|a few|several|half a|a dozen",
].join("|");

/** A number written in words or digits, up to 99 in words; null when it is none. */
export function numberOf(text: string): number | null {
  const word = text.toLowerCase().trim();
  if (/^\d+$/.test(word)) return Number(word);
  if (/^(?:an?|one single)$/.test(word)) return 1;
  if (/^a couple(?: of)?$|^both$/.test(word)) return 2;
  if (/^a few$|^several$/.test(word)) return 3;
  if (/^a dozen$/.test(word)) return 12;
  if (/^half a$/.test(word)) return 0.5;
  const [tens = "", units = ""] = word.split(/[ -]/);
  const ten = TENS.indexOf(tens);
  if (ten >= 0) {
    const unit = units ? NUMBERS.indexOf(units) : 0;
    return unit < 0 || unit > 9 ? null : (ten + 2) * 10 + unit;
  }
  const small = NUMBERS.indexOf(word);
  return small < 0 ? null : small;
}

/** Number of a month from its name or abbreviation, from 0; -1 when it is none. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase());
/** Number of a week day, Monday 0. */
export const weekdayOf = (name: string): number => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase());
/** First month of a season, from 0. */
export const seasonOf = (name: string): number => SEASONS[name.toLowerCase()] ?? 0;

/** Midnight of the day of an instant. */
export const dayOf = (at: number): number => Math.floor(at / DAY) * DAY;
/** Midnight of a date; `month` from 0, may run over. Not Date.UTC, which takes the year 24 for 1924. */
export const date = (year: number, month = 0, day = 1): number =>
  new Date(0).setUTCFullYear(year, month, day);
/** Midnight of a date that the calendar has; NaN for a 30 February, so that nobody takes it for 2 March. */
export function realDate(year: number, month: number, day: number): number {
  const at = date(year, month, day), d = new Date(at);
  return d.getUTCMonth() === month && d.getUTCDate() === day ? at : NaN;
}

/** Whether some year has this day of this month (from 0). */
export const isDayOfMonth = (month: number, day: number): boolean =>
  !Number.isNaN(realDate(2000, month, day));
/** Year of an instant. */
export const yearOf = (at: number): number => new Date(at).getUTCFullYear();
/** Monday of the week of an instant. */
export const weekOf = (at: number): number => dayOf(at) - weekday(at) * DAY;
/** Week day of an instant, Monday 0. */
export const weekday = (at: number): number => (new Date(at).getUTCDay() + 6) % 7;
/** First day of the month of an instant, moved by whole months. */
export const month = (at: number, moved = 0): number => {
  const d = new Date(at);
  return date(d.getUTCFullYear(), d.getUTCMonth() + moved);
};

/** Same day of another month, clipped to its last day. */
export function addMonths(at: number, months: number): number {
  const d = new Date(at);
  const first = month(at, months);
  const last = new Date(month(first, 1) - DAY).getUTCDate();
  return first + (Math.min(d.getUTCDate(), last) - 1) * DAY;
}

/** A day moved by N units of "day", "week", "month", "year" or "decade" (singular or plural). */
export function move(at: number, count: number, unit: string): number {
  const day = dayOf(at);
  if (/^day|^night/.test(unit)) return day + Math.round(count) * DAY;
  if (/^week(?!end)|^fortnight/.test(unit)) {
    return day + Math.round(count * 7) * DAY * (unit.startsWith("fort") ? 2 : 1);
  }
  if (/^weekend/.test(unit)) return weekOf(at) + 5 * DAY + count * 7 * DAY;
  if (/^month/.test(unit)) return addMonths(day, Math.round(count));
  if (/^decade/.test(unit)) return addMonths(day, count * 120);
  return addMonths(day, Math.round(count * 12));
}

/** Easter Sunday by the anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8). */
export function easter(year: number): number {
  const a = year % 19, b = Math.floor(year / 100), c = year % 100;
  const d = Math.floor(b / 4), e = b % 4, f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3), h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4), k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return date(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

const [FIRST, LAST] = [date(1), date(10_000) - 1];

/** Whether an instant can be written as a timestamp: those know the years 0001 to 9999 alone. */
export const isWritable = (at: number): boolean => at >= FIRST && at <= LAST;

/** The timestamp format of the interface. */
export const iso = (at: number): string => new Date(at).toISOString();

const ORDINALS =
  ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth " +
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third " +
    "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first")
    .split(" ");

/** The days of a month in words, as an alternation in a group. */
export const ORDINAL_WORDS = `(${ORDINALS.toReversed().join("|").replaceAll("-", "[- ]")})`;

/** "Twenty-first" as 21. */
export const ordinalOf = (word: string): number =>
  ORDINALS.indexOf(word.toLowerCase().replace(" ", "-")) + 1;
