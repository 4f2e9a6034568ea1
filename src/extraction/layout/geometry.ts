/** Boxes on a page, in points. y increases downwards. */

/** A rectangle with `left <= right` and `top <= bottom`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the bounding box of `boxes`, which must not be empty. */
export function boundingBox(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return { left, top, right, bottom };
}

/** Checks whether the centre of `inner` is inside `outer`. */
export function containsCentre(outer: Box, inner: Box): boolean {
  const x = (inner.left + inner.right) / 2;
  const y = (inner.top + inner.bottom) / 2;
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom;
}

/** Returns the vertical overlap between two boxes as a fraction of the shorter one's height. */
export function verticalOverlap(a: Box, b: Box): number {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return shared / Math.max(0.01, Math.min(a.bottom - a.top, b.bottom - b.top));
}

/** Returns the value with the largest weight, or undefined if there are none. */
export function mode(weights: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let maxWeight = 0;
  for (const [value, weight] of weights) {
    if (weight > maxWeight) [best, maxWeight] = [value, weight];
  }
  return best;
}

/** Returns the median, or 0 if there are no values. */
export function median(values: Iterable<number>): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
