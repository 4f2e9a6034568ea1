/** Where the words of a query stand in a text. */

/** A stretch of text, and whether it answers to a word of the query. */
export interface TextSegment {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Letters at the end in which a word and the query's may differ: the service compares stems. */
const MAX_ENDING_CHARACTERS = 3;

/**
 * Cuts a text where words of the query begin and end. A guess at what the service compares (it
 * knows stems), for the eye alone: nothing is found or left out by it.
 */
export function highlight(text: string, query: string): TextSegment[] {
  const wanted = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word));
  if (wanted.length === 0) return [{ text, isMatch: false }];
  const segments: TextSegment[] = [];
  let from = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!wanted.some((word) => haveSameStem(word, match[0].toLowerCase()))) continue;
    if (match.index > from) segments.push({ text: text.slice(from, match.index), isMatch: false });
    segments.push({ text: match[0], isMatch: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) segments.push({ text: text.slice(from), isMatch: false });
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
