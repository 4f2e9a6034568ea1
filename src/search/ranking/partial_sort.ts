/** Ordering no more than is looked at. */

/** Whatever has the number of its record, by which the latest is the greatest. */
export interface HasSeq {
  readonly seq: number;
}

/** The number of a record. */
export const seqOf = ({ seq }: HasSeq) => seq;

/**
 * The items from the best on, in sorted pieces of about `size`: most searches need the first piece
 * alone, and sorting some hundred items takes longer than scoring them.
 *
 * @param scoreOf what they are sorted by, a finite number; of equally good ones the latest comes first
 */
export function* partialSort<Item extends HasSeq>(
  items: readonly Item[],
  batchSize: number,
  scoreOf: (item: Item) => number,
): Generator<readonly Item[], void> {
  const inOrder = (a: Item, b: Item) => scoreOf(b) - scoreOf(a) || b.seq - a.seq;
  const scores = new Float64Array(items.length);
  for (let at = 0; at < items.length; at++) scores[at] = scoreOf(items[at]!);
  const threshold = scores.slice().sort()[Math.max(0, items.length - batchSize)]!;
  const best = items.filter((_, at) => scores[at]! >= threshold);
  if (best.length > 0) yield best.sort(inOrder);
  const others = items.filter((_, at) => scores[at]! < threshold).sort(inOrder);
  for (let from = 0; from < others.length; from += batchSize) {
    yield others.slice(from, from + batchSize);
  }
}
