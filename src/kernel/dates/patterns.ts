/**
 * Lists the date phrases we can parse, how each is resolved relative to an anchor, and which unit
 * it names.
 */

import {
  addMonths,
  date,
  DAY,
  dayOf,
  month,
  monthOf,
  move,
  numberOf,
  ORDINAL_WORDS,
  ordinalOf,
  QUANTITY,
  realDate,
  seasonOf,
  weekdayOf,
  weekOf,
  yearOf,
} from "./calendar.ts";
import {
  after,
  before,
  dayAlone,
  dayMonth,
  endOf,
  fittingYear,
  holiday,
  nthOf,
  period,
  type Tense,
} from "./fitting.ts";
import { countedUnit, periodUnit, type Unit } from "./units.ts";

/**
 * Returns a match's first instant, null if it turns out not to be a date, or NaN if the date
 * doesn't exist.
 */
export type Resolve = (m: RegExpExecArray, anchor: number, tense: Tense) => number | null;

/** The unit named by a phrase: the same for all phrases of a pattern, or depending on the match. */
export type UnitOf = Unit | ((m: RegExpExecArray) => Unit);

const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY_NAME = "(mon|tues|wednes|thurs|fri|satur|sun)day";
/** Short forms are only certain to be weekdays after "last" and "next" ("I sat in the sun"). */
const SHORT_DAY = "(?:(mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?)";
const COUNT = `(${QUANTITY})`;
const UNIT = "(days?|nights?|weeks?|fortnights?|weekends?|months?|years?|decades?)";
const PERIOD = "(week|month|year|weekend|quarter|spring|summer|autumn|fall|winter)";

/** Excludes habits, e.g. "from Monday to Friday I work". */
const ONCE =
  "(?<!\\b(?:works?|working|open|shifts?|usually|always|every|commutes?)\\b.*)(?!.*\\bworks?\\b)";

/** Resolves "the end of last month" or "this week" using the words matched. */
const resolvePeriod: Resolve = (m, a, t) => {
  const which = m[1]!.toLowerCase(), unit = m[2]!.toLowerCase();
  const first = period(which === "this past" ? "last" : which, unit, a, t);
  return /end of/i.test(m[0]) && /^(?:week|month|year)$/.test(unit) ? endOf(unit, first) : first;
};

/**
 * Phrase patterns in order of priority: of two matches that start together, the longer one wins,
 * then the earlier pattern.
 */
export const PATTERNS: ReadonlyArray<readonly [RegExp, Resolve, UnitOf]> = [
  [
    /\b(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+Z?)?\b/gi,
    (m) => realDate(Number(m[1]), Number(m[2]) - 1, Number(m[3])),
    "day",
  ],
  [
    /\b(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d{2})\b/gi,
    (m) =>
      Number(m[2]) > 12
        ? realDate(Number(m[3]), Number(m[1]) - 1, Number(m[2]))
        : realDate(Number(m[3]), Number(m[2]) - 1, Number(m[1])),
    "day",
  ],
  // "From 3 to 7 June": the first day. The second is a phrase of its own.
  [
    new RegExp(
      `\\b(?:from |between )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?= ?(?:-|–|to|until|and) ?(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? ((?:19|20)\\d{2}))?\\b)`,
      "gi",
    ),
    (m, a, t) => dayMonth(m[1]!, m[2]!, m[3], a, t),
    "day",
  ],
  [
    new RegExp(
      `\\b(?:on |by )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? ((?:19|20)\\d{2}))?\\b`,
      "gi",
    ),
    (m, a, t) => dayMonth(m[1]!, m[2]!, m[3], a, t),
    "day",
  ],
  [
    new RegExp(
      `\\b(?:on |by )?${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? ((?:19|20)\\d{2}))?(?!\\d|:|\\s?[ap]m)`,
      "gi",
    ),
    (m, a, t) => dayMonth(m[2]!, m[1]!, m[3], a, t),
    "day",
  ],
  [
    new RegExp(
      `\\b(?:in |on |since |from |until |till |to |by |around )?(?:early |late |mid-?)?${MONTH},? (?:of )?((?:19|20)\\d{2})\\b`,
      "gi",
    ),
    (m) => date(Number(m[2]), monthOf(m[1]!)),
    "month",
  ],
  [
    new RegExp(
      `\\b(?:on )?the (first|second|third|fourth|last) ${DAY_NAME} (?:of|in) ${MONTH}(?:,? ((?:19|20)\\d{2}))?`,
      "gi",
    ),
    (m, a, t) => nthOf(m[1]!, weekdayOf(m[2]!), monthOf(m[3]!), m[4], a, t),
    "day",
  ],
  // "On the fourth of July", "July the fourth".
  [
    new RegExp(`\\b(?:on |by )?the ${ORDINAL_WORDS} of ${MONTH}(?:,? ((?:19|20)\\d{2}))?\\b`, "gi"),
    (m, a, t) => dayMonth(String(ordinalOf(m[1]!)), m[2]!, m[3], a, t),
    "day",
  ],
  [
    new RegExp(`\\b(?:on |by )?${MONTH} the ${ORDINAL_WORDS}\\b`, "gi"),
    (m, a, t) => dayMonth(String(ordinalOf(m[2]!)), m[1]!, undefined, a, t),
    "day",
  ],
  [
    new RegExp(
      `\\b(?:in |during )?the (first|second|third|last) week(?:end)? (?:of|in) ${MONTH}(?:,? ((?:19|20)\\d{2}))?`,
      "gi",
    ),
    (m, a, t) => nthOf(m[1]!, null, monthOf(m[2]!), m[3], a, t),
    "week_of_month",
  ],
  [new RegExp(`\\bend of ${MONTH}`, "gi"), (m, a, t) => {
    const n = monthOf(m[1]!);
    return date(fittingYear(a, t, n, null), n + 1) - DAY;
  }, "month"],
  [new RegExp(`\\blast ${MONTH}\\b`, "gi"), (m, a) => {
    const n = monthOf(m[1]!);
    return date(month(a) > date(yearOf(a), n) ? yearOf(a) : yearOf(a) - 1, n);
  }, "month"],
  [
    new RegExp(
      `\\b(?:in|at(?= the (?:middle|beginning|start) of)|since|as of|between|(?<=\\bbetween \\w+ )and|until|till|by|from|to|before|after|during|through|this|next|around|for|come) (?:early |late |mid-?|the (?:middle|beginning|start) of )?${MONTH}(?![\\w'-])(?! \\d)`,
      "gi",
    ),
    (m, a, t) => {
      const n = monthOf(m[1]!);
      return date(fittingYear(a, /since|until now/i.test(m[0]) ? "past" : t, n, null), n);
    },
    "month",
  ],
  [
    /\b(?:back |way )?(?:in|since|from|between|(?<=\bbetween (?:19|20)\d\d )and|until|till|to|through|around|during|by|before|after|of|early|late|mid-?|summer|spring|autumn|fall|winter)(?: the)?(?: (?:early|late|summer|spring|autumn|fall|winter|year)(?: of)?)? ((?:19|20)\d{2})\b(?!-)/gi,
    (m) =>
      date(
        Number(m[1]),
        /summer|spring|autumn|fall|winter/i.exec(m[0])
          ? seasonOf(/summer|spring|autumn|fall|winter/i.exec(m[0])![0])
          : 0,
      ),
    (m) => /summer|spring|autumn|fall|winter/i.test(m[0]) ? "season" : "year",
  ],
  [
    /\bin the (?:(?:early|late|mid) )?(?:19)?([5-9]0)s\b/gi,
    (m) => date(1900 + Number(m[1])),
    "decade",
  ],
  [/\bthe day before yesterday\b/gi, (_m, a) => dayOf(a) - 2 * DAY, "day"],
  [/\bthe day after tomorrow\b/gi, (_m, a) => dayOf(a) + 2 * DAY, "day"],
  [
    /\b(?:earlier |later )?(?:today|tonight|this (?:morning|afternoon|evening|very day))\b/gi,
    (_m, a) => dayOf(a),
    "day",
  ],
  [
    /\b(?:yesterday(?:'s)?(?: (?:morning|afternoon|evening|night))?|last night|last evening)\b/gi,
    (_m, a) => dayOf(a) - DAY,
    "day",
  ],
  [/\btomorrow(?: (?:morning|afternoon|evening|night))?\b/gi, (_m, a) => dayOf(a) + DAY, "day"],
  [
    new RegExp(
      `\\b(?:about |around |almost |nearly |over |just |roughly )?${COUNT} ${UNIT}(?: and a half)? (?:ago|back|earlier)\\b`,
      "gi",
    ),
    (m, a) => move(a, -numberOf(m[1]!)!, m[2]!.toLowerCase()),
    (m) => countedUnit(m[1]!, m[2]!),
  ],
  // "Two summers ago": the one before the last.
  [
    new RegExp(`\\b${COUNT} (spring|summer|autumn|fall|winter)s ago\\b`, "gi"),
    (m, a, t) => addMonths(period("last", m[2]!.toLowerCase(), a, t), -12 * (numberOf(m[1]!)! - 1)),
    "season",
  ],
  [
    new RegExp(`\\ba ${UNIT} or (?:two|so) ago\\b`, "gi"),
    (m, a) => move(a, -1, m[1]!.toLowerCase()),
    (m) => countedUnit("a", m[1]!),
  ],
  [
    new RegExp(
      `\\b(?:in(?: about| around)?|within) ${COUNT} ${UNIT}(?:' time|'s time)?\\b(?! of| ago)`,
      "gi",
    ),
    (m, a) => move(a, numberOf(m[1]!)!, m[2]!.toLowerCase()),
    (m) => countedUnit(m[1]!, m[2]!),
  ],
  [
    new RegExp(`\\b${COUNT} ${UNIT} from (?:now|today)\\b`, "gi"),
    (m, a) => move(a, numberOf(m[1]!)!, m[2]!.toLowerCase()),
    (m) => countedUnit(m[1]!, m[2]!),
  ],
  // "A week from Friday", "two weeks on Monday".
  [
    new RegExp(`\\b${COUNT} weeks? (?:from|on) ${DAY_NAME}\\b`, "gi"),
    (m, a) => after(a, weekdayOf(m[2]!)) + numberOf(m[1]!)! * 7 * DAY,
    "day",
  ],
  // "From Friday to Sunday".
  [
    new RegExp(
      `\\b(?:from ${DAY_NAME}(?= (?:to|till|until|through) \\w+day\\b)|(?:to|through) ${DAY_NAME}\\b(?!s)(?<=\\bfrom \\w+day \\w+ \\w+))${ONCE}`,
      "gi",
    ),
    (m, a, t) => (t === "past" ? before : after)(a, weekdayOf((m[1] ?? m[2])!)),
    "day",
  ],
  [
    new RegExp(
      `\\b(?:last|this past|this last) ${SHORT_DAY}(?: (?:morning|afternoon|evening|night))?\\b(?!s)`,
      "gi",
    ),
    (m, a) => before(a, weekdayOf(m[1]!)),
    "day",
  ],
  // The unit is the week, since searches for "Friday last week" have always used all of it.
  [
    new RegExp(`\\b${DAY_NAME} (last|next) week\\b`, "gi"),
    (m, a) => weekOf(a) + (m[2]!.toLowerCase() === "last" ? -7 : 7) * DAY + weekdayOf(m[1]!) * DAY,
    "week",
  ],
  [
    new RegExp(`\\bnext ${SHORT_DAY}(?: (?:morning|afternoon|evening|night))?\\b(?!s)`, "gi"),
    (m, a) => weekOf(a) + (7 + weekdayOf(m[1]!)) * DAY,
    "day",
  ],
  [
    new RegExp(
      `(?<!\\b(?:every|each|a|the|another|of|any|most|and|alternate|second|first|other|or) |\\b\\w+days? (?:to|through) )\\b(?:on |by |this |this coming |coming |before |until |till |since |from )?${DAY_NAME}(?: (?:morning|afternoon|evening|night))?\\b(?!s|'s| (?:and|to|through|or) \\w+days?| (?:morning|afternoon|evening|night)s\\b)`,
      "gi",
    ),
    (m, a, t) =>
      t === "past" && !/\b(?:this|by|until|till)\b/i.test(m[0]) || /since/i.test(m[0])
        ? before(a, weekdayOf(m[1]!))
        : after(a, weekdayOf(m[1]!)),
    "day",
  ],
  [
    new RegExp(`\\b(last|next) week(?:,| on)? ${DAY_NAME}\\b`, "gi"),
    (m, a) => weekOf(a) + (m[1]!.toLowerCase() === "last" ? -7 : 7) * DAY + weekdayOf(m[2]!) * DAY,
    "week",
  ],
  [new RegExp(`\\bthe ${PERIOD} before last\\b`, "gi"), (m, a, t) => {
    const unit = m[1]!.toLowerCase();
    return unit === "week" || unit === "weekend"
      ? period("last", unit, a, t) - 7 * DAY
      : addMonths(period("last", unit, a, t), unit === "month" ? -1 : -12);
  }, (m) => periodUnit(m[1]!)],
  [
    new RegExp(
      `\\b(?:early |late |earlier |later |the end of |end of )?(last|this past|past|previous) ${PERIOD}\\b`,
      "gi",
    ),
    resolvePeriod,
    (m) => periodUnit(m[2]!),
  ],
  [
    new RegExp(
      `\\b(?:early |late |earlier |later |the end of |end of )?(this coming|this|next|the coming|the following) ${PERIOD}\\b`,
      "gi",
    ),
    resolvePeriod,
    (m) => periodUnit(m[2]!),
  ],
  [/\b(?:over|at) the weekend\b/gi, (_m, a, t) => period("this", "weekend", a, t), "weekend"],
  [
    /\b(?:by |before )?(?:the )?end of (?:the |this )?(week|month|year)\b/gi,
    (m, a) => endOf(m[1]!.toLowerCase(), a),
    (m) => periodUnit(m[1]!),
  ],
  [
    /\b(?:in|by|before|until|till|since|over) (?:the )?(spring|summer|autumn|fall|winter)(?! of)\b/gi,
    (m, a, t) => {
      const s = seasonOf(m[1]!), y = yearOf(a);
      return date(
        t === "past" || /^since/i.test(m[0])
          ? (date(y, s) <= a ? y : y - 1)
          : (date(y, s + 3) > a ? y : y + 1),
        s,
      );
    },
    "season",
  ],
  [
    /\b(?:last |next |this |at |on |over |for |by |before |since )(christmas eve|christmas|xmas|new year'?s eve|new year'?s day|new year|halloween|valentine'?s day|easter)\b(?:,? (?:of )?((?:19|20)\d{2}))?/gi,
    (m, a, t) => {
      if (m[2]) return holiday(m[1]!, Number(m[2]));
      const y = yearOf(a), here = holiday(m[1]!, y);
      const past = /^last|^since/i.test(m[0]) || (t === "past" && !/^next|^by|^before/i.test(m[0]));
      return past
        ? (here < a ? here : holiday(m[1]!, y - 1))
        : (here >= dayOf(a) ? here : holiday(m[1]!, y + 1));
    },
    "day",
  ],
  [
    /\b(?:by |on |before |due )the (\d{1,2})(?:st|nd|rd|th)\b/gi,
    (m, a, t) => dayAlone(Number(m[1]), a, t),
    "day",
  ],
  [
    new RegExp(`\\b(?:by |on |before |due )the ${ORDINAL_WORDS}(?=$|[.,;!]| at \\d)`, "gi"),
    (m, a, t) => dayAlone(ordinalOf(m[1]!), a, t),
    "day",
  ],
];
