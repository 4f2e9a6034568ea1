/** Finds date phrases in a clause and resolves each against the anchor: every period is its first instant. */
import { DAY, isWritable } from "./calendar.ts";
import type { Tense } from "./fitting.ts";
import { PATTERNS } from "./patterns.ts";

/** A resolved date phrase; `from` and `to` are offsets into the text, `at` its first instant. */
export interface DatePhrase {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly at: number;
}

const CLOCK =
  /^,?(?: in the \w+)?,? (?:at|around|by) (\d{1,2})(?:[:.](\d{2}))?\s?([ap]\.?m\b\.?)?(?![\d:])/i;
const CLOCK_BEFORE = /\b(?:at|around|by) (\d{1,2})(?:[:.](\d{2}))?\s?([ap]\.?m\.?)? (?:on )?$/i;

/** Milliseconds of a clock time into its day; null for what is no time ("at 5" without more is 5:00). */
function clock(m: RegExpExecArray | null): number | null {
  if (!m || (!m[2] && !m[3])) return null;
  let hour = Number(m[1]);
  if (/^p/i.test(m[3] ?? "") && hour < 12) hour += 12;
  if (/^a/i.test(m[3] ?? "") && hour === 12) hour = 0;
  return hour > 23 ? null : (hour * 60 + Number(m[2] ?? 0)) * 60_000;
}

/** What was asked for last: values, type and validity of one clause all ask for the same. */
const latest: { key: string; phrases: readonly DatePhrase[] }[] = [];
const MAX_CACHED_CLAUSES = 4;

/** All date phrases of a clause from left to right, without overlaps. */
export function datePhrases(text: string, anchor: number, tense: Tense): readonly DatePhrase[] {
  const key = `${tense} ${anchor} ${text}`;
  const known = latest.find((one) => one.key === key);
  if (known) return known.phrases;
  const phrases = found(text, anchor, tense);
  if (latest.unshift({ key, phrases }) > MAX_CACHED_CLAUSES) latest.pop();
  return phrases;
}

function found(text: string, anchor: number, tense: Tense): readonly DatePhrase[] {
  const all: (DatePhrase & { readonly rank: number })[] = [];
  PATTERNS.forEach(([pattern, resolve], rank) => {
    for (const m of text.matchAll(pattern)) {
      // What something is booked for lies ahead, however past the booking is.
      const ahead = /\bfor (?:the )?$/.test(text.slice(Math.max(0, m.index - 8), m.index)) ||
        /^for\b/i.test(m[0]);
      const at = resolve(m as RegExpExecArray, anchor, ahead ? "future" : tense);
      if (at === null) continue;
      all.push({ from: m.index, to: m.index + m[0].length, text: m[0], at, rank });
    }
  });
  all.sort((x, y) => x.from - y.from || y.to - x.to || x.rank - y.rank);
  const kept: DatePhrase[] = [];
  let end = 0;
  for (const { rank: _rank, ...phrase } of all) {
    if (phrase.from < end) continue;
    end = phrase.to;
    // An impossible date is no date, and neither are the parts of it ("February" of a 30 February).
    if (Number.isNaN(phrase.at) || !isWritable(phrase.at)) continue;
    const time = phrase.at % DAY === 0
      ? clock(CLOCK.exec(text.slice(phrase.to))) ??
        clock(CLOCK_BEFORE.exec(text.slice(0, phrase.from)))
      : null;
    kept.push(time === null ? phrase : { ...phrase, at: phrase.at + time });
  }
  return kept;
}

/** The text without its date phrases and the prepositions that led to them. */
export function withoutDates(text: string, anchor = 0): string {
  let out = text;
  for (const phrase of [...datePhrases(text, anchor, "past")].reverse()) {
    out = out.slice(0, phrase.from).replace(
      /\b(?:in|on|at|since|as of|from|until|till|by|to|for|back in|starting)\s*$/i,
      "",
    ) + out.slice(phrase.to);
  }
  return out.replace(/\s+/g, " ").trim();
}
