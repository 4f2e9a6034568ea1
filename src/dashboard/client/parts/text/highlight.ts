/** Finds query words in a text. */

/** Part of a text, and whether it matches a query word. */
export interface TextSegment {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Maximum number of trailing letters in which two words with the same stem can differ. */
const MAX_ENDING_CHARACTERS = 3;

/**
 * Splits a text wherever a query word occurs. Only approximates the service's stemming, but that
 * just affects the display, not which results are found.
 */
export function highlight(text: string, query: string): TextSegment[] {
  const queryWords = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  if (queryWords.length === 0) return [{ text, isMatch: false }];
  const segments: TextSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!queryWords.some((word) => haveSameStem(word, match[0].toLowerCase()))) continue;
    if (match.index > end) segments.push({ text: text.slice(end, match.index), isMatch: false });
    segments.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), isMatch: false });
  return segments;
}

const STOP_WORDS = new Set(
  "the and for are was were who what when where which how why does did has have with from that this"
    .split(" "),
);

function haveSameStem(a: string, b: string): boolean {
  const shared = Math.min(a.length, b.length);
  let same = 0;
  while (same < shared && a[same] === b[same]) same++;
  const rest = Math.max(a.length, b.length) - same;
  return rest === 0 || (same >= 3 && same >= shared - 1 && rest <= MAX_ENDING_CHARACTERS);
}
