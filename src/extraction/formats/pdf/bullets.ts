/** Bullets that are drawn, not written: browsers print lists so. */
import type { Box } from "./geometry.ts";
import { createPiece, type LinePiece } from "./lines.ts";

/** The pieces, with a bullet as their first character where a dot stands before one. */
export function withBullets(found: readonly LinePiece[], dots: readonly Box[]): LinePiece[] {
  const pieces = [...found];
  for (const dot of dots) {
    let [nearest, least] = [-1, Infinity];
    pieces.forEach((piece, index) => {
      const gap = bulletGap(piece, dot);
      if (gap !== undefined && gap < least) [nearest, least] = [index, gap];
    });
    const piece = pieces[nearest];
    const marked = piece === undefined ? undefined : withBullet(piece, dot);
    if (marked !== undefined) pieces[nearest] = marked;
  }
  return pieces;
}

/** How far before the text of `piece` the dot stands, if it stands as its bullet would. */
function bulletGap(piece: LinePiece, dot: Box): number | undefined {
  const { size, baseline, left, right, rightToLeft } = piece;
  const gap = rightToLeft ? dot.left - right : left - dot.right;
  const isBeside = gap > 0.1 * size && gap < 1.6 * size;
  const [middle, height] = [(dot.top + dot.bottom) / 2, dot.bottom - dot.top];
  const isCentred = Math.abs(middle - (baseline - 0.3 * size)) < 0.2 * size;
  return isBeside && isCentred && height > 0.15 * size && height < 0.6 * size ? gap : undefined;
}

function withBullet(piece: LinePiece, dot: Box): LinePiece | undefined {
  const [first] = piece.glyphs;
  if (first === undefined) return undefined;
  const { href: _, ...look } = first;
  const bullet = { ...look, left: dot.left, right: dot.right, text: "•" };
  return createPiece([bullet, { ...bullet, text: " ", left: dot.right }, ...piece.glyphs]);
}
