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
  const threshold = scores.slice().sort()[Math.max(0, items.length - batchSize)]!;
  const best = items.filter((_, index) => scores[index]! >= threshold);
  if (best.length > 0) yield best.sort(compare);
  const rest = items.filter((_, index) => scores[index]! < threshold).sort(compare);
  for (let from = 0; from < rest.length; from += batchSize) {
    yield rest.slice(from, from + batchSize);
  }
}
