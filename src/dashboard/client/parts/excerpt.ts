/** The part of a long text in which the words of a query stand closest together. */

import { highlight } from "./highlight.ts";

/** Where words of the query begin. */
function hitsIn(text: string, query: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const { text: part, hit } of highlight(text, query)) {
    if (hit) places.push(at);
    at += part.length;
  }
  return places;
}

/**
 * At most about `length` characters, cut at the ends of lines or words, with an ellipsis where
 * something was left out. The beginning, when no word of the query is there.
 */
export function excerpt(text: string, query: string, length: number): string {
  if (text.length <= length) return text;
  const hits = hitsIn(text, query);
  const within = (start: number) =>
    hits.filter((hit) => hit >= start && hit < start + length * 0.8).length;
  const best = hits.reduce((best, hit) => within(hit) > within(best) ? hit : best, hits[0] ?? 0);
  const from = wordStart(text, Math.max(0, best - Math.floor(length * 0.2)));
  const to = from + length >= text.length ? text.length : wordStart(text, from + length);
  const cut = text.slice(from, to).trim();
  return `${from > 0 ? "… " : ""}${cut}${to < text.length ? " …" : ""}`;
}

/** The beginning of the line or word that a place is in; the place itself within a huge word. */
function wordStart(text: string, place: number): number {
  const line = text.lastIndexOf("\n", place - 1) + 1;
  if (place - line < 80) return line;
  const word = text.lastIndexOf(" ", place - 1) + 1;
  return place - word < 40 ? word : place;
}
