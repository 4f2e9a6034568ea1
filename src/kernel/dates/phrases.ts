/**
 * Finds date phrases in a text and resolves them relative to an anchor. A period is represented by
 * its first instant.
 */

import { DAY, isWritable } from "./calendar.ts";
import type { Tense } from "./fitting.ts";
import { PATTERNS } from "./patterns.ts";
import type { Unit } from "./units.ts";

/** A resolved date phrase. */
export interface DatePhrase {
  /** Start offset in the text. */
  readonly from: number;
  /** End offset in the text. */
  readonly to: number;
  readonly text: string;
  /** Its first instant, or the time of day that follows it ("on Friday at 5 pm"). */
  readonly at: number;
  /** The unit named. */
  readonly unit: Unit;
  /** Position of its pattern, lower ones first. */
  readonly rank: number;
}

const CLOCK =
  /^,?(?: in the \w+)?,? (?:at|around|by) (\d{1,2})(?:[:.](\d{2}))?\s?([ap]\.?m\b\.?)?(?![\d:])/i;
const CLOCK_BEFORE = /\b(?:at|around|by) (\d{1,2})(?:[:.](\d{2}))?\s?([ap]\.?m\.?)? (?:on )?$/i;

/** Returns the milliseconds from midnight to a clock time, or null for "at 5" alone. */
function clock(m: RegExpExecArray | null): number | null {
  if (!m || (!m[2] && !m[3])) return null;
  let hour = Number(m[1]);
  if (/^p/i.test(m[3] ?? "") && hour < 12) hour += 12;
  if (/^a/i.test(m[3] ?? "") && hour === 12) hour = 0;
  return hour > 23 ? null : (hour * 60 + Number(m[2] ?? 0)) * 60_000;
}

/**
 * The last results, since a clause's values, type and validity are all found with the same phrases.
 */
const latest: { key: string; phrases: readonly DatePhrase[] }[] = [];
const MAX_CACHED_CLAUSES = 4;

/**
 * Returns a text's date phrases from left to right, without overlaps.
 *
 * @example
 * ```ts
 * import { datePhrases } from "./phrases.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * const [phrase] = datePhrases("We met last Friday.", Date.parse("2026-03-04"), "past");
 * strictEqual(phrase?.text, "last Friday");
 * strictEqual(phrase.at, Date.parse("2026-02-27"));
 * strictEqual(phrase.unit, "day");
 * ```
 */
export function datePhrases(text: string, anchor: number, tense: Tense): readonly DatePhrase[] {
  const key = `${tense} ${anchor} ${text}`;
  const known = latest.find((one) => one.key === key);
  if (known) return known.phrases;
  const phrases = found(text, anchor, tense);
  if (latest.unshift({ key, phrases }) > MAX_CACHED_CLAUSES) latest.pop();
  return phrases;
}

function found(text: string, anchor: number, tense: Tense): readonly DatePhrase[] {
  const all: DatePhrase[] = [];
  PATTERNS.forEach(([pattern, resolve, unitOf], rank) => {
    // `matchAll` copies the pattern, which takes longer than to see that it doesn't match.
    if (text.search(pattern) < 0) return;
    for (const m of text.matchAll(pattern)) {
      // "I booked it for Friday": the day is in the future even though the booking is past.
      const ahead = /\bfor (?:the )?$/.test(text.slice(Math.max(0, m.index - 8), m.index)) ||
        /^for\b/i.test(m[0]);
      const at = resolve(m as RegExpExecArray, anchor, ahead ? "future" : tense);
      if (at === null) continue;
      const unit = typeof unitOf === "string" ? unitOf : unitOf(m as RegExpExecArray);
      all.push({ from: m.index, to: m.index + m[0].length, text: m[0], at, unit, rank });
    }
  });
  all.sort((x, y) => x.from - y.from || y.to - x.to || x.rank - y.rank);
  const kept: DatePhrase[] = [];
  let end = 0;
  for (const phrase of all) {
    if (phrase.from < end) continue;
    end = phrase.to;
    // Skip dates that don't exist, along with their parts ("February" of a 30 February).
    if (Number.isNaN(phrase.at) || !isWritable(phrase.at)) continue;
    const time = phrase.at % DAY === 0
      ? clock(CLOCK.exec(text.slice(phrase.to))) ??
        clock(CLOCK_BEFORE.exec(text.slice(0, phrase.from)))
      : null;
    kept.push(time === null ? phrase : { ...phrase, at: phrase.at + time });
  }
  return kept;
}

/**
 * Returns a text without its date phrases and any prepositions before them.
 *
 * @example
 * ```ts
 * import { withoutDates } from "./phrases.ts";
 * import { strictEqual } from "node:assert/strict";
 *
 * strictEqual(withoutDates("I moved to Rome in 2019"), "I moved to Rome");
 * ```
 */
export function withoutDates(text: string): string {
  let out = text;
  for (const phrase of [...datePhrases(text, 0, "past")].reverse()) {
    out = out.slice(0, phrase.from).replace(
      /\b(?:in|on|at|since|as of|from|until|till|by|to|for|back in|starting)\s*$/i,
      "",
    ) + out.slice(phrase.to);
  }
  return out.replace(/\s+/g, " ").trim();
}
