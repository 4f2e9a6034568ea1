/** Reads a PDF's outline, i.e. its bookmarks, and finds the lines that they point at. */
import type { LinePiece } from "./lines.ts";
import type { PdfFile } from "./pdfium.ts";

/** A bookmark that leads to a page. */
export interface Bookmark {
  readonly title: string;
  /** Index of the page. */
  readonly page: number;
  /** 1 at the top of the outline. */
  readonly depth: number;
}

const MAX_BOOKMARKS = 5_000;
const MAX_DEPTH = 6;

/** Returns the bookmarks in a PDF's outline, in order. */
export function readOutline(file: PdfFile): Bookmark[] {
  const bookmarks: Bookmark[] = [];
  // A damaged outline may lead back to where it came from.
  const visited = new Set<number>();
  const visit = (first: number, depth: number) => {
    for (let item = first; item !== 0 && !visited.has(item);) {
      if (visited.size >= MAX_BOOKMARKS) return;
      visited.add(item);
      const size = file.call("FPDFBookmark_GetTitle", item, file.scratch, 4096);
      const title = size > 4096 ? "" : file.readUtf16(size);
      const target = file.call("FPDFBookmark_GetDest", file.document, item) ||
        actionTarget(file, item);
      const page = target === 0
        ? -1
        : file.call("FPDFDest_GetDestPageIndex", file.document, target);
      if (page >= 0) bookmarks.push({ title, page, depth });
      if (depth < MAX_DEPTH) {
        visit(file.call("FPDFBookmark_GetFirstChild", file.document, item), depth + 1);
      }
      item = file.call("FPDFBookmark_GetNextSibling", file.document, item);
    }
  };
  visit(file.call("FPDFBookmark_GetFirstChild", file.document, 0), 1);
  return bookmarks;
}

function actionTarget(file: PdfFile, bookmark: number): number {
  const action = file.call("FPDFBookmark_GetAction", bookmark);
  return action === 0 ? 0 : file.call("FPDFAction_GetDest", file.document, action);
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
