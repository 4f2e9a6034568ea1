/**
 * Puts drop caps back in front of their paragraph. A drop cap is a large initial that's as high as
 * the first few lines, which start to the right of it.
 */
import { createPiece, type LinePiece } from "./lines.ts";
import type { Glyph, RawLine } from "../page.ts";

/** Minimum size of a drop cap, relative to the text next to it. */
const MIN_SIZE_RATIO = 1.7;
/** Maximum distance to the text next to it, in the text's font size. */
const MAX_GAP_EM = 1.2;

/** Lines without the drop caps among their letters, and the drop caps. */
export interface SeparatedLines {
  readonly lines: readonly RawLine[];
  readonly caps: readonly Glyph[];
}

/** Takes large initials out of the lines. PDFium puts them on the last line next to them. */
export function separateDropCaps(lines: readonly RawLine[]): SeparatedLines {
  const caps: Glyph[] = [];
  const rest = lines.map((line) => {
    const [first, ...others] = line.filter((glyph) => glyph.text.trim() !== "");
    if (first === undefined || !/^\p{Lu}$/u.test(first.text)) return line;
    if (others.some((glyph) => glyph.size * MIN_SIZE_RATIO > first.size)) return line;
    caps.push(first);
    return line.filter((glyph) => glyph !== first);
  });
  return { lines: rest, caps };
}

/** Puts each drop cap in front of the first line next to it. Without one, it's a line of its own. */
export function attachDropCaps(
  linePieces: readonly LinePiece[],
  caps: readonly Glyph[],
): LinePiece[] {
  let pieces = [...linePieces];
  for (const cap of caps) {
    const lines = pieces.filter((piece) => isNextTo(piece, cap))
      .sort((a, b) => a.baseline - b.baseline);
    const [first] = lines;
    const initial = createPiece(first === undefined ? [cap] : withInitial(cap, first));
    pieces = pieces.filter((piece) => piece !== first)
      .map((piece) => lines.includes(piece) ? { ...piece, left: cap.left } : piece);
    if (initial !== undefined) pieces.push(initial);
  }
  return pieces;
}

function isNextTo(piece: LinePiece, cap: Glyph): boolean {
  const gap = piece.left - cap.right;
  return piece.size * MIN_SIZE_RATIO <= cap.size && gap > -0.3 * piece.size &&
    gap < MAX_GAP_EM * piece.size && piece.bottom > cap.top &&
    piece.baseline < cap.baseline + 0.4 * piece.size;
}

/** Returns the glyphs of a line after an initial, which is set like the line. */
function withInitial(cap: Glyph, line: LinePiece): Glyph[] {
  const { top, bottom, baseline, size } = line;
  const [next] = line.glyphs;
  const face = next?.face ?? cap.face;
  // Its right edge is moved to the text, so that there's no gap within the word.
  const right = next?.left ?? cap.right;
  return [{ ...cap, face, top, bottom, baseline, size, right }, ...line.glyphs];
}
