/** Derives the event date and validity interval of a clause from its date phrases and its tense. */
import { isPastVerb } from "../lexicon/verbs.ts";
import {
  addMonths,
  DAY,
  iso,
  isWritable,
  move,
  numberOf,
  QUANTITY,
} from "../../../kernel/dates/calendar.ts";
import type { Tense } from "../../../kernel/dates/fitting.ts";
import { type DatePhrase, datePhrases } from "../../../kernel/dates/phrases.ts";
import { compile } from "../lexicon/lines.ts";

/** The three dates of a memory. */
export interface Validity {
  readonly event_date: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

const FUTURE =
  /\b(?:will|going to|shall|need to|have to|has to|must|remind|plan(?:ning|s)?|want|wants|hope|hopes|intend|due|forget|tomorrow|next|turns?|am (?!\w*ed\b)(?!being)\w+ing|is (?!\w*ed\b)\w+ing|are \w+ing|upcoming|deadline|starting)\b/i;

const PAST_ALIKE =
  /\b(?:burst|put|cut|hit|quit|shut|split|hurt|spread)\b(?! (?:on|off) \w+days\b)/i;

const PROMISED =
  /\bI (?:(?:have|am) )?(?:promised|agreed|arranged|offered|volunteered|scheduled|supposed|committed|asked|expected|invited) to \p{Ll}/iu;
/** "I have booked a table on 14 June": the perfect has no past date, so the date is of what was arranged. */
const ARRANGED =
  /\b(?:have|has) (?:(?:just|already|also|finally|now) )?(?:been )?(?:(?:asked|scheduled|due) to \p{Ll}|(?:booked|reserved|planned|arranged|scheduled|registered|enroll?ed|invited|signed up)\b)/iu;
const AGO = /\b(?:yesterday|last|ago|since)\b/i;

/**
 * Returns whether a clause without a complete date is past or future, by its first verb with a
 * clear tense.
 */
export function tenseOf(clause: string): Tense {
  const words = clause.replace(/[^\p{L}' ]+/gu, " ").split(/\s+/);
  const past = words.findIndex((word, i) =>
    i > 0 && isPastVerb(word) && !/^(?:to|the|a|an|my|am|is|are)$/i.test(words[i - 1] ?? "")
  );
  // "I promised to bake a cake on 28 March": a promise is about the future.
  const isAhead = PROMISED.test(clause) || ARRANGED.test(clause);
  if (isAhead && !AGO.test(clause)) return "future";
  if (/\b(?:have|has) (?:been|\w+ed)\b/i.test(clause)) return "past";
  if (/\b(?:got|was|were|had|did|could|(?<!\b(?:am|is|are|be|been) )retired)\b/i.test(clause)) {
    return "past";
  }
  const future = FUTURE.exec(clause);
  // "On Monday a pipe burst": past, though it looks like the present.
  if (!future && PAST_ALIKE.test(clause)) return "past";
  // "As of 1 March I live in Bruges": a present state began in the past.
  if (!future && /\b(?:as of|since)\b/i.test(clause)) return "past";
  if (!future) return past >= 0 ? "past" : "future";
  if (past < 0) return "future";
  return clause.indexOf(words[past]!) < future.index ? "past" : "future";
}

const LASTS = compile(
  `\\bfor (?:(?:about|around|almost|nearly|over|more than|the (?:last|past)) )*(${QUANTITY})(?: long)? (days?|weeks?|months?|years?|decades?)\\b(?! ago)`,
  "i",
);
/** "… so that's eleven years now": the same length, counted. */
const COUNTED = compile(
  `\\b(?:that is|makes? it|going on) (?:(?:about|almost|nearly|over) )*(?!an? )(${QUANTITY}) (weeks?|months?|years?|decades?)\\b(?! old)`,
  "i",
);
const OPENS = /\b(?:since|as of|as from|starting(?: from| in| on)?|effective|from)\s*$/i;
const OPENS_ITSELF = /^(?:since|as of|from|between)\b/i;
const CLOSES = /\b(?:until|till|through|up to)(?: the)?\s*$/i;
const CLOSES_ITSELF = /^(?:until|till|through)\b/i;
const CHANGE =
  /\b(?:moved|relocated|started|joined|began|switched|became|got|retired|adopted|bought|promoted|settled|married|divorced|engaged|graduated|took up|left|quit|stopped|gave up|resigned|went|hired|diagnosed|turned|transferred|emigrated|immigrated)\b/i;
/** "I start at Bosch in May": true from the day of the change. */
const CHANGE_AHEAD =
  /\b(?:start(?:s|ing)?|begin(?:s|ning)?|join(?:s|ing)?|mov(?:es?|ing) (?:back )?(?:to|in|into))\b/i;

/** "From Monday until Friday", said on a Wednesday: the Friday of the same week as that Monday. */
const WEEK = 7 * DAY;

/** "As of 1 June I work at Roche": says neither past nor future. */
const BEGINS = /\b(?:as of|as from|effective)\b(?! now)/i;

/** Returns the date phrases in the tense that puts the first one nearer to the anchor. */
function nearest(clause: string, anchor: number): readonly DatePhrase[] {
  const past = datePhrases(clause, anchor, "past"), future = datePhrases(clause, anchor, "future");
  const away = (phrases: readonly DatePhrase[]) => Math.abs((phrases[0]?.at ?? anchor) - anchor);
  return away(future) < away(past) ? future : past;
}

/**
 * Returns the dates of a clause. Relative dates refer to `anchor`; `fallback` is the request's
 * event date, which a clause without a date gets; `lasting` is true if the clause states something
 * that stays true.
 */
export function validityOf(
  clause: string,
  anchor: number,
  fallback: string | null,
  lasting: boolean,
): Validity {
  const tense = tenseOf(clause);
  const phrases = BEGINS.test(clause) && !FUTURE.test(clause)
    ? nearest(clause, anchor)
    : datePhrases(clause, anchor, tense);
  let from: number | null = null, to: number | null = null, event: DatePhrase | null = null;
  /** Whether a range goes on from this phrase to the next ("from 3 to 7 June"). */
  const goesOn = (i: number): boolean => {
    const one = phrases[i], next = phrases[i + 1];
    if (one === undefined || next === undefined) return false;
    const link = `${clause.slice(one.to, next.from).trim()} ${next.text}`.trim();
    const between = /\bbetween\b/i.test(clause.slice(Math.max(0, one.from - 9), one.to));
    return (between
      ? /^(?:and|to|-|–)(?![\p{L}])/iu
      : /^(?:to|until|till|through|-|–)(?![\p{L}])/iu)
      .test(link);
  };
  phrases.forEach((phrase, i) => {
    const before = clause.slice(0, phrase.from);
    const closesRange = goesOn(i - 1) && from === phrases[i - 1]!.at;
    if (CLOSES.test(before) || CLOSES_ITSELF.test(phrase.text) || closesRange) to ??= phrase.at;
    else if (
      OPENS.test(before) || /\bbetween\s*$/i.test(before) ||
      (OPENS_ITSELF.test(phrase.text) &&
        (/^(?:since|as of)/i.test(phrase.text) || lasting || goesOn(i) ||
          /^ on(?:wards?)?\b/i.test(clause.slice(phrase.to))))
    ) from ??= phrase.at;
    else event ??= phrase;
  });
  if (from !== null && to !== null && to < from) {
    // "Between March and June", said in May: the March of the same year as that June.
    if (from - to < WEEK) to = move(to, 1, "week");
    else if (tense === "past") from = addMonths(from, -12);
    else to = addMonths(to, 12);
  }
  const single = event as DatePhrase | null;
  // "I start at Bosch in June, still at Siemens until May": what ends before the date isn't about it.
  const dated = lasting && to !== null && single !== null && single.at >= to ? null : single;
  const length = LASTS.exec(clause) ?? COUNTED.exec(clause);
  if (
    length && from === null && dated === null &&
    /\b(?:have|has|'ve)\b|\b(?:going on|that is|makes? it)\b/i.test(clause)
  ) {
    const began = move(anchor, -numberOf(length[1]!)!, length[2]!.toLowerCase());
    if (isWritable(began)) from = began;
  }
  const changes = (tense === "past" ? CHANGE : CHANGE_AHEAD).test(clause);
  if (dated && lasting && from === null && changes) from = dated.at;
  return {
    // An event over several days is dated by the first.
    event_date: dated
      ? iso(dated.at)
      : from !== null && to !== null && !lasting
      ? iso(from)
      : fallback,
    valid_from: from === null ? null : iso(from),
    valid_to: to === null ? null : iso(to),
  };
}
