/** Where the words of a query stand in a text. */

/** A stretch of text, and whether it answers to a word of the query. */
export interface Marked {
  readonly text: string;
  readonly hit: boolean;
}

/** Letters at the end in which a word and the query's may differ: the service compares stems. */
const ENDING = 3;

/**
 * Cuts a text where words of the query begin and end. A guess at what the service compares (it
 * knows stems), for the eye alone: nothing is found or left out by it.
 */
export function highlight(text: string, query: string): Marked[] {
  const wanted = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 2 && !FILLERS.has(word));
  if (wanted.length === 0) return [{ text, hit: false }];
  const marked: Marked[] = [];
  let from = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!wanted.some((word) => alike(word, match[0].toLowerCase()))) continue;
    if (match.index > from) marked.push({ text: text.slice(from, match.index), hit: false });
    marked.push({ text: match[0], hit: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) marked.push({ text: text.slice(from), hit: false });
  return marked;
}

const FILLERS = new Set(
  "the and for are was were who what when where which how why does did has have with from that this"
    .split(" "),
);

function alike(a: string, b: string): boolean {
  const shared = Math.min(a.length, b.length);
  let same = 0;
  while (same < shared && a[same] === b[same]) same++;
  const rest = Math.max(a.length, b.length) - same;
  return rest === 0 || (same >= 3 && same >= shared - 1 && rest <= ENDING);
}
