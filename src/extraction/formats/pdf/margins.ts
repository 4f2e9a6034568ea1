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
/** Of a page with fewer lines nothing tells which of them is its text. */
const SOME_LINES = 3;
/** Lines of one text are no further from each other, in sizes of their type. */
const LINE_GAP = 1.8;
/** The same where the lines of a page are set wider, in the distance that most of them have. */
const WIDE_GAP = 1.3;
/** So many distances tell how wide the lines of a page are set. */
const SOME_GAPS = 4;
/** Baselines this near in points are one line. */
const SAME_LINE = 3;
const PAGE_NUMBER =
  /^[\s–—|-]*(?:page|seite|página|pagina|стр\.?|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|из)\s*\d{1,4})?[\s–—|-]*$/i;

/**
 * The pieces of each page without its running lines. A document that holds nothing else keeps them:
 * they are its text then.
 */
export function withoutRunningLines(pages: readonly PagePieces[], body: number): Piece[][] {
  const left = withoutRepeated(pages, body).map((pieces, index) =>
    withoutPageNumber(pieces, pages[index]!, body)
  );
  return left.some((pieces) => pieces.length > 0) ? left : pages.map((page) => [...page.pieces]);
}

/** Drops what repeats at the edge of pages, where it stands apart from what they say. */
function withoutRepeated(pages: readonly PagePieces[], body: number): Piece[][] {
  const seen = tally(pages.map((page) => page.pieces.map((piece) => key(piece, page))));
  const enough = pages.length <= 4 ? 2 : Math.max(3, Math.floor(pages.length * 0.3));
  const repeats = (piece: Piece, page: PagePieces) =>
    zone(piece, page) !== "" && (seen.get(key(piece, page)) ?? 0) >= enough;
  const apart = tally(pages.map((page) => {
    const text = page.pieces.filter((piece) => !repeats(piece, page));
    const wide = WIDE_GAP * spacing(page.pieces);
    const fromMiddle = (piece: Piece) => Math.abs(piece.baseline - page.height / 2);
    const outwards = page.pieces.filter((piece) => repeats(piece, page))
      .sort((a, b) => fromMiddle(a) - fromMiddle(b));
    const found: Piece[] = [];
    // What is near the text belongs to it, and so does what is near that.
    for (const piece of outwards) {
      (standsApart(piece, text, body, wide) ? found : text).push(piece);
    }
    return found.map((piece) => key(piece, page));
  }));
  return pages.map((page) =>
    page.pieces.filter((piece) => {
      const one = key(piece, page);
      return !repeats(piece, page) || 2 * (apart.get(one) ?? 0) < (seen.get(one) ?? 0);
    })
  );
}

/** On how many pages each key is. */
function tally(pages: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keys of pages) {
    for (const one of new Set(keys)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

/** How far most lines of a page are apart; 0 when they are too few to tell. */
function spacing(pieces: readonly Piece[]): number {
  const baselines = pieces.map((piece) => piece.baseline).sort((a, b) => a - b);
  const gaps = baselines.slice(1).map((baseline, index) => baseline - baselines[index]!)
    .filter((gap) => gap > SAME_LINE);
  return gaps.length < SOME_GAPS ? 0 : median(gaps);
}

/**
 * Whether a line at the edge is no part of the `text` of its page: it is further from it than lines
 * of one text are from each other, at least `wide`. One with a number may still be a heading ("Chapter 2"), so that
 * it has to be no larger than the body, and on a page with a text of some lines.
 */
function standsApart(
  piece: Piece,
  text: readonly Piece[],
  body: number,
  wide: number,
): boolean {
  const gaps = text.map((other) => Math.abs(other.baseline - piece.baseline))
    .filter((gap) => gap > SAME_LINE);
  if (gaps.length === 0 || Math.min(...gaps) < Math.max(wide, LINE_GAP * piece.size)) return false;
  return !/\d/.test(piece.text) || gaps.length >= SOME_LINES && piece.size <= 1.05 * body;
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
    const line = sorted.filter((piece) => Math.abs(piece.baseline - edge.baseline) < SAME_LINE);
    const next = sorted[outer + inward * line.length];
    const gap = next === undefined ? Infinity : Math.abs(next.baseline - edge.baseline);
    const text = line.map((piece) => piece.text).join(" ").trim();
    const size = median(line.map((piece) => piece.size));
    const small = size < 0.96 * body && gap > 2 * size && text.length < 120 &&
      /^\d{1,4}\s|\s\d{1,4}$/.test(text);
    if ((PAGE_NUMBER.test(text) && gap > LINE_GAP * size) || small) {
      for (const piece of line) dropped.add(piece);
    }
  }
  return pieces.filter((piece) => !dropped.has(piece));
}
