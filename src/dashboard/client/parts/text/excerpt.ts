/** Finds the part of a long text where the query words are closest together. */

import { highlight } from "./highlight.ts";

/** Returns the start offsets of query words. */
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
 * Returns an excerpt of about `length` characters, cut at line or word boundaries, with ellipses
 * for omitted text. Without any query words in the text, returns its beginning.
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

/**
 * Returns the start of the line or word at an offset, or the offset itself if it's inside a very
 * long word.
 */
function wordStart(text: string, offset: number): number {
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  if (offset - line < 80) return line;
  const word = text.lastIndexOf(" ", offset - 1) + 1;
  return offset - word < 40 ? word : offset;
}
