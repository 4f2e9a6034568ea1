/** Word-by-word diff of two short texts. */

/** A piece of text found in both texts or just one. */
export interface DiffSegment {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/**
 * Maximum number of words to compare. Beyond that, a comparison costs more than it helps, so the
 * whole text counts as changed.
 */
const MAX_DIFF_WORDS = 600;

/**
 * Returns the differences in reading order, based on the longest common subsequence of words and
 * whitespace. Removed text comes before its replacement.
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

/**
 * Returns a table where entry `[i][j]` is the length of the longest common subsequence of `a` from
 * index i and `b` from index j.
 */
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
  const merged: DiffSegment[] = [];
  for (const segment of segments) {
    if (segment.text === "") continue;
    const last = merged.at(-1);
    if (last?.kind === segment.kind) {
      merged[merged.length - 1] = { kind: last.kind, text: last.text + segment.text };
    } else merged.push(segment);
  }
  return merged;
}
