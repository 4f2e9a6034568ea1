/** Finds the lines that a document's bookmarks point at. */
import type { LinePiece } from "../lines/lines.ts";

/** A bookmark that leads to a page. */
export interface Bookmark {
  readonly title: string;
  /** Index of the page. */
  readonly page: number;
  /** 1 at the top of the outline. */
  readonly depth: number;
}

/**
 * Marks the lines of a page that read like one of its bookmarks. If several do, the largest is the
 * heading.
 */
export function withBookmarks(
  pieces: readonly LinePiece[],
  bookmarks: readonly Bookmark[],
): readonly LinePiece[] {
  if (bookmarks.length === 0) return pieces;
  const lines = Map.groupBy(pieces, (piece) => titleWords(piece.text));
  const depths = new Map<LinePiece, number>();
  for (const { title, depth } of bookmarks) {
    const words = titleWords(title);
    if (words === "") continue;
    const [line] = lines.get(words)?.toSorted((a, b) => b.size - a.size) ?? [];
    if (line !== undefined && !depths.has(line)) depths.set(line, depth);
  }
  if (depths.size === 0) return pieces;
  return pieces.map((piece) => {
    const bookmark = depths.get(piece);
    return bookmark === undefined ? piece : { ...piece, bookmark };
  });
}

/** Returns the words of a title without its number. The two places often number it differently. */
function titleWords(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/^[^\p{L}]*\d[^\p{L}]*\s/u, "")
    .replace(/[^\p{L}\p{N}]+/gu, "").replace(/^\p{N}+$/u, "");
}
