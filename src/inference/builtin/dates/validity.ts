/** When a clause holds: its event date and validity interval, from its date phrases and its tense. */
import { isPastVerb } from "../lexicon/verbs.ts";
import { iso, isWritable, move, numberOf } from "./calendar.ts";
import type { Tense } from "./fitting.ts";
import { type DatePhrase, datePhrases } from "./phrases.ts";

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

/** On which side of the anchor a clause without a complete date lies, by its first verb that tells. */
export function tenseOf(clause: string): Tense {
  const words = clause.replace(/[^\p{L}' ]+/gu, " ").split(/\s+/);
  const past = words.findIndex((word, i) =>
    i > 0 && isPastVerb(word) && !/^(?:to|the|a|an|my|am|is|are)$/i.test(words[i - 1] ?? "")
  );
  if (/\b(?:have|has) (?:been|\w+ed)\b/i.test(clause)) return "past";
  if (/\b(?:got|was|were|had|did|could)\b/i.test(clause)) return "past";
  const future = FUTURE.exec(clause);
  // "On Monday a pipe burst": past, though it looks like the present.
  if (!future && PAST_ALIKE.test(clause)) return "past";
  // "As of 1 March I live in Bruges": what holds already began before now.
  if (!future && /\b(?:as of|since)\b/i.test(clause)) return "past";
  if (!future) return past >= 0 ? "past" : "future";
  if (past < 0) return "future";
  return clause.indexOf(words[past]!) < future.index ? "past" : "future";
}

const LASTS =
  /\bfor (?:(?:about|around|almost|nearly|over|more than|the (?:last|past)) )*(\d+|half a|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|a couple of|a few|several)(?: long)? (days?|weeks?|months?|years?|decades?)\b(?! ago)/i;
/** "… so that's eleven years now": the same length, counted. */
const COUNTED =
  /\b(?:that is|makes? it|going on) (?:(?:about|almost|nearly|over) )*(\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty) (weeks?|months?|years?|decades?)\b(?! old)/i;
const OPENS = /\b(?:since|as of|as from|starting(?: from| in| on)?|effective|from)\s*$/i;
const OPENS_ITSELF = /^(?:since|from)\b/i;
const CLOSES = /\b(?:until|till|through|up to)\s*$/i;
const CLOSES_ITSELF = /^(?:until|till|through)\b/i;
const CHANGE =
  /\b(?:moved|relocated|started|joined|began|switched|became|got|retired|adopted|bought|promoted|settled|married|divorced|engaged|graduated|took up|left|quit|stopped|gave up|resigned|went|hired|diagnosed|turned|transferred|emigrated|immigrated)\b/i;

/**
 * Dates of a clause. `anchor` is where relative dates hang; `fallback` is the request's own event date,
 * which an undated clause takes over; `lasting` says that the clause states something that holds on.
 */
export function validityOf(
  clause: string,
  anchor: number,
  fallback: string | null,
  lasting: boolean,
): Validity {
  const tense = tenseOf(clause);
  const phrases = datePhrases(clause, anchor, tense);
  let from: number | null = null, to: number | null = null, event: DatePhrase | null = null;
  phrases.forEach((phrase, i) => {
    const before = clause.slice(0, phrase.from);
    const range = i + 1 < phrases.length &&
      /^\s*(?:to|until|till|through|-|–|and)?\s*$/.test(
        clause.slice(phrase.to, phrases[i + 1]!.from),
      ) &&
      /^(?:to|until|till|through)\b/i.test(phrases[i + 1]!.text);
    const earlier = phrases[i - 1];
    const closesRange = earlier !== undefined && from === earlier.at && /^to\b/i.test(phrase.text);
    if (CLOSES.test(before) || CLOSES_ITSELF.test(phrase.text) || closesRange) to ??= phrase.at;
    else if (
      OPENS.test(before) ||
      (OPENS_ITSELF.test(phrase.text) && (/^since/i.test(phrase.text) || range))
    ) from ??= phrase.at;
    else if (/\bbetween\s*$/i.test(before)) from ??= phrase.at;
    else event ??= phrase;
  });
  const dated = event as DatePhrase | null;
  const length = LASTS.exec(clause) ?? COUNTED.exec(clause);
  if (
    length && from === null && dated === null &&
    /\b(?:have|has|'ve)\b|\b(?:going on|that is|makes? it)\b/i.test(clause)
  ) {
    const began = move(anchor, -numberOf(length[1]!)!, length[2]!.toLowerCase());
    if (isWritable(began)) from = began;
  }
  if (dated && lasting && from === null && tense === "past" && CHANGE.test(clause)) from = dated.at;
  return {
    event_date: dated ? iso(dated.at) : fallback,
    valid_from: from === null ? null : iso(from),
    valid_to: to === null ? null : iso(to),
  };
}
