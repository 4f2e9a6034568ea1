/** Ordering no more than is looked at. */

/** Whatever has the number of its record, by which the latest is the greatest. */
export interface Numbered {
  readonly seq: number;
}

export const seqOf = ({ seq }: Numbered) => seq;

/**
 * The items from the best on, in sorted pieces of about `size`: most searches need the first piece
 * alone, and sorting some hundred items takes longer than scoring them.
 *
 * @param worthOf what they are sorted by, a finite number; of equally good ones the latest comes first
 */
export function* bestFirst<Item extends Numbered>(
  items: readonly Item[],
  size: number,
  worthOf: (item: Item) => number,
): Generator<readonly Item[], void> {
  const worths = new Float64Array(items.length);
  for (let at = 0; at < items.length; at++) worths[at] = worthOf(items[at]!);
  const ascending = worths.slice().sort();
  let [left, below] = [items.length, Infinity];
  while (left > 0) {
    const least = ascending[Math.max(0, left - size)]!;
    const piece: Item[] = [];
    for (let at = 0; at < items.length; at++) {
      if (worths[at]! >= least && worths[at]! < below) piece.push(items[at]!);
    }
    yield piece.sort((a, b) => worthOf(b) - worthOf(a) || b.seq - a.seq);
    [left, below] = [left - piece.length, least];
  }
}
