/** What changed between two short texts, word by word. */

/** A stretch of text that both have, or that only one has. */
export interface DiffSegment {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Beyond so many words a comparison costs more than it tells: everything counts as changed. */
const MAX_DIFF_WORDS = 600;

/**
 * The longest common sequence of words and blanks, as stretches in reading order; what was removed
 * stands before what came in its place.
 */
export function wordDiff(before: string, after: string): DiffSegment[] {
  const [a, b] = [splitWords(before), splitWords(after)];
  if (a.length > MAX_DIFF_WORDS || b.length > MAX_DIFF_WORDS) {
    return mergeSegments([{ kind: "removed", text: before }, { kind: "added", text: after }]);
  }
  const lengths = lcsLengths(a, b);
  const segments: DiffSegment[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      segments.push({ kind: "same", text: a[i]! });
      i++, j++;
    } else if (i < a.length && (j === b.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      segments.push({ kind: "removed", text: a[i++]! });
    } else {
      segments.push({ kind: "added", text: b[j++]! });
    }
  }
  return mergeSegments(segments);
}

function splitWords(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

/** `[i][j]`: how much the rest of `a` from i and the rest of `b` from j have in common. */
function lcsLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = a[i] === b[j]
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}

function mergeSegments(segments: readonly DiffSegment[]): DiffSegment[] {
  const joined: DiffSegment[] = [];
  for (const stretch of segments) {
    if (stretch.text === "") continue;
    const last = joined.at(-1);
    if (last?.kind === stretch.kind) {
      joined[joined.length - 1] = { kind: last.kind, text: last.text + stretch.text };
    } else joined.push(stretch);
  }
  return joined;
}
