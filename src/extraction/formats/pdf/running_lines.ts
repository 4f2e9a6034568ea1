/** Running headers, footers and page numbers: what repeats at the edge of pages is no content. */
import { median } from "./geometry.ts";
import type { LinePiece } from "./lines.ts";

/** The pieces of one page and its height in points. */
export interface PagePieces {
  readonly height: number;
  readonly pieces: readonly LinePiece[];
}

/** Part of the page height, at the top and at the bottom, where running lines stand. */
const MARGIN_SHARE = 0.13;
/** Of a page with fewer lines nothing tells which of them is its text. */
const MIN_TEXT_LINES = 3;
/** Lines of one text are no further from each other, in sizes of their type. */
const MAX_LINE_GAP_EM = 1.8;
/** The same where the lines of a page are set wider, in the distance that most of them have. */
const MAX_LINE_GAP_RATIO = 1.3;
/** So many distances tell how wide the lines of a page are set. */
const MIN_LINE_GAPS = 4;
/** Baselines this near in points are one line. */
const BASELINE_TOLERANCE_POINTS = 3;
const PAGE_NUMBER =
  /^[\s–—|-]*(?:page|seite|página|pagina|стр\.?|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|из)\s*\d{1,4})?[\s–—|-]*$/i;

/**
 * The pieces of each page without its running lines. A document that holds nothing else keeps them:
 * they are its text then.
 */
export function withoutRunningLines(pages: readonly PagePieces[], bodySize: number): LinePiece[][] {
  const left = withoutRepeatedLines(pages, bodySize).map((pieces, index) =>
    withoutPageNumber(pieces, pages[index]!, bodySize)
  );
  return left.some((pieces) => pieces.length > 0) ? left : pages.map((page) => [...page.pieces]);
}

/** Drops what repeats at the edge of pages, where it stands apart from what they say. */
function withoutRepeatedLines(pages: readonly PagePieces[], bodySize: number): LinePiece[][] {
  const seen = countPagesByKey(
    pages.map((page) => page.pieces.map((piece) => runningLineKey(piece, page))),
  );
  const enough = pages.length <= 4 ? 2 : Math.max(3, Math.floor(pages.length * 0.3));
  const repeats = (piece: LinePiece, page: PagePieces) =>
    marginOf(piece, page) !== "" && (seen.get(runningLineKey(piece, page)) ?? 0) >= enough;
  const apart = countPagesByKey(pages.map((page) => {
    const text = page.pieces.filter((piece) => !repeats(piece, page));
    const wide = MAX_LINE_GAP_RATIO * medianLineGap(page.pieces);
    const fromMiddle = (piece: LinePiece) => Math.abs(piece.baseline - page.height / 2);
    const outwards = page.pieces.filter((piece) => repeats(piece, page))
      .sort((a, b) => fromMiddle(a) - fromMiddle(b));
    const found: LinePiece[] = [];
    // What is near the text belongs to it, and so does what is near that.
    for (const piece of outwards) {
      (isSetApart(piece, text, bodySize, wide) ? found : text).push(piece);
    }
    return found.map((piece) => runningLineKey(piece, page));
  }));
  return pages.map((page) =>
    page.pieces.filter((piece) => {
      const one = runningLineKey(piece, page);
      return !repeats(piece, page) || 2 * (apart.get(one) ?? 0) < (seen.get(one) ?? 0);
    })
  );
}

/** On how many pages each key is. */
function countPagesByKey(pages: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keys of pages) {
    for (const one of new Set(keys)) counts.set(one, (counts.get(one) ?? 0) + 1);
  }
  return counts;
}

/** How far most lines of a page are apart; 0 when they are too few to tell. */
function medianLineGap(pieces: readonly LinePiece[]): number {
  const baselines = pieces.map((piece) => piece.baseline).sort((a, b) => a - b);
  const gaps = baselines.slice(1).map((baseline, index) => baseline - baselines[index]!)
    .filter((gap) => gap > BASELINE_TOLERANCE_POINTS);
  return gaps.length < MIN_LINE_GAPS ? 0 : median(gaps);
}

/**
 * Whether a line at the edge is no part of the `text` of its page: it is further from it than lines
 * of one text are from each other, at least `wide`. One with a number may still be a heading ("Chapter 2"), so that
 * it has to be no larger than the body, and on a page with a text of some lines.
 */
function isSetApart(
  piece: LinePiece,
  text: readonly LinePiece[],
  bodySize: number,
  minGap: number,
): boolean {
  const gaps = text.map((other) => Math.abs(other.baseline - piece.baseline))
    .filter((gap) => gap > BASELINE_TOLERANCE_POINTS);
  if (gaps.length === 0 || Math.min(...gaps) < Math.max(minGap, MAX_LINE_GAP_EM * piece.size)) {
    return false;
  }
  return !/\d/.test(piece.text) || gaps.length >= MIN_TEXT_LINES && piece.size <= 1.05 * bodySize;
}

function marginOf(piece: LinePiece, page: PagePieces): "top" | "bottom" | "" {
  if (piece.bottom < page.height * MARGIN_SHARE) return "top";
  return piece.top > page.height * (1 - MARGIN_SHARE) ? "bottom" : "";
}

/** Running lines agree in their words and their height on the page; numbers count up. */
function runningLineKey(piece: LinePiece, page: PagePieces): string {
  const words = piece.text.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
  return `${marginOf(piece, page)}/${Math.round(piece.baseline / 6)}/${words}`;
}

/** Drops a lone page number, or a small line with one, at the outer edge of the page. */
function withoutPageNumber(
  pieces: readonly LinePiece[],
  page: PagePieces,
  bodySize: number,
): LinePiece[] {
  const sorted = [...pieces].sort((a, b) => a.baseline - b.baseline);
  const dropped = new Set<LinePiece>();
  for (const [outer, inward] of [[0, 1], [sorted.length - 1, -1]] as const) {
    const edge = sorted[outer];
    if (edge === undefined || marginOf(edge, page) === "") continue;
    const line = sorted.filter((piece) =>
      Math.abs(piece.baseline - edge.baseline) < BASELINE_TOLERANCE_POINTS
    );
    const next = sorted[outer + inward * line.length];
    const gap = next === undefined ? Infinity : Math.abs(next.baseline - edge.baseline);
    const text = line.map((piece) => piece.text).join(" ").trim();
    const size = median(line.map((piece) => piece.size));
    const small = size < 0.96 * bodySize && gap > 2 * size && text.length < 120 &&
      /^\d{1,4}\s|\s\d{1,4}$/.test(text);
    if ((PAGE_NUMBER.test(text) && gap > MAX_LINE_GAP_EM * size) || small) {
      for (const piece of line) dropped.add(piece);
    }
  }
  return pieces.filter((piece) => !dropped.has(piece));
}
