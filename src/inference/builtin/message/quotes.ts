/** Removes quoted text, since its speaker is unknown. */

/** Placeholder for removed quotes. Sentences that report one ("she said ¤") are dropped later. */
export const QUOTE = "¤";

/** Max characters of a quote. Longer ones are marks that were never closed. */
const MAX_QUOTE_CHARACTERS = 4_000;

/** The start of a quote. A single mark within a word is an apostrophe. */
const OPENING = /["“„«]|(?<![\p{L}\p{N}])'/gu;
const CLOSING: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  "“": ["”"],
  "„": ["“", "”"],
  "«": ["»"],
};
/** A quote in single marks, with the apostrophes of its words. */
const SINGLE = /'((?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,600})'(?![\p{L}\p{N}])/uy;

/**
 * Replaces quoted speech by a placeholder, and removes the quotation marks around titles and names.
 */
export function withoutQuotes(text: string): string {
  const next = new Map<string, number>();
  // Each closing mark is searched for once, even if several open before it.
  const placeOf = (mark: string, from: number): number => {
    const known = next.get(mark);
    if (known !== undefined && known >= from) return known;
    const at = text.indexOf(mark, from), place = at < 0 ? Infinity : at;
    next.set(mark, place);
    return place;
  };
  let out = "", end = 0;
  for (const { index, 0: mark } of text.matchAll(OPENING)) {
    if (index < end) continue;
    const inner = mark === "'"
      ? single(text, index)
      : upTo(text, index + 1, Math.min(...CLOSING[mark]!.map((one) => placeOf(one, index + 1))));
    if (inner === null) continue;
    out += text.slice(end, index) + (isTitle(inner) ? inner : QUOTE);
    end = index + inner.length + 2;
  }
  return out + text.slice(end);
}

const upTo = (text: string, from: number, to: number): string | null =>
  to - from > MAX_QUOTE_CHARACTERS ? null : text.slice(from, to);

function single(text: string, at: number): string | null {
  SINGLE.lastIndex = at;
  return SINGLE.exec(text)?.[1] ?? null;
}

/** Checks whether a quote is a title or a name, and not speech. */
const isTitle = (inner: string): boolean =>
  inner.trim().split(/\s+/).length <= 4 && !/[.!?]$/.test(inner) &&
  !/\b(?:i|i'm|i've|my|me|we|you)\b/i.test(inner) &&
  !/^(?:always|never|please|do not|don't|keep|answer|remember|remind|ignore|call)\b/i.test(inner);
