/** Takes out what stands in quotes: nobody knows whose words those are. */

/** Stands for a quote that was taken out; a sentence in which somebody says it is dropped later. */
export const QUOTE = "¤";

/** A quote of more characters than this is taken for marks that were never closed. */
const MAX_QUOTE_CHARACTERS = 4_000;

/** Where a quote may begin: a single mark within a word is an apostrophe. */
const OPENING = /["“„«]|(?<![\p{L}\p{N}])'/gu;
const CLOSING: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  "“": ["”"],
  "„": ["“", "”"],
  "«": ["»"],
};
/** A quote in single marks, with the apostrophes of its words. */
const SINGLE = /'((?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,600})'(?![\p{L}\p{N}])/uy;

/** A title or a name in quotes stays, without them; whatever somebody says becomes a placeholder. */
export function withoutQuotes(text: string): string {
  const next = new Map<string, number>();
  // Each closing mark is looked for once, however many open before it.
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

/** Whether a quote is a title or a name, and nothing that was said. */
const isTitle = (inner: string): boolean =>
  inner.trim().split(/\s+/).length <= 4 && !/[.!?]$/.test(inner) &&
  !/\b(?:i|i'm|i've|my|me|we|you)\b/i.test(inner) &&
  !/^(?:always|never|please|do not|don't|keep|answer|remember|remind|ignore|call)\b/i.test(inner);
