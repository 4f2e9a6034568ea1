/**
 * Removes running headers, footers and page numbers. Text repeated at the edge of pages isn't
 * content.
 */
import { median } from "../geometry.ts";
import type { LinePiece } from "./lines.ts";

/** The pieces on a page, and the page height in points. */
export interface PagePieces {
  readonly height: number;
  readonly pieces: readonly LinePiece[];
}

/** Height of the top and bottom margins, as a fraction of the page height. */
const MARGIN_SHARE = 0.13;
/**
 * Minimum number of text lines on a page. With fewer, it's unclear which of them are the text.
 */
const MIN_TEXT_LINES = 3;
/** Height of the area of small print at the top and bottom, as a fraction of the page height. */
const EDGE_SHARE = 0.08;
/** Maximum size of small print, relative to the body text. */
const MAX_SMALL_PRINT_RATIO = 0.9;
/** Maximum size of a running line with a number, relative to the body text. Larger ones are headings. */
const MAX_NUMBERED_RATIO = 1.05;
/** Maximum distance between lines of the same text, in font sizes. */
const MAX_LINE_GAP_EM = 1.8;
/**
 * Maximum distance between lines of the same text, relative to the page's usual one. For pages with
 * wider line spacing.
 */
const MAX_LINE_GAP_RATIO = 1.3;
/** Minimum number of line distances needed to work out a page's line spacing. */
const MIN_LINE_GAPS = 4;
/** Maximum distance, in points, between baselines that count as one line. */
const BASELINE_TOLERANCE_POINTS = 3;
const PAGE_NUMBER =
  /^[\s–—|-]*(?:page|seite|página|pagina|стр\.?|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|\/|von|de|sur|из)\s*\d{1,4})?[\s–—|-]*$/i;
/** At least four words with a full stop. */
const SENTENCE = /^(?:\S+\s+){3,}\S*[\p{Ll}\d)\]][.!?]["”’»)]*$/u;
/** A footnote with its number. */
const NOTE = /^\d{1,3}\s+\p{L}/u;
/** At least ten letters, so that it can't be a cell that repeats by chance. */
const LONG_TEXT = /(?:\p{L}.*){10}/u;
/** A year at the end of a line, which is rather part of a date than a page number. */
const YEAR_AT_END = /\s(?:19|20)\d\d$/;

/**
 * Returns the pieces on each page minus running lines. If a document contains nothing else, they're
 * kept as text.
 */
export function withoutRunningLines(pages: readonly PagePieces[], bodySize: number): LinePiece[][] {
  const remaining = withoutRepeatedLines(pages, bodySize).map((pieces, index) =>
    withoutPageNumber(pieces, pages[index]!, { bodySize, isOnlyPage: pages.length === 1 })
  );
  return remaining.some((pieces) => pieces.length > 0)
    ? remaining
    : pages.map((page) => [...page.pieces]);
}

/** Removes text repeated at the edge of pages and separate from the page's text. */
function withoutRepeatedLines(pages: readonly PagePieces[], bodySize: number): LinePiece[][] {
  const pageCounts = countPagesByKey(
    pages.map((page) => page.pieces.map((piece) => runningLineKey(piece, page))),
  );
  const textCounts = countPagesByKey(
    pages.map((page) => page.pieces.map((piece) => `${marginOf(piece, page)}/${piece.text}`)),
  );
  const minPages = pages.length <= 4 ? 2 : Math.max(3, Math.floor(pages.length * 0.3));
  const isRepeated = (piece: LinePiece, page: PagePieces) =>
    marginOf(piece, page) !== "" && (pageCounts.get(runningLineKey(piece, page)) ?? 0) >= minPages;
  const apartCounts = countPagesByKey(pages.map((page) => {
    const text = page.pieces.filter((piece) => !isRepeated(piece, page));
    const minGap = MAX_LINE_GAP_RATIO * medianLineGap(page.pieces);
    const fromMiddle = (piece: LinePiece) => Math.abs(piece.baseline - page.height / 2);
    const outwardLines = page.pieces.filter((piece) => isRepeated(piece, page))
      .sort((a, b) => fromMiddle(a) - fromMiddle(b));
    const apartLines: LinePiece[] = [];
    // A line close to the text is part of it, and so is any line close to that one.
    for (const piece of outwardLines) {
      const count = textCounts.get(`${marginOf(piece, page)}/${piece.text}`) ?? 0;
      const isSame = count >= minPages;
      (isSetApart(piece, text, { bodySize, minGap, isSame }) ? apartLines : text).push(piece);
    }
    return apartLines.map((piece) => runningLineKey(piece, page));
  }));
  const isRunning = (piece: LinePiece, page: PagePieces) => {
    const key = runningLineKey(piece, page);
    return isRepeated(piece, page) &&
      2 * (apartCounts.get(key) ?? 0) >= (pageCounts.get(key) ?? 0);
  };
  const running = new Set(
    pages.flatMap((page) =>
      page.pieces.filter((piece) => isRunning(piece, page) && LONG_TEXT.test(piece.text))
        .map((piece) => wordsKey(piece, page))
    ),
  );
  const headings = new Set<string>();
  const isFirstHeading = ({ text, size }: LinePiece) => {
    if (!/\d/.test(text) || size <= MAX_NUMBERED_RATIO * bodySize || headings.has(text)) {
      return false;
    }
    headings.add(text);
    return true;
  };
  return pages.map((page) =>
    page.pieces.filter((piece) =>
      // The first page often has its running lines at another height.
      !isRunning(piece, page) && !running.has(wordsKey(piece, page)) || isFirstHeading(piece)
    )
  );
}

/** Returns the number of pages each key occurs on. */
function countPagesByKey(pages: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const keys of pages) {
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Returns the median line distance on a page, or 0 if there are too few lines. */
function medianLineGap(pieces: readonly LinePiece[]): number {
  const baselines = pieces.map((piece) => piece.baseline).sort((a, b) => a - b);
  const gaps = baselines.slice(1).map((baseline, index) => baseline - baselines[index]!)
    .filter((gap) => gap > BASELINE_TOLERANCE_POINTS);
  return gaps.length < MIN_LINE_GAPS ? 0 : median(gaps);
}

/**
 * Checks whether a line at the edge is separate from the page's `text`. It must be at least
 * `minGap` away from the text, and further than lines of the same text are from each other. A line
 * with a number may still be a heading ("Chapter 2"), so it's only removed if it has the same number
 * on several pages, except for the first one, or isn't larger than the body text on a page with
 * several lines of text.
 */
function isSetApart(
  piece: LinePiece,
  text: readonly LinePiece[],
  { bodySize, minGap, isSame }: Readonly<{ bodySize: number; minGap: number; isSame: boolean }>,
): boolean {
  const gaps = text.map((other) => Math.abs(other.baseline - piece.baseline))
    .filter((gap) => gap > BASELINE_TOLERANCE_POINTS);
  if (gaps.length === 0 || Math.min(...gaps) < Math.max(minGap, MAX_LINE_GAP_EM * piece.size)) {
    return false;
  }
  return isSame || !/\d/.test(piece.text) ||
    gaps.length >= MIN_TEXT_LINES && piece.size <= MAX_NUMBERED_RATIO * bodySize;
}

function marginOf(piece: LinePiece, page: PagePieces): "top" | "bottom" | "" {
  if (piece.bottom < page.height * MARGIN_SHARE) return "top";
  return piece.top > page.height * (1 - MARGIN_SHARE) ? "bottom" : "";
}

/**
 * Returns the key for a running line. Lines with the same words at the same height share a key,
 * even if their numbers differ.
 */
function runningLineKey(piece: LinePiece, page: PagePieces): string {
  return `${marginOf(piece, page)}/${Math.round(piece.baseline / 6)}/${wordsOf(piece)}`;
}

/** Returns the key for lines with the same words and size in the same margin, at any height. */
function wordsKey(piece: LinePiece, page: PagePieces): string {
  return `${marginOf(piece, page)}/${piece.size}/${wordsOf(piece)}`;
}

/** Returns the words of a line. Those that only differ in their numbers are the same. */
export function wordsOf({ text }: LinePiece): string {
  return text.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}

/**
 * Removes a page number, or a small line containing one, at the outer edge of the page. Sentences,
 * such as footnotes, are part of the text, and so are tagged lines, except for plain page numbers.
 */
function withoutPageNumber(
  pieces: readonly LinePiece[],
  page: PagePieces,
  { bodySize, isOnlyPage }: { readonly bodySize: number; readonly isOnlyPage: boolean },
): LinePiece[] {
  const sorted = [...pieces].sort((a, b) => a.baseline - b.baseline);
  const dropped = new Set<LinePiece>();
  for (const [outerIndex, step] of [[0, 1], [sorted.length - 1, -1]] as const) {
    const edge = sorted[outerIndex];
    if (edge === undefined || marginOf(edge, page) === "") continue;
    const line = sorted.filter((piece) =>
      Math.abs(piece.baseline - edge.baseline) < BASELINE_TOLERANCE_POINTS
    );
    const next = sorted[outerIndex + step * line.length];
    const gap = next === undefined ? Infinity : Math.abs(next.baseline - edge.baseline);
    const text = line.map((piece) => piece.text).join(" ").trim();
    const tags = line.flatMap((piece) => piece.tag ?? []);
    const isContent = tags.some(({ kind, cell }) => kind === "heading" || cell !== undefined);
    if (isContent || SENTENCE.test(text)) continue;
    const size = median(line.map((piece) => piece.size));
    const mayBeSmall = tags.length === 0 && gap > 2 * size && text.length < 120;
    const isSmallLine = mayBeSmall && size < 0.96 * bodySize && !YEAR_AT_END.test(text) &&
      /^\d{1,4}\s|\s\d{1,4}$/.test(text);
    // Some lines are on a single page, such as an imprint, but their size and place identify them.
    // At the top of one of several pages, they are rather part of the title.
    const isSmallPrint = mayBeSmall && (isOnlyPage || step < 0 && !NOTE.test(text)) &&
      size < MAX_SMALL_PRINT_RATIO * bodySize &&
      sorted.length >= MIN_TEXT_LINES + line.length &&
      (edge.bottom < EDGE_SHARE * page.height || edge.top > (1 - EDGE_SHARE) * page.height);
    if (isSmallPrint || (PAGE_NUMBER.test(text) && gap > MAX_LINE_GAP_EM * size) || isSmallLine) {
      for (const piece of line) dropped.add(piece);
    }
  }
  return pieces.filter((piece) => !dropped.has(piece));
}
