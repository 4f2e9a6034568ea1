/** The part of a long text in which the words of a query stand closest together. */

import { highlight } from "./highlight.ts";

/** Where words of the query begin. */
function findMatches(text: string, query: string): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (const { text: part, isMatch } of highlight(text, query)) {
    if (isMatch) offsets.push(offset);
    offset += part.length;
  }
  return offsets;
}

/**
 * At most about `length` characters, cut at the ends of lines or words, with an ellipsis where
 * something was left out. The beginning, when no word of the query is there.
 */
export function excerpt(text: string, query: string, length: number): string {
  if (text.length <= length) return text;
  const matches = findMatches(text, query);
  const countWithin = (start: number) =>
    matches.filter((hit) => hit >= start && hit < start + length * 0.8).length;
  const best = matches.reduce(
    (best, hit) => countWithin(hit) > countWithin(best) ? hit : best,
    matches[0] ?? 0,
  );
  const from = wordStart(text, Math.max(0, best - Math.floor(length * 0.2)));
  const to = from + length >= text.length ? text.length : wordStart(text, from + length);
  const cut = text.slice(from, to).trim();
  return `${from > 0 ? "… " : ""}${cut}${to < text.length ? " …" : ""}`;
}

/** The beginning of the line or word that a place is in; the place itself within a huge word. */
function wordStart(text: string, offset: number): number {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  if (offset - line < 80) return line;
  const word = text.lastIndexOf(" ", offset - 1) + 1;
  return offset - word < 40 ? word : offset;
}
