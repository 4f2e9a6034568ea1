/** Ordering no more than is looked at. */

/** Whatever has the number of its record, by which the latest is the greatest. */
export interface Numbered {
  readonly seq: number;
}

/** The number of a record. */
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
  const inOrder = (a: Item, b: Item) => worthOf(b) - worthOf(a) || b.seq - a.seq;
  const worths = new Float64Array(items.length);
  for (let at = 0; at < items.length; at++) worths[at] = worthOf(items[at]!);
  const least = worths.slice().sort()[Math.max(0, items.length - size)]!;
  const best = items.filter((_, at) => worths[at]! >= least);
  if (best.length > 0) yield best.sort(inOrder);
  const others = items.filter((_, at) => worths[at]! < least).sort(inOrder);
  for (let from = 0; from < others.length; from += size) yield others.slice(from, from + size);
}
