/** Recognizes bullets drawn as shapes rather than characters, which is how browsers print lists. */
import type { Box } from "../geometry.ts";
import { createPiece, type LinePiece } from "./lines.ts";

/** Returns the pieces, adding a bullet as the first character of any piece that follows a dot. */
export function withBullets(linePieces: readonly LinePiece[], dots: readonly Box[]): LinePiece[] {
  const pieces = [...linePieces];
  for (const dot of dots) {
    let [nearest, minGap] = [-1, Infinity];
    pieces.forEach((piece, index) => {
      const gap = bulletGap(piece, dot);
      if (gap !== undefined && gap < minGap) [nearest, minGap] = [index, gap];
    });
    const piece = pieces[nearest];
    const withDot = piece === undefined ? undefined : withBullet(piece, dot);
    if (withDot !== undefined) pieces[nearest] = withDot;
  }
  return pieces;
}

/**
 * Returns the distance between a dot and the text in `piece`, or undefined if that's not where a
 * bullet would be.
 */
function bulletGap(piece: LinePiece, dot: Box): number | undefined {
  const { size, baseline, left, right, rightToLeft } = piece;
  const gap = rightToLeft ? dot.left - right : left - dot.right;
  const isAdjacent = gap > 0.1 * size && gap < 1.6 * size;
  const [middle, height] = [(dot.top + dot.bottom) / 2, dot.bottom - dot.top];
  const isCentred = Math.abs(middle - (baseline - 0.3 * size)) < 0.2 * size;
  return isAdjacent && isCentred && height > 0.15 * size && height < 0.6 * size ? gap : undefined;
}

function withBullet(piece: LinePiece, dot: Box): LinePiece | undefined {
  const [first] = piece.glyphs;
  if (first === undefined) return undefined;
  const { href: _, ...style } = first;
  const bullet = { ...style, left: dot.left, right: dot.right, text: "•" };
  return createPiece([bullet, { ...bullet, text: " ", left: dot.right }, ...piece.glyphs]);
}
