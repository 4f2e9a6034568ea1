/**
 * Converts pages to blocks: removes running lines, finds tables and columns, and joins paragraphs
 * across pages.
 */
import { type Block, plainText } from "../model.ts";
import { findAlignedTables } from "./tables/aligned_tables.ts";
import { withBullets } from "./lines/bullets.ts";
import {
  columnBlocks,
  findCompounds,
  type Flow,
  flowParagraphs,
  lineJoint,
} from "./blocks/blocks.ts";
import { headingLevels, type Typography } from "./blocks/headings.ts";
import { attachDropCaps, separateDropCaps } from "./lines/drop_caps.ts";
import { findTextFrames, withoutFrames } from "./frames.ts";
import { type Box, containsCentre, median, mode } from "./geometry.ts";
import { createPiece, type LinePiece, splitAtGaps, splitIntoPieces } from "./lines/lines.ts";
import { withoutRunningLines, wordsOf } from "./lines/running_lines.ts";
import { type LayoutBox, ProseGutters, splitIntoColumns } from "./reading_order.ts";
import { type Bookmark, withBookmarks } from "./blocks/bookmarks.ts";
import type { PageContent } from "./page.ts";
import { findTaggedTables, withTrustedTags } from "./tagged_content.ts";
import { findRuledTables, type PageTable } from "./tables/ruled_tables.ts";

/** Minimum length of a text that's cut off at the end of a page. Headings are shorter. */
const MIN_CUT_OFF_LENGTH = 60;
/** Maximum distance, in points, between the edges of two parts of a table. */
const TABLE_EDGE_TOLERANCE_POINTS = 12;
/**
 * Minimum length of a line of running text, in letters, and minimum number and share of such lines in
 * a size that's one for text. Small print can be longer than the text of a form or an agenda.
 */
const MIN_TEXT_LENGTH = 50;
const MIN_TEXT_LINES = 5;
const MIN_TEXT_SHARE = 0.2;
/** Minimum number of lines of a text at the side of a page that isn't a stamp. */
const MIN_SIDE_LINES = 3;
/** Minimum gap between the lines of two columns, in font sizes. */
const GUTTER_GAP_EM = 0.8;
/** Maximum gap within a piece of a line, in font sizes. */
const PIECE_GAP_EM = 1.3;

/** Returns a document's blocks, with a mark at the start of each page after the first. */
export function layOutPages(
  pageContents: readonly PageContent[],
  outline: readonly Bookmark[] = [],
): Block[] {
  const pages = withTrustedTags(pageContents);
  const bookmarksByPage = Map.groupBy(outline, ({ page }) => page);
  const pagePieces = pages.map((page, index) => {
    const { lines, caps } = separateDropCaps(page.lines);
    const pieces = attachDropCaps(splitIntoPieces(lines, PIECE_GAP_EM), caps);
    const bookmarks = bookmarksByPage.get(index) ?? [];
    return {
      height: page.height,
      pieces: withBookmarks(withBullets(pieces, page.dots), bookmarks),
    };
  });
  const typography = measureTypography(pagePieces.flatMap((page) => page.pieces));
  const contentPieces = withoutRunningLines(pagePieces, typography.body);
  const gutters = findProseGutters(pages, contentPieces);
  const sides = sidePieces(pages);
  const flows = pages.map((page, index) => [
    ...pageColumns(page, contentPieces[index] ?? [], gutters),
    ...orderFlows({ ...page, rules: [], fills: [] }, sides[index]!, [], gutters),
  ]);
  const levels = headingLevels(flows.flat().flatMap(flowParagraphs), typography);
  const blocks: Block[] = [];
  joinTablesAcrossPages(flows).forEach((pageFlows, index) => {
    const pageBlocks: Block[] = [];
    for (const flow of pageFlows) {
      appendFlow(pageBlocks, columnBlocks(flow, typography, levels), typography);
    }
    if (index === 0) blocks.push(...pageBlocks);
    else appendFlow(blocks, pageBlocks, typography, { kind: "page", page: index + 1 });
  });
  return blocks;
}

/**
 * Appends the blocks of a column, or of a page after its `mark`. If a paragraph continues there, its
 * parts are joined.
 */
function appendFlow(
  blocks: Block[],
  flowBlocks: readonly Block[],
  { compounds }: Typography,
  mark?: Block,
): void {
  const last = blocks.at(-1);
  const [first, ...rest] = flowBlocks;
  const marks = mark === undefined ? [] : [mark];
  if (last?.kind !== "paragraph" || first?.kind !== "paragraph" || !continues(last, first, mark)) {
    blocks.push(...marks, ...flowBlocks);
    return;
  }
  const before = plainText(last.spans).trimEnd();
  const { drop, glue } = lineJoint(before, plainText(first.spans), compounds);
  const spans = [...last.spans];
  const end = spans.pop()!;
  spans.push({
    ...end,
    text: end.text.trimEnd().slice(0, end.text.trimEnd().length - drop) + glue,
  });
  blocks[blocks.length - 1] = { kind: "paragraph", spans: [...spans, ...first.spans] };
  blocks.push(...marks, ...rest);
}

type ParagraphBlock = Block & { kind: "paragraph" };

function continues(last: ParagraphBlock, first: ParagraphBlock, mark?: Block): boolean {
  const [before, after] = [plainText(last.spans).trim(), plainText(first.spans).trim()];
  if (!/[\p{L}\d,;–\-\u2010]$/u.test(before)) return false;
  // Before a capital, only a text of some length is sure to be cut off rather than a short line.
  return /^\p{Ll}/u.test(after) ||
    (mark !== undefined && before.length >= MIN_CUT_OFF_LENGTH && /^\p{Lu}/u.test(after));
}

/** Joins a table at the end of a page with one at the start of the next, if they're alike. */
function joinTablesAcrossPages(pages: readonly (readonly Flow[])[]): Flow[][] {
  const joined: Flow[][] = [];
  for (const flows of pages) {
    const last = joined.findLast((page) => page.length > 0);
    const [above, below] = [tableIn(last?.at(-1)?.at(-1)), tableIn(flows[0]?.[0])];
    if (last === undefined || !above || !below || !areOneTable(above, below)) {
      joined.push([...flows]);
      continue;
    }
    const hasSameHead = JSON.stringify(above.rows[0]) === JSON.stringify(below.rows[0]);
    const rows = [...above.rows, ...hasSameHead ? below.rows.slice(1) : below.rows];
    last[last.length - 1] = [...last.at(-1)!.slice(0, -1), { ...below, rows }];
    joined.push([flows[0]!.slice(1), ...flows.slice(1)].filter((flow) => flow.length > 0));
  }
  return joined;
}

function tableIn(part: LinePiece | PageTable | undefined): PageTable | undefined {
  return part !== undefined && "rows" in part ? part : undefined;
}

function areOneTable(above: PageTable, below: PageTable): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < TABLE_EDGE_TOLERANCE_POINTS;
  return above.rows[0]?.length === below.rows[0]?.length &&
    isNear(above.box.left, below.box.left) && isNear(above.box.right, below.box.right);
}

/**
 * Returns the text at the side of each page that runs upwards or downwards. A few lines are a stamp,
 * and those on several pages are running lines.
 */
function sidePieces(pages: readonly PageContent[]): LinePiece[][] {
  const sides = pages.map((page) => splitIntoPieces(page.sides, PIECE_GAP_EM));
  const counts = new Map<string, number>();
  for (const pieces of sides) {
    for (const text of new Set(pieces.map(wordsOf))) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return sides.map((pieces) => {
    const content = pieces.filter((piece) => counts.get(wordsOf(piece)) === 1);
    const lines = new Set(content.map(({ baseline, size }) => Math.round(baseline / size)));
    return lines.size < MIN_SIDE_LINES ? [] : content;
  });
}

type LayoutPart = LayoutBox & {
  readonly content: LinePiece | PageTable | readonly Flow[];
  /** The line that the content is a part of. */
  readonly line?: LinePiece;
};

/** Returns the gutters between columns of running text anywhere in the document. */
function findProseGutters(
  pages: readonly PageContent[],
  pagePieces: readonly (readonly LinePiece[])[],
): ProseGutters {
  const proseGutters = new ProseGutters();
  pagePieces.forEach((pieces, index) => {
    splitIntoColumns(pieces.flatMap(lineParts), { proseGutters, rules: pages[index]!.rules });
  });
  return proseGutters;
}

/** Returns a page's columns in reading order, including tables and frames. */
function pageColumns(
  page: PageContent,
  pieces: readonly LinePiece[],
  gutters: ProseGutters,
): Flow[] {
  const frames = findTextFrames(page.frames, pieces, page.rules, page.width * page.height);
  if (frames.length === 0) return orderFlows(page, pieces, [], gutters);
  const framed = new Set(frames.flatMap((frame) => frame.pieces));
  const parts = frames.map((frame): LayoutPart => ({
    ...frame.box,
    size: median(frame.pieces.map((piece) => piece.size)),
    rightToLeft: frame.pieces.every((piece) => piece.rightToLeft),
    content: orderFlows({ ...page, rules: frame.rules }, frame.pieces, [], gutters),
  }));
  const rules = withoutFrames(page.rules, frames);
  return orderFlows(
    { ...page, rules },
    pieces.filter((piece) => !framed.has(piece)),
    parts,
    gutters,
  );
}

function orderFlows(
  page: PageContent,
  pieces: readonly LinePiece[],
  frames: readonly LayoutPart[],
  proseGutters: ProseGutters,
): Flow[] {
  const tagged = findTaggedTables(pieces);
  const isFree = (tables: readonly PageTable[]) => (box: Box) =>
    !tables.some((table) => containsCentre(table.box, box));
  const inTagged = new Set(tagged.flatMap((table) => table.pieces));
  const untagged = pieces.filter((piece) => !inTagged.has(piece));
  const ruled = findRuledTables(page.rules.filter(isFree(tagged)), untagged, page.fills);
  const tables = [...tagged, ...ruled];
  const free = untagged.filter(isFree(ruled));
  const parts = [...frames, ...tables.map(tablePart), ...free.flatMap(lineParts)];
  // Tables that only alignment gives away are searched within a column: the lines of columns side
  // by side are often aligned too.
  return splitIntoColumns(parts, { proseGutters, rules: page.rules }).map(joinLineParts).flatMap((
    column,
  ) => splitIntoColumns(withAlignedTables(column, page)).flatMap(columnFlows));
}

/** Returns the parts of a line that a gutter can separate. Gutters can be narrow. */
function lineParts(piece: LinePiece): LayoutPart[] {
  if (piece.rightToLeft) return [piecePart(piece)];
  return splitAtGaps(piece.glyphs, GUTTER_GAP_EM).map((part) => ({
    ...piecePart(part),
    line: piece,
  }));
}

/** Joins the parts of each line that are in the same column. */
function joinLineParts(column: readonly LayoutPart[]): LayoutPart[] {
  const byLine = new Map<LinePiece, LinePiece[]>();
  for (const { line, content } of column) {
    if (line === undefined || !isPiece(content)) continue;
    const parts = byLine.get(line);
    if (parts === undefined) byLine.set(line, [content]);
    else parts.push(content);
  }
  const joined = [...byLine].map(([line, parts]) => {
    const glyphs = new Set(parts.flatMap((part) => part.glyphs));
    const isWhole = line.glyphs.every((glyph) => glyphs.has(glyph) || glyph.text.trim() === "");
    return piecePart(
      isWhole ? line : createPiece(line.glyphs.filter((glyph) => glyphs.has(glyph)))!,
    );
  });
  return [...column.filter(({ line }) => line === undefined), ...joined];
}

function withAlignedTables(column: readonly LayoutPart[], page: PageContent): LayoutPart[] {
  const pieces = column.flatMap(({ content }) => isPiece(content) ? [content] : []);
  const aligned = findAlignedTables(pieces, page.rules);
  const isInTable = ({ content }: LayoutPart) =>
    isPiece(content) && aligned.some((table) => containsCentre(table.box, content));
  return [...column.filter((part) => !isInTable(part)), ...aligned.map(tablePart)];
}

/** Returns a column's flows. A frame interrupts the text around it. */
function columnFlows(column: readonly LayoutPart[]): Flow[] {
  const flows: (readonly (LinePiece | PageTable)[])[] = [];
  let flow: (LinePiece | PageTable)[] = [];
  for (const { content } of column) {
    if (!("length" in content)) flow.push(content);
    else {
      flows.push(flow, ...content);
      flow = [];
    }
  }
  return [...flows, flow].filter((flow) => flow.length > 0);
}

function isPiece(content: LayoutPart["content"]): content is LinePiece {
  return "glyphs" in content;
}

function piecePart(piece: LinePiece): LayoutPart {
  return { ...toLayoutBox(piece), content: piece };
}

function tablePart(table: PageTable): LayoutPart {
  return { ...table.box, size: 12, rightToLeft: false, content: table };
}

function toLayoutBox(piece: LinePiece): LayoutBox {
  const { left, top, right, bottom, size, rightToLeft, text } = piece;
  return { left, top, right, bottom, size, rightToLeft, numeric: !/\p{L}{2}/u.test(text) };
}

function measureTypography(pieces: readonly LinePiece[]): Typography {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const colors = new Map<number, number>();
  let [letterCount, boldCount, monoCount] = [0, 0, 0];
  for (const piece of pieces) {
    const weight = piece.text.length;
    sizes.set(piece.size, (sizes.get(piece.size) ?? 0) + weight);
    fonts.set(piece.font, (fonts.get(piece.font) ?? 0) + weight);
    colors.set(piece.color, (colors.get(piece.color) ?? 0) + weight);
    letterCount += weight;
    if (piece.bold) boldCount += weight;
    if (piece.glyphs.every((glyph) => glyph.face.mono || glyph.text === " ")) monoCount += weight;
  }
  const rare = <K>(weights: ReadonlyMap<K, number>) =>
    new Set([...weights].filter(([, weight]) => weight < 0.12 * letterCount).map(([key]) => key));
  const textLines = pieces.filter((piece) => piece.text.length >= MIN_TEXT_LENGTH);
  const textSizes = [...Map.groupBy(textLines, (piece) => piece.size)].filter(([, lines]) =>
    lines.length >= Math.max(MIN_TEXT_LINES, MIN_TEXT_SHARE * textLines.length)
  );
  const body = mode(sizes) ?? 12;
  return {
    body,
    largestText: Math.max(body, ...textSizes.map(([size]) => size)),
    bodyFont: [...fonts].reduce((a, b) => b[1] > a[1] ? b : a, ["", 0])[0],
    rareFonts: rare(fonts),
    rareColors: rare(colors),
    bodyBold: boldCount > 0.5 * letterCount,
    bodyMono: monoCount > 0.5 * letterCount,
    compounds: findCompounds(pieces),
    hasTaggedHeadings: pieces.some((piece) => piece.tag?.kind === "heading"),
  };
}
