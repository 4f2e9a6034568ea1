/** Running headers, footers and page numbers: what repeats at the edge of pages is no content. */
import { median } from "./geometry.ts";
import type { Piece } from "./lines.ts";

/** The pieces of one page and its height in points. */
export interface PagePieces {
  readonly height: number;
  readonly pieces: readonly Piece[];
}

/** Part of the page height, at the top and at the bottom, where running lines stand. */
const ZONE = 0.13;
const PAGE_NUMBER =
  /^[\s–—|-]*(?:page|seite|página|pagina|стр\.?|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|из)\s*\d{1,4})?[\s–—|-]*$/i;

/** The pieces of each page without its running lines. */
export function withoutRunningLines(pages: readonly PagePieces[], body: number): Piece[][] {
  const seen = new Map<string, number>();
  for (const page of pages) {
    const keys = new Set(
      page.pieces.filter((piece) => zone(piece, page) !== "").map((piece) => key(piece, page)),
    );
    for (const one of keys) seen.set(one, (seen.get(one) ?? 0) + 1);
  }
  const enough = pages.length <= 4 ? 2 : Math.max(3, Math.floor(pages.length * 0.3));
  return pages.map((page) => {
    const kept = page.pieces.filter((piece) =>
      zone(piece, page) === "" || (seen.get(key(piece, page)) ?? 0) < enough
    );
    return withoutPageNumber(kept, page, body);
  });
}

function zone(piece: Piece, page: PagePieces): "top" | "bottom" | "" {
  if (piece.bottom < page.height * ZONE) return "top";
  return piece.top > page.height * (1 - ZONE) ? "bottom" : "";
}

/** Running lines agree in their words and their height on the page; numbers count up. */
function key(piece: Piece, page: PagePieces): string {
  const words = piece.text.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
  return `${zone(piece, page)}/${Math.round(piece.baseline / 6)}/${words}`;
}

/** Drops a lone page number, or a small line with one, at the outer edge of the page. */
function withoutPageNumber(pieces: readonly Piece[], page: PagePieces, body: number): Piece[] {
  const sorted = [...pieces].sort((a, b) => a.baseline - b.baseline);
  const dropped = new Set<Piece>();
  for (const [outer, inward] of [[0, 1], [sorted.length - 1, -1]] as const) {
    const edge = sorted[outer];
    if (edge === undefined || zone(edge, page) === "") continue;
    const line = sorted.filter((piece) => Math.abs(piece.baseline - edge.baseline) < 3);
    const next = sorted[outer + inward * line.length];
    const gap = next === undefined ? Infinity : Math.abs(next.baseline - edge.baseline);
    const text = line.map((piece) => piece.text).join(" ").trim();
    const size = median(line.map((piece) => piece.size));
    const small = size < 0.96 * body && gap > 2 * size && text.length < 120 &&
      /^\d{1,4}\s|\s\d{1,4}$/.test(text);
    if ((PAGE_NUMBER.test(text) && gap > 1.2 * size) || small) {
      for (const piece of line) dropped.add(piece);
    }
  }
  return pieces.filter((piece) => !dropped.has(piece));
}
